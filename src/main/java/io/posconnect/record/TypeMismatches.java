package io.posconnect.record;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Counts the values that did not fit the type that the contract declares. For one thread. */
public final class TypeMismatches {

  private final Map<String, Long> byField = new TreeMap<>();
  private long total;

  void count(String field, int times) {
    byField.merge(field, (long) times, Long::sum);
    total += times;
  }

  /** All of them since the beginning. */
  public long total() {
    return total;
  }

  /** How many each declared field had; fields without any are absent. */
  public Map<String, Long> byField() {
    return Collections.unmodifiableMap(byField);
  }
}
