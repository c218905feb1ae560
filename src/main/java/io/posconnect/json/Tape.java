package io.posconnect.json;

import io.posconnect.json.Row.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Holds where each value of one JSON text stands, in the order in which the values begin: the text
 * is parsed once, and whatever looks into it afterwards follows the indices. The first value is the
 * whole text. Immutable; takes ownership of the arrays.
 *
 * @param json the text in UTF-8
 * @param values for each value the index of its first byte, the index behind its last, and what
 *     {@link #packed} returns
 * @param names for each value its name in the object around it; null in an array
 * @param flat whether no object or array is in another
 * @param known the names of objects before
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Tape(byte[] json, int[] values, @Nullable String[] names, boolean flat, Names.Known known) {

  /** Numbers that a value takes. */
  static final int VALUE = 3;

  private static final Kind[] KINDS = Kind.values();
  private static final int KIND_BITS = 3;

  /** A text of which nothing can be read. */
  static Tape unreadable(byte[] json) {
    int[] values = {0, json.length, packed(Kind.NULL, 1)};
    return new Tape(json, values, new String[1], true, new Names.Known());
  }

  /** A value's kind, and the number of the value that follows it and all that is within it. */
  @SuppressWarnings("EnumOrdinal") // The number never leaves this process.
  static int packed(Kind kind, int next) {
    return next << KIND_BITS | kind.ordinal();
  }

  static Kind kindOf(int packed) {
    return KINDS[packed & (1 << KIND_BITS) - 1];
  }

  Kind kind(int value) {
    return kindOf(values[value * VALUE + 2]);
  }

  int start(int value) {
    return values[value * VALUE];
  }

  int end(int value) {
    return values[value * VALUE + 1];
  }

  /** The value that follows this one and all that is within it. */
  int next(int value) {
    return values[value * VALUE + 2] >>> KIND_BITS;
  }

  String name(int value) {
    String name = names[value];
    if (name == null) {
      throw new IllegalArgumentException("value " + value + " is in no object");
    }
    return name;
  }

  /** The names of an object's fields; none of another value. */
  Names names(int value) {
    if (kind(value) != Kind.OBJECT) {
      return Names.NONE;
    }
    return flat ? known.of(this, names) : known.of(this, value);
  }

  /** The values that are directly within an object or array, in their order: so many there are. */
  int[] within(int value, int count) {
    int[] items = new int[count];
    int item = value + 1;
    for (int i = 0; i < count; i++) {
      items[i] = item;
      item = next(item);
    }
    return items;
  }
}
