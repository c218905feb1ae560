package io.posconnect.tool;

import io.posconnect.resource.Stream;
import io.posconnect.tool.AuditedKeys.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an audit found out about one stream.
 *
 * @param counts of keys, by outcome; none if the service was not read
 * @param numbers of the events; empty without a checkpoint, and where they cannot be read
 * @param comparedTo server time up to which the comparison covers changes
 * @param mendable whether the connector would write its missing rows once more where readers find
 *     them; also not while it writes them for the first time
 * @param findings that decide the verdict, and remarks
 * @param differences the first ones
 */
record StreamResult(
    Stream stream,
    String topic,
    Map<Outcome, Long> counts,
    Optional<EventNumbers.Gaps> numbers,
    Instant comparedTo,
    boolean mendable,
    List<Finding> findings,
    List<Difference> differences) {

  /**
   * A sentence about the stream.
   *
   * @param verdict that the stream has if nothing outweighs it; {@link Verdict#EQUAL} for a remark
   */
  record Finding(Verdict verdict, String text) {}

  /**
   * One key.
   *
   * @param fields the names of those that differ
   */
  record Difference(Outcome outcome, String key, List<String> fields) {}

  /** A stream that was not compared. */
  static StreamResult undecided(Stream stream, String topic, String reason) {
    Finding finding = new Finding(Verdict.NOT_DECIDED, reason + ".");
    return new StreamResult(
        stream, topic, Map.of(), Optional.empty(), Instant.MIN, false, List.of(finding), List.of());
  }

  long count(Outcome outcome) {
    return counts.getOrDefault(outcome, 0L);
  }

  /** Number of keys that are not equal. */
  long unequal() {
    return Outcome.UNEQUAL.stream().mapToLong(this::count).sum();
  }

  /** Number of keys that are not equal and not listed. */
  long leftOut() {
    return unequal() - differences.size();
  }

  Verdict verdict() {
    return Verdict.of(findings.stream().map(Finding::verdict));
  }

  /** Server time up to which every change that is due is in the topic; empty if it is not known. */
  Optional<Instant> verifiedThrough() {
    return Optional.of(comparedTo)
        .filter(time -> verdict().exit == ExitCode.OK && time.isAfter(Instant.MIN));
  }
}
