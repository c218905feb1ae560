package io.posconnect.resource;

/** The form of the body of a successful response. */
public enum Shape {
  /** A JSON array, one row an element. */
  ARRAY,
  /** One JSON object, itself the only row. */
  OBJECT,
  /** The key-based paging envelope, its rows in {@code items}. */
  ENVELOPE
}
