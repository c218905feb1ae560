package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.json.JsonText;
import io.posconnect.json.Names;
import io.posconnect.json.Row;
import io.posconnect.json.Row.Kind;
import io.posconnect.resource.FieldName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Hashes the content of a row, not its spelling: the order of fields and the case of their names,
 * at any depth, the spelling of a number and the escapes of a string do not count, and a field that
 * is null is as good as absent, unless another differs from it only in the case of its name. The
 * order of an array counts.
 *
 * <p>The hash, {@value #BITS} bits of komihash 5.0, stays the same for ever, since it is stored. A
 * name that an object repeats counts once for each value, in any order; of names that differ only
 * in case, each counts as it is spelled. For one thread at a time.
 */
public final class ContentHash {

  /** A collision would hide a change: one in 2^56 changes. */
  static final int BITS = 56;

  private static final Hasher64 HASHER = Hashing.komihash5_0();

  private static final long OBJECT = 1;
  private static final long ARRAY = 2;
  private static final long STRING = 3;
  private static final long BROKEN_STRING = 4;
  private static final long TWIN = 12;
  private static final long TRUE = HASHER.hashLongToLong(5);
  private static final long FALSE = HASHER.hashLongToLong(6);
  private static final long NULL = HASHER.hashLongToLong(7);

  private final Set<String> ignoreFields;
  private final NumberHash numbers = new NumberHash(HASHER);
  private final Names.Derived<Fields> fields =
      new Names.Derived<>(names -> new Fields(names.list()));

  /** What belongs to the fields of objects with the same names. */
  private final class Fields {
    private final long[] hashes;
    private final boolean[] ignored;

    Fields(List<String> names) {
      hashes = hashes(names);
      ignored = ignored(names);
    }
  }

  /**
   * A hash that leaves some top-level fields out.
   *
   * @param ignoreFields names; one that no field has exactly stands for the fields that differ from
   *     it only in case, or in the form of a letter
   */
  public ContentHash(Set<String> ignoreFields) {
    this.ignoreFields = Set.copyOf(ignoreFields);
  }

  /** The hash of a row; a row that is no object is hashed as the value that it is. */
  public long of(Row row) {
    if (row.kind() != Kind.OBJECT) {
      return shorten(value(JsonText.of(row)));
    }
    return shorten(object(row, true));
  }

  private boolean[] ignored(List<String> names) {
    boolean[] ignored = new boolean[names.size()];
    for (String name : ignoreFields) {
      boolean exact = names.contains(name);
      for (int field = 0; field < ignored.length; field++) {
        String candidate = names.get(field);
        ignored[field] |= exact ? candidate.equals(name) : FieldName.isSame(candidate, name);
      }
    }
    return ignored;
  }

  /**
   * The hash of each name, case aside; where another differs only in case, as it is spelled, and
   * not that of the name alone: if the other is null, the field is no typed one all the same.
   */
  private static long[] hashes(List<String> names) {
    long[] hashes = new long[names.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = HASHER.hashCharsToLong(folded(names.get(i)));
    }
    long[] sorted = hashes.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < hashes.length; i++) {
      int at = Arrays.binarySearch(sorted, hashes[i]);
      boolean twice =
          (at > 0 && sorted[at - 1] == hashes[i])
              || (at + 1 < sorted.length && sorted[at + 1] == hashes[i]);
      if (twice) {
        hashes[i] = combine(TWIN, HASHER.hashCharsToLong(names.get(i)));
      }
    }
    return hashes;
  }

  /** As {@link FieldName#isSame} compares. */
  private static String folded(String name) {
    StringBuilder folded = new StringBuilder(name.length());
    FieldName.composed(name)
        .codePoints()
        .map(letter -> Character.toLowerCase(Character.toUpperCase(letter)))
        .forEach(folded::appendCodePoint);
    return folded.toString();
  }

  private long object(Row row, boolean atTop) {
    Fields known = fields.of(row.names());
    long sum = 0;
    for (int field = 0; field < row.size(); field++) {
      Kind kind = row.kind(field);
      if (kind != Kind.NULL && !(atTop && known.ignored[field])) {
        long value =
            kind == Kind.OBJECT || kind == Kind.ARRAY
                ? value(JsonText.of(row, field))
                : scalar(kind, row.bytes(), row.start(field), row.end(field));
        sum += combine(known.hashes[field], value);
      }
    }
    return combine(OBJECT, sum);
  }

  private long value(JsonText json) {
    return switch (json.kind()) {
      case OBJECT -> object(json.fields(), false);
      case ARRAY -> array(json.items());
      case STRING, NUMBER, BOOLEAN, NULL ->
          scalar(json.kind(), json.bytes(), json.start(), json.end());
    };
  }

  private long scalar(Kind kind, byte[] json, int start, int end) {
    return switch (kind) {
      case STRING -> string(json, start, end);
      case NUMBER -> numbers.of(json, start, end);
      case BOOLEAN -> json[start] == 't' ? TRUE : FALSE;
      case NULL -> NULL;
      case OBJECT, ARRAY -> throw new IllegalArgumentException(kind + " is no scalar");
    };
  }

  /** Without an escape the bytes are the text's own, and nothing is decoded. */
  private static long string(byte[] json, int start, int end) {
    return JsonText.isPlain(json, start, end)
        ? combine(STRING, HASHER.hashBytesToLong(json, start + 1, end - start - 2))
        : unescaped(JsonText.string(json, start, end));
  }

  private static long unescaped(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    // Half a surrogate has no UTF-8.
    return new String(utf8, StandardCharsets.UTF_8).equals(text)
        ? combine(STRING, HASHER.hashBytesToLong(utf8))
        : combine(BROKEN_STRING, HASHER.hashCharsToLong(text));
  }

  private long array(List<JsonText> items) {
    long hash = combine(ARRAY, items.size());
    for (JsonText item : items) {
      hash = combine(hash, value(item));
    }
    return hash;
  }

  /** Fields are added up, so that their order does not count; each is mixed with its name first. */
  private static long combine(long hash, long next) {
    return HASHER.hashLongLongToLong(hash, next);
  }

  private static long shorten(long hash) {
    return hash >>> (Long.SIZE - BITS);
  }
}
