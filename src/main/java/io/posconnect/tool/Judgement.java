package io.posconnect.tool;

import io.posconnect.problem.Text;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.StreamSettings;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.Checkpoints.Progress;
import io.posconnect.tool.EventNumbers.Gaps;
import io.posconnect.tool.StreamResult.Difference;
import io.posconnect.tool.StreamResult.Finding;
import io.posconnect.tool.TopicSource.State;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges what an audit saw of one stream. What differs is a fault only if the connector has read
 * the service since, or should have: changes are due with the next checkpoint, deletes of a
 * filtered resource with the next reconciliation.
 */
final class Judgement {

  /** Connect's producers keep no transaction open for longer, unless they are told to. */
  private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(70);

  private static final Map<Outcome, String> NOT_COMPARED =
      new EnumMap<>(
          Map.of(
              Outcome.UNDECIDED,
              "that changed at each read",
              Outcome.REMOVED,
              "missing in the topic, whose events retention or DeleteRecords may have removed",
              Outcome.SCATTERED,
              "in two partitions: which row a consumer reads last is chance. The topic's number of"
                  + " partitions or its key.converter was changed, and only a new topic or prefix"
                  + " cures it"));

  private static final String WENT_BACK =
      "The numbering went back at %s: another connector writes rows of the same location to this"
          + " topic, or older offsets were restored";

  private static final String UNNUMBERED =
      "without a number in their headers: whether others are missing cannot be seen. Do not set"
          + " header.converter, and let no transform drop headers";

  private final TopicRecords records;
  private final AuditedStream stream;
  private final Checkpoints checkpoints;
  private final StreamSettings settings;
  private final Optional<Progress> progress;
  private final Map<Outcome, Long> counts;
  private final Instant now = Instant.now();
  private final List<Finding> findings = new ArrayList<>();

  /** Whether readers of the topic do not see all of its events. */
  private boolean hides;

  /** Server time up to which every change that is due is in the topic, if nothing is wrong. */
  private Instant comparedTo;

  /**
   * @param checkpoints of the connector, read before the topic's end
   */
  Judgement(TopicRecords records, AuditedStream stream, Checkpoints checkpoints) {
    this.records = records;
    this.stream = stream;
    this.checkpoints = checkpoints;
    this.settings = stream.settings;
    this.progress = checkpoints.of(stream.stream);
    this.counts = stream.incident.isEmpty() ? stream.keys.counts() : Map.of();
    this.comparedTo = stream.beganAt;
  }

  StreamResult result(int mostListed) {
    topic();
    rows();
    Optional<Gaps> gaps = numbers();
    if (!stream.isWhole) {
      add(Verdict.EQUAL, "Only rows since %s were compared".formatted(shown(stream.start)));
    }
    boolean isMendable =
        !hides
            && progress.filter(each -> each.fills).isEmpty()
            && records.unreadable == 0
            && !stream.defects().containsKey(AuditedStream.UNREADABLE);
    List<Difference> differences =
        stream.incident.isEmpty() ? new Differences(stream, records).first(mostListed) : List.of();
    return new StreamResult(
        stream.stream, records.topic, counts, gaps, comparedTo, isMendable, findings, differences);
  }

  private void add(Verdict verdict, String text) {
    findings.add(new Finding(verdict, text + "."));
  }

  private void addCount(Verdict verdict, long count, String noun, String rest) {
    if (count > 0) {
      add(verdict, Text.count(count, noun) + " " + rest);
    }
  }

  private long count(Outcome outcome) {
    return counts.getOrDefault(outcome, 0L);
  }

  /** What is wrong with the topic, rather than with the stream. */
  private void topic() {
    records.state.map(State::open).orElse(Map.of()).forEach(this::transaction);
    if (records.state.isEmpty()) {
      add(Verdict.EQUAL, "There is no topic " + records.topic);
    }
    addCount(Verdict.DIFFERENT, records.unreadable, "record", "of the topic without an event");
    records.foreign.forEach(
        (name, count) ->
            addCount(
                Verdict.EQUAL,
                count,
                "event",
                "of location " + name + ", which does not write to it"));
  }

  private void transaction(int partition, Instant latest) {
    if (latest.isBefore(records.asked.minus(LONGEST_TRANSACTION))) {
      hides = true;
      String text = "Partition %s has an open transaction since %s: readers see nothing behind it";
      add(Verdict.NOT_DECIDED, text.formatted(partition, shown(latest)));
    }
  }

  private void rows() {
    progress
        .flatMap(each -> each.wentBack)
        .ifPresent(time -> add(Verdict.EQUAL, WENT_BACK.formatted(shown(time))));
    // Without the remedy, which is the connector's.
    stream.incident.ifPresent(e -> add(Verdict.NOT_DECIDED, e.code() + " " + e.observed()));
    if (mayHaveOtherSalt()) {
      add(Verdict.NOT_DECIDED, "No key is equal: the salt differs, or hash.fields do");
      return;
    }
    Optional<Instant> read = progress.map(each -> each.completeTo);
    Optional<Instant> due = progress.map(each -> each.completeTo.plus(stream.reads(2, each)));
    late(Outcome.DIFFERENT, "different in the topic", read, due);
    late(Outcome.MISSING, "missing in the topic", read, due);
    phantoms();
    String before = "not in the topic: from before the baseline, and unchanged since";
    addCount(Verdict.EQUAL, count(Outcome.BASELINE), "key", before);
    NOT_COMPARED.forEach((each, text) -> addCount(Verdict.NOT_DECIDED, count(each), "key", text));
    boolean isAlone =
        stream.incident.isEmpty()
            && EnumSet.of(Outcome.BROKEN, Outcome.IGNORED).containsAll(counts.keySet());
    addCount(
        isAlone ? Verdict.NOT_DECIDED : Verdict.EQUAL,
        count(Outcome.BROKEN) + stream.unreadable,
        "row",
        "of the service cannot be an event (dead letter)"
            + (isAlone ? ", and no other row was there to compare" : ""));
    stream.defects().forEach((text, n) -> addCount(Verdict.DIFFERENT, n, "record", text));
  }

  /** With another salt, either every key differs, or every row does. */
  private boolean mayHaveOtherSalt() {
    long absent = count(Outcome.MISSING) + count(Outcome.REMOVED) + count(Outcome.BASELINE);
    return stream.privacy.hashes()
        && count(Outcome.EQUAL) == 0
        && count(Outcome.DIFFERENT) + Math.min(absent, count(Outcome.PHANTOM)) > 0;
  }

  /** Only a read of all rows finds what is gone. */
  private void phantoms() {
    String what = "in the topic, but not at the service";
    Retrieval retrieval = settings.resource().retrieval();
    boolean never = retrieval.filtered() && settings.reconcileInterval().isZero();
    if (!retrieval.provesAbsence() || never) {
      String why = what + ": deletes of this resource are never told";
      addCount(Verdict.NEVER_TOLD, count(Outcome.PHANTOM), "key", why);
      return;
    }
    boolean confirms = retrieval.shifting() || retrieval.shiftingIncrements();
    late(
        Outcome.PHANTOM,
        what,
        progress.flatMap(each -> confirms ? each.confirmedTo : each.fullTo),
        progress.flatMap(each -> each.fullTo.map(to -> to.plus(untilTold(confirms, each)))));
  }

  /**
   * The time from the last whole read until a delete is told.
   *
   * @param confirms whether a second read must confirm it
   */
  private Duration untilTold(boolean confirms, Progress last) {
    return settings.resource().retrieval().filtered()
        // After a start, a reconciliation waits one lookback.
        ? settings
            .reconcileInterval()
            .plus(settings.resource().lookback())
            .plus(settings.deletesConfirm())
            .plus(last.taken.multipliedBy(confirms ? 2 : 1))
        : stream.reads(confirms ? 3 : 2, last);
  }

  /**
   * Judges keys that differ.
   *
   * @param read server time up to which the connector has read what would show it
   * @param due server time at which it has read again
   */
  private void late(Outcome outcome, String what, Optional<Instant> read, Optional<Instant> due) {
    if (count(outcome) == 0) {
      return;
    }
    String keys = "%s %s".formatted(Text.count(count(outcome), "key"), what);
    Instant to = read.orElse(Instant.MIN);
    if (hides) {
      add(Verdict.NOT_DECIDED, keys + "; the open transaction may hide their events");
    } else if (read.isEmpty() || due.isEmpty()) {
      add(Verdict.NOT_DECIDED, keys + "; no checkpoint shows whether the connector has read that");
    } else if (Progress.isAfter(to, stream.seenAt)) {
      if (outcome == Outcome.PHANTOM && mayBeHeld()) {
        add(Verdict.NOT_DECIDED, keys + "; such deletes may be held (POS-502, POS-504)");
      } else {
        add(Verdict.DIFFERENT, keys + ", though the connector has read the service since");
      }
    } else if (progress.filter(each -> each.fills).isPresent()) {
      String reached = "; the first read is not complete, and has reached " + shown(to);
      add(Verdict.NOT_DECIDED, keys + reached);
    } else {
      boolean isDue = !now.isBefore(due.get());
      comparedTo = to.isBefore(comparedTo) ? to : comparedTo;
      add(
          isDue ? Verdict.DIFFERENT : Verdict.NOT_DUE_YET,
          "%s. The connector has read up to %s; %s due by %s"
              .formatted(keys, shown(to), isDue ? "more was" : "the rest is", shown(due.get())));
    }
  }

  /** Returns whether the connector may hold deletes of so many keys, or beside unreadable rows. */
  private boolean mayBeHeld() {
    long gone = count(Outcome.PHANTOM);
    long keys = gone + count(Outcome.EQUAL) + count(Outcome.DIFFERENT);
    return stream.unreadable > 0 || settings.areTooMany(gone, keys, keys);
  }

  static String shown(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private Optional<Gaps> numbers() {
    if (stream.numbers.isEmpty()) {
      add(Verdict.NOT_DECIDED, checkpoints.absence());
    }
    addCount(Verdict.NOT_DECIDED, stream.unnumbered, "event", UNNUMBERED);
    // Of numbers that cannot be read, all would seem to be lost.
    Optional<Gaps> gaps =
        stream
            .numbers
            .filter(any -> stream.unnumbered == 0)
            .map(all -> all.gaps(records.state.map(State::cleaned).orElse(Set.of())));
    gaps.ifPresent(this::numbers);
    return gaps;
  }

  private void numbers(Gaps numbers) {
    // Events of rows that are compared may have been removed with the beginning of the topic.
    boolean trimmed = stream.start.isBefore(records.removedTo());
    String lost = "missing up to %s: %s".formatted(numbers.upTo(), numbers.lost());
    Verdict ofLost = hides ? Verdict.NOT_DECIDED : Verdict.DIFFERENT;
    addCount(ofLost, numbers.lost().count(), "event number", lost);
    if (settings.exactlyOnce()) {
      String twice =
          "twice: %s. Each comes once, unless offsets were restored or delivery was at least once"
              .formatted(numbers.twice());
      addCount(Verdict.NOT_DECIDED, numbers.twice().count(), "number", twice);
    }
    addCount(
        trimmed ? Verdict.NOT_DECIDED : Verdict.EQUAL,
        numbers.removed(),
        "event",
        "up to %s may have been removed by %s"
            .formatted(
                numbers.upTo(),
                trimmed ? "retention or DeleteRecords" : "compaction or retention"));
  }
}
