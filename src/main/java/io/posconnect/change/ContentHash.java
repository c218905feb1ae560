package io.posconnect.change;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.json.Row.Kind;
import java.util.List;
import java.util.Set;

/**
 * A hash of what a row says, not of how it is spelled: the order of fields, at any depth, the
 * spelling of a number and the escapes of a string do not count, and a field that is null is as
 * good as absent. The order of an array counts.
 *
 * <p>The hash has 48 bits, is never negative, and stays the same for ever, since it is stored. A
 * name that an object repeats counts once for each value, in any order. Thread-safe.
 */
public final class ContentHash {

  private static final long BITS = 48;
  private static final long OBJECT = 0x6F626A6563740001L;
  private static final long FIELD = 0x6669656C64000001L;
  private static final long ARRAY = 0x6172726179000001L;
  private static final long STRING = 0x737472696E670001L;
  private static final long TRUE = Mix.mix(0x7472756500000001L);
  private static final long FALSE = Mix.mix(0x66616C7365000001L);
  private static final long NULL = Mix.mix(0x6E756C6C00000001L);

  private final Set<String> ignoreFields;

  /**
   * A hash that leaves some top-level fields out.
   *
   * @param ignoreFields names; one that no field has exactly stands for the fields that differ from
   *     it only in case
   */
  public ContentHash(Set<String> ignoreFields) {
    this.ignoreFields = Set.copyOf(ignoreFields);
  }

  /** The hash of a row; a row that is no object is hashed as the value that it is. */
  public long of(Row row) {
    if (row.kind() != Kind.OBJECT) {
      return shorten(value(JsonText.of(row)));
    }
    boolean[] ignored = ignored(row);
    long sum = 0;
    for (int field = 0; field < row.size(); field++) {
      if (row.kind(field) != Kind.NULL && !ignored[field]) {
        sum += field(row.name(field), value(JsonText.of(row, field)));
      }
    }
    return shorten(Mix.combine(OBJECT, sum));
  }

  /** The hash of a text that is no row: equal bytes, equal hash. */
  public static long ofText(byte[] raw) {
    return shorten(Mix.text(raw, 0, raw.length));
  }

  private boolean[] ignored(Row row) {
    boolean[] ignored = new boolean[row.size()];
    for (String name : ignoreFields) {
      boolean exact = false;
      for (int field = 0; field < row.size(); field++) {
        if (row.name(field).equals(name)) {
          ignored[field] = true;
          exact = true;
        }
      }
      for (int field = 0; field < row.size() && !exact; field++) {
        ignored[field] |= row.name(field).equalsIgnoreCase(name);
      }
    }
    return ignored;
  }

  private static long value(JsonText json) {
    return switch (json.kind()) {
      case STRING -> string(json);
      case NUMBER -> NumberHash.of(json.bytes(), json.start(), json.end());
      case BOOLEAN -> json.bytes()[json.start()] == 't' ? TRUE : FALSE;
      case NULL -> NULL;
      case OBJECT -> object(json);
      case ARRAY -> array(json.items());
    };
  }

  /** Without an escape and within ASCII the bytes are the code units, and nothing is decoded. */
  private static long string(JsonText json) {
    byte[] bytes = json.bytes();
    int start = json.start() + 1;
    int end = json.end() - 1;
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\\' || bytes[i] < 0) {
        return Mix.combine(STRING, Mix.text(json.value()));
      }
    }
    return Mix.combine(STRING, Mix.text(bytes, start, end));
  }

  private static long object(JsonText json) {
    long sum = 0;
    for (int field = 0; field < json.names().size(); field++) {
      JsonText value = json.items().get(field);
      if (value.kind() != Kind.NULL) {
        sum += field(json.names().get(field), value(value));
      }
    }
    return Mix.combine(OBJECT, sum);
  }

  private static long array(List<JsonText> items) {
    long hash = ARRAY;
    for (JsonText item : items) {
      hash = Mix.combine(hash, value(item));
    }
    return Mix.combine(hash, items.size());
  }

  /** Fields are added up, so that their order does not count; each is mixed with its name first. */
  private static long field(String name, long value) {
    return Mix.combine(Mix.combine(FIELD, Mix.text(name)), value);
  }

  private static long shorten(long hash) {
    return hash >>> (Long.SIZE - BITS);
  }
}
