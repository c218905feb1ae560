package io.posconnect.tool;

import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.FieldName;
import io.posconnect.resource.Stream;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the fields that differ in all rows of each stream, and tries the configured key. Its memory
 * is bounded: fields that would need more are given up.
 */
final class KeyProof {

  private static final int MOST_REMEMBERED = 2_000_000;

  private final RowSchema contract;
  private final boolean occurrences;
  private final Map<List<Object>, Integer> keys = new HashMap<>();

  /** The reasons why rows have no configured key, with the number of rows. */
  final Map<String, Long> broken = new TreeMap<>();

  private final Map<String, Map<Long, Integer>> candidates =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  long rows;

  /** Number of rows that have the configured key of another, different row. */
  long repeated;

  KeyProof(RowSchema contract, boolean occurrences) {
    this.contract = contract;
    this.occurrences = occurrences;
  }

  /**
   * Adds a row. A row that comes again in another fetch may have changed meanwhile; two rows of one
   * fetch are two rows.
   *
   * @param different whether no row of the stream before was the same in every byte
   */
  void add(Stream stream, Row row, int fetch, boolean different) {
    rows += different ? 1 : 0;
    try {
      Integer before = keys.put(List.of(stream, contract.keyOf(row)), fetch);
      if (different && before != null && before == fetch && !occurrences) {
        repeated++;
      }
    } catch (BrokenRowException e) {
      broken.merge(String.valueOf(e.getMessage()), different ? 1L : 0L, Long::sum);
    }
    if (row.kind() == Row.Kind.OBJECT) {
      addCandidates(stream, row, fetch, different);
    }
  }

  private void addCandidates(Stream stream, Row row, int fetch, boolean different) {
    if (different && rows == 1) {
      row.names().list().forEach(name -> candidates.put(FieldName.composed(name), new HashMap<>()));
    }
    candidates
        .entrySet()
        .removeIf(
            each -> !addValue(stream, row, each.getKey(), each.getValue(), fetch) && different);
    if (candidates.size() * rows > MOST_REMEMBERED) {
      unique().stream().skip(MOST_REMEMBERED / rows).forEach(candidates::remove);
    }
  }

  /** Remembers the row's value; returns whether no other row of the fetch has it. */
  private static boolean addValue(
      Stream stream, Row row, String name, Map<Long, Integer> values, int fetch) {
    int field = row.find(name);
    if (field < 0) {
      return false;
    }
    Row.Kind kind = row.kind(field);
    int length = row.end(field) - row.start(field);
    if (kind != Row.Kind.NUMBER && (kind != Row.Kind.STRING || length <= 2)) {
      return false;
    }
    // Two values with one hash cost no more than a candidate.
    long hash = Hashing.xxh3_64().hashBytesToLong(row.bytes(), row.start(field), length);
    Integer before = values.put(hash ^ stream.hashCode(), fetch);
    return before == null || before != fetch;
  }

  /** Estimates from its name how likely a field is a key. */
  private static int likeliness(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.matches(".*id|key")) {
      return 3;
    }
    return lower.matches(".*(number|code|key)") ? 2 : lower.matches(".*(date|time).*") ? 0 : 1;
  }

  /** Fields that every row has and that differ in all rows, the likeliest key first. */
  List<String> unique() {
    return candidates.keySet().stream()
        .sorted(Comparator.comparingInt(KeyProof::likeliness).reversed())
        .toList();
  }
}
