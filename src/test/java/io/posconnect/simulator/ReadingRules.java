package io.posconnect.simulator;

import java.time.Duration;
import java.util.Optional;

/**
 * How the service answers what the interface does not settle.
 *
 * @param firstPage number of the first page
 * @param maxPageSize of page-based paging; more is refused with 400
 * @param maxKeyPageSize of key-based paging; more is served as this many
 * @param fromInclusive whether a row modified exactly at {@code from} is returned
 * @param toInclusive whether a row modified exactly at {@code to} is returned
 * @param datesRequired whether a date range needs both bounds
 * @param maxSpan the widest date range; a wider one is refused with 400
 */
record ReadingRules(
    int firstPage,
    int maxPageSize,
    int maxKeyPageSize,
    boolean fromInclusive,
    boolean toInclusive,
    boolean datesRequired,
    Optional<Duration> maxSpan) {

  static final ReadingRules DEFAULT =
      new ReadingRules(1, 100, 100, false, false, false, Optional.empty());

  ReadingRules withPages(int first, int max) {
    return new ReadingRules(
        first, max, maxKeyPageSize, fromInclusive, toInclusive, datesRequired, maxSpan);
  }

  ReadingRules withKeyPages(int max) {
    return new ReadingRules(
        firstPage, maxPageSize, max, fromInclusive, toInclusive, datesRequired, maxSpan);
  }

  ReadingRules withBounds(boolean from, boolean to) {
    return new ReadingRules(
        firstPage, maxPageSize, maxKeyPageSize, from, to, datesRequired, maxSpan);
  }

  ReadingRules withDates(boolean required, Optional<Duration> span) {
    return new ReadingRules(
        firstPage, maxPageSize, maxKeyPageSize, fromInclusive, toInclusive, required, span);
  }
}
