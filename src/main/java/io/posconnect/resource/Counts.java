package io.posconnect.resource;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a fetch does, for its checkpoint and the metrics. A new count is a line of {@link
 * Count} and the place that adds to it. Safe for several threads.
 */
public final class Counts {

  /** What is counted. */
  public enum Count {
    /** Rows. */
    RECEIVED,
    /** Events of new rows. */
    CREATED,
    /** Events of rows in a snapshot or a first backfill, or of an earlier snapshot. */
    READ,
    /** Events of changed rows. */
    UPDATED,
    /** Events of deleted rows. */
    DELETED,
    /** Rows without an event: unchanged ones, those in doubt, and those of a baseline. */
    SUPPRESSED,
    /** Values that did not fit their declared type. */
    TYPE_MISMATCHES,
    /** Rows that cannot become events. */
    DEAD_LETTERS,
    /**
     * Requests for rows, retries included. The metrics of requests and retries count a location's.
     */
    REQUESTS,
    RETRIES,
    /** New rows for which the digest has no room. */
    WAITING
  }

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  public Counts() {
    for (Count each : Count.values()) {
      counts.put(each, new LongAdder());
    }
  }

  public void add(Count what, long number) {
    of(what).add(number);
  }

  public void add(Counts others) {
    for (Count each : Count.values()) {
      add(each, others.get(each));
    }
  }

  public void reset(Count what) {
    of(what).reset();
  }

  public long get(Count what) {
    return of(what).sum();
  }

  private LongAdder of(Count what) {
    return Objects.requireNonNull(counts.get(what));
  }

  /** Returns what was counted since another count of the same things. */
  public Counts since(Counts before) {
    Counts difference = copy();
    before.counts.forEach((each, number) -> difference.add(each, -number.sum()));
    return difference;
  }

  /** Returns the counts as they are now. */
  public Counts copy() {
    Counts copy = new Counts();
    copy.add(this);
    return copy;
  }
}
