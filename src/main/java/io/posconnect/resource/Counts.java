package io.posconnect.resource;

/**
 * Counts what a fetch does, for its checkpoint and the metrics. A new count is a line of {@link
 * Count} and the place that adds to it. For one thread.
 */
public final class Counts {

  /** What is counted. */
  public enum Count {
    /** Rows. */
    RECEIVED,
    /** Events of new rows. */
    CREATED,
    /** Events of rows in a snapshot or a first backfill. */
    READ,
    /** Events of changed rows. */
    UPDATED,
    /** Events of deleted rows. */
    DELETED,
    /** Rows that changed nothing. */
    SUPPRESSED,
    /** Values that did not fit their declared type. */
    TYPE_MISMATCHES,
    /** Rows that cannot become events. */
    DEAD_LETTERS,
    /** Requests, retries included. */
    REQUESTS,
    RETRIES,
    /** New rows for which the digest has no room. */
    WAITING
  }

  private final long[] counts = new long[Count.values().length];

  public void add(Count what, long number) {
    counts[what.ordinal()] += number;
  }

  public void increment(Count what) {
    counts[what.ordinal()]++;
  }

  public void reset(Count what) {
    counts[what.ordinal()] = 0;
  }

  public long get(Count what) {
    return counts[what.ordinal()];
  }

  /** Returns what was counted since another count of the same things. */
  public Counts since(Counts before) {
    Counts difference = new Counts();
    for (int i = 0; i < counts.length; i++) {
      difference.counts[i] = counts[i] - before.counts[i];
    }
    return difference;
  }

  /** Returns the counts as they are now. */
  public Counts copy() {
    return since(new Counts());
  }
}
