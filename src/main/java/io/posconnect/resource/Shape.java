package io.posconnect.resource;

/** What the body of a successful response is. */
public enum Shape {
  /** A JSON array, one row an element. */
  ARRAY,
  /** One JSON object, itself the only row. */
  OBJECT,
  /** The key-based paging envelope, its rows in {@code items}. */
  ENVELOPE
}
