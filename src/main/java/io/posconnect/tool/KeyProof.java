package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.RowSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds which fields tell the rows of one stream apart, and tries the key that is configured. What
 * it remembers is bounded: fields that would need more room are given up.
 */
final class KeyProof {

  private static final int MOST_REMEMBERED = 2_000_000;

  private final RowSchema contract;
  private final boolean occurrences;
  private final Map<String, Integer> keys = new HashMap<>();
  private final Map<String, Long> broken = new TreeMap<>();
  private final Map<String, Map<Long, Integer>> candidates =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private long rows;
  private long repeated;

  KeyProof(RowSchema contract, boolean occurrences) {
    this.contract = contract;
    this.occurrences = occurrences;
  }

  /**
   * Takes in a row. One that comes again in another fetch may have changed since; two of one fetch
   * are two rows.
   *
   * @param different whether no row before was the same in every byte
   */
  void add(Row row, int fetch, boolean different) {
    rows += different ? 1 : 0;
    try {
      Integer before = keys.put(contract.keyOf(row).toString(), fetch);
      if (different && before != null && before == fetch && !occurrences) {
        repeated++;
      }
    } catch (BrokenRowException e) {
      broken.merge(String.valueOf(e.getMessage()), different ? 1L : 0L, Long::sum);
    }
    if (row.kind() == Row.Kind.OBJECT) {
      addCandidates(row, fetch, different);
    }
  }

  private void addCandidates(Row row, int fetch, boolean different) {
    if (different && rows == 1) {
      for (int i = 0; i < row.size(); i++) {
        candidates.put(row.name(i), new HashMap<>());
      }
    }
    candidates
        .entrySet()
        .removeIf(field -> !tells(row, field.getKey(), field.getValue(), fetch) && different);
    while (candidates.size() * rows > MOST_REMEMBERED) {
      giveUpOne();
    }
  }

  /** Whether the row has a value there that no other row of the fetch has. */
  private boolean tells(Row row, String name, Map<Long, Integer> values, int fetch) {
    int field = row.find(name);
    boolean identifies =
        field >= 0
            && switch (row.kind(field)) {
              case STRING -> row.end(field) - row.start(field) > 2;
              case NUMBER -> true;
              case OBJECT, ARRAY, BOOLEAN, NULL -> false;
            };
    if (!identifies) {
      return false;
    }
    Integer before = values.put(hash(JsonText.of(row, field)), fetch);
    return before == null || before != fetch;
  }

  /** Two values with one hash only cost a candidate. */
  private static long hash(JsonText value) {
    long hash = value.kind().name().hashCode() - 3750763034362895579L;
    byte[] json = value.bytes();
    for (int i = value.start(); i < value.end(); i++) {
      hash = (hash ^ json[i]) * 1099511628211L;
    }
    return hash;
  }

  private void giveUpOne() {
    String least =
        candidates.keySet().stream()
            .reduce((a, b) -> likeliness(a) < likeliness(b) ? a : b)
            .orElseThrow();
    candidates.remove(least);
  }

  /** How much a name sounds like that of a key. */
  static int likeliness(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith("id") || lower.equals("key") || lower.endsWith("uuid")) {
      return 3;
    }
    if (lower.endsWith("number") || lower.endsWith("code") || lower.endsWith("key")) {
      return 2;
    }
    return lower.contains("date") || lower.contains("time") ? 0 : 1;
  }

  long rows() {
    return rows;
  }

  /** Rows whose configured key another, different row has. */
  long repeated() {
    return repeated;
  }

  /** Why rows have no configured key, and how many. */
  Map<String, Long> broken() {
    return broken;
  }

  /** Fields that every row has and no two rows have the same value in. */
  List<String> unique() {
    return new ArrayList<>(candidates.keySet());
  }
}
