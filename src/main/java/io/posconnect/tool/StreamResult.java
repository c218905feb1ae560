package io.posconnect.tool;

import io.posconnect.problem.Incident;
import io.posconnect.resource.Stream;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.Checkpoints.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an audit found out about one stream.
 *
 * @param incident that kept the service from being read
 * @param hasTopic whether the topic exists
 * @param counts of keys, by outcome
 * @param progress as the latest checkpoint reports it; empty without a checkpoint
 * @param numbers of the events
 * @param undecodable records that are no events of the stream
 * @param unreadable rows of the service whose key cannot be read
 * @param absence whether the rows were read that show which keys are gone
 * @param differences the first ones
 */
record StreamResult(
    Stream stream,
    String topic,
    Optional<Incident> incident,
    boolean hasTopic,
    Map<Outcome, Long> counts,
    Optional<Progress> progress,
    Optional<EventNumbers.Verdict> numbers,
    long undecodable,
    long unreadable,
    boolean absence,
    List<Difference> differences) {

  /**
   * One key.
   *
   * @param fields in which the contents differ, the first ones
   * @param moreFields how many more there are
   * @param age how long the difference may exist
   */
  record Difference(
      Outcome outcome, String key, List<FieldDifference> fields, int moreFields, Age age) {
    private static final int MOST_FIELDS = 20;

    Difference(Outcome outcome, String key, List<FieldDifference> fields, Age age) {
      this(
          outcome,
          key,
          fields.subList(0, Math.min(fields.size(), MOST_FIELDS)),
          Math.max(0, fields.size() - MOST_FIELDS),
          age);
    }
  }

  /** The forms of a field's value, or the values where they may be shown. */
  record FieldDifference(String name, String topic, String service) {}

  /**
   * How old a difference can be.
   *
   * @param atMost the time since the stream was complete; empty without a checkpoint
   * @param readSince whether the connector has read the service since the difference was seen
   */
  record Age(Optional<Duration> atMost, boolean readSince) {}

  enum Verdict {
    EQUAL,
    DIFFERENT,
    /** Rows changed faster than they could be compared, or no checkpoint vouches for events. */
    UNDECIDED,
    UNREAD
  }

  long count(Outcome outcome) {
    return counts.getOrDefault(outcome, 0L);
  }

  /** Number of keys that differ. */
  long different() {
    if (incident.isPresent()) {
      return 0;
    }
    return count(Outcome.MISSING)
        + count(Outcome.DIFFERENT)
        + (absence ? count(Outcome.PHANTOM) : 0);
  }

  /** Number of keys that differ and are not listed. */
  long leftOut() {
    return different() - differences.size();
  }

  Verdict verdict() {
    if (incident.isPresent()) {
      return Verdict.UNREAD;
    }
    if (different() > 0 || undecodable > 0 || numbers.filter(n -> !n.isComplete()).isPresent()) {
      return Verdict.DIFFERENT;
    }
    return count(Outcome.UNDECIDED) > 0 || numbers.isEmpty() ? Verdict.UNDECIDED : Verdict.EQUAL;
  }
}
