package io.posconnect.json;

import io.posconnect.json.Row.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Holds where each value of one JSON text stands, in the order in which the values begin: the text
 * is parsed once, and whatever looks into it afterwards follows the indices. The first value is the
 * whole text. Immutable; takes ownership of the arrays.
 */
final class Tape {

  /** Numbers that a value has in the spans: its first byte, the byte behind it, the next value. */
  static final int SPAN = 3;

  private final byte[] json;
  private final Kind[] kinds;
  private final int[] spans;
  private final @Nullable String[] names;

  /**
   * @param json the text in UTF-8
   * @param spans for each value the index of its first byte, the index behind its last, and the
   *     number of the value that follows it and all that is within it
   * @param names for each value its name in the object around it; null in an array
   */
  Tape(byte[] json, Kind[] kinds, int[] spans, @Nullable String[] names) {
    this.json = json;
    this.kinds = kinds;
    this.spans = spans;
    this.names = names;
  }

  /** A text of which nothing can be read. */
  static Tape unreadable(byte[] json) {
    return new Tape(json, new Kind[] {Kind.NULL}, new int[] {0, json.length, 1}, new String[1]);
  }

  byte[] json() {
    return json;
  }

  Kind kind(int value) {
    return kinds[value];
  }

  int start(int value) {
    return spans[value * SPAN];
  }

  int end(int value) {
    return spans[value * SPAN + 1];
  }

  /** The value that follows this one and all that is within it. */
  int next(int value) {
    return spans[value * SPAN + 2];
  }

  /** The name of a value in an object. */
  String name(int value) {
    String name = names[value];
    if (name == null) {
      throw new IllegalArgumentException("value " + value + " is in no object");
    }
    return name;
  }

  /** The values that are directly within an object or array, in their order. */
  int[] within(int value) {
    int[] items = new int[items(value)];
    int item = value + 1;
    for (int i = 0; i < items.length; i++) {
      items[i] = item;
      item = next(item);
    }
    return items;
  }

  private int items(int value) {
    int items = 0;
    for (int item = value + 1; item < next(value); item = next(item)) {
      items++;
    }
    return items;
  }
}
