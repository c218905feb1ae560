package io.posconnect.resource;

import io.posconnect.resource.Retrieval.Cycle;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of one stream.
 *
 * @param resource that it reads, with every override applied
 * @param startFrom where a date range's first read begins
 * @param windowMax the longest window of a date range
 * @param reconcileInterval from the start of one reconciliation to the next; zero for never
 * @param reconcileWindow how far back a date range's reconciliation reaches; zero for no
 *     reconciliation
 * @param snapshotId a new value asks for one more snapshot; empty at first
 * @param deletesMaxRatio the share of the known keys above which deletes need a confirming read
 * @param deletesConfirm how long such deletes wait for that read
 * @param digestMaxKeys the most keys that the digest holds
 * @param checkpointInterval the shortest time between two checkpoints of reads that found nothing
 *     new
 * @param rowErrors what happens to a row that cannot be an event
 * @param eventMaxBytes the most that a row may take in an event
 * @param exactlyOnce whether records and offsets commit together; otherwise the first increment
 *     after a start that shows a row emits it
 * @param probeBackoffMax the longest pause between two probes of a suspended stream
 */
public record StreamSettings(
    Stream stream,
    Resource resource,
    StartFrom startFrom,
    Duration windowMax,
    Duration reconcileInterval,
    Duration reconcileWindow,
    String snapshotId,
    double deletesMaxRatio,
    Duration deletesConfirm,
    int digestMaxKeys,
    Duration checkpointInterval,
    RowErrors rowErrors,
    long eventMaxBytes,
    boolean exactlyOnce,
    Duration probeBackoffMax) {

  /** Below this many keys, losing most of them at once is no reason for doubt. */
  public static final int GUARDED_KEYS = 20;

  /**
   * Returns whether so many keys are missing that deletes are held.
   *
   * @param of how many keys those are a part of
   * @param before how many keys there were
   */
  public boolean areTooMany(long missing, long of, long before) {
    return before >= GUARDED_KEYS && missing > deletesMaxRatio * of;
  }

  /** Where the first read begins; empty unless the resource is read in windows of time. */
  public Optional<StartFrom> beginning() {
    return resource.retrieval().cycle() == Cycle.WINDOWS
        ? Optional.of(startFrom)
        : Optional.empty();
  }

  /** How often the stream reconciles beside its increments; zero for never. */
  public Duration reconciliationInterval() {
    boolean never =
        switch (resource.retrieval().cycle()) {
          case FULL_READS -> true;
          case CHANGES_SINCE -> false;
          case WINDOWS -> reconcileWindow.isZero();
        };
    return never ? Duration.ZERO : reconcileInterval;
  }

  public enum RowErrors implements Spelled {
    /** The connector publishes it to the dead-letter topic. */
    DEAD_LETTER,
    FAIL,
    /** It is counted and dropped. */
    SKIP
  }
}
