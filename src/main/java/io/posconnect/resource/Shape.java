package io.posconnect.resource;

/** The form of the body of a successful response. */
public sealed interface Shape {

  Shape ARRAY = new Array();
  Shape OBJECT = new Single();

  /** The service's own envelope. */
  Shape ENVELOPE = new Envelope("items", "haveMoreData", "nextPageKey");

  /** The only field of a row that was a plain value. */
  String VALUE = "value";

  /** A list whose strings, numbers and booleans are rows with the field {@link #VALUE}. */
  record Values(Shape list) implements Shape {}

  /** A JSON array, one row an element. */
  record Array() implements Shape {}

  /** One JSON object, itself the only row. */
  record Single() implements Shape {}

  /**
   * A JSON object with rows in one of its fields, and in others whether a page follows. The names
   * are found in any case.
   *
   * @param rows name of the field that holds the rows
   * @param more name of the field that is true while a page follows; empty where the key alone
   *     shows it
   * @param nextKey name of the field that holds the key of the next page
   */
  record Envelope(String rows, String more, String nextKey) implements Shape {}
}
