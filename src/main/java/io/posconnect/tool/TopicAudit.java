package io.posconnect.tool;

import io.posconnect.resource.Retrieval.Cycle;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.Stream;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.Checkpoints.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Time;

/**
 * Audits the streams of one topic: reads the topic, then the rows of each stream, and asks again
 * about what is not equal, once the connector had the time to read it.
 *
 * @param checkpoints that were read before the topic
 */
record TopicAudit(
    TopicRecords records,
    Checkpoints checkpoints,
    Function<Stream, StreamReader> readers,
    Options options) {

  private static final int MOST_ROUNDS = 3;
  private static final long POLL_MS = 500;

  /**
   * What a person asked for.
   *
   * @param since where date ranges begin; empty for where the connector began
   * @param patience the longest wait for the connector to read on
   * @param mostListed differences of a stream
   */
  record Options(Optional<Instant> since, Duration patience, int mostListed) {}

  List<StreamResult> run() {
    records.update();
    // Only now: the checkpoints that come later vouch for events that come later.
    Map<Stream, Optional<EventNumbers.Gaps>> numbers = new HashMap<>();
    for (AuditedStream each : records.streams()) {
      numbers.put(each.stream, each.numbers.map(all -> all.gaps(records.cleaned())));
    }
    read(stream -> true);
    records.update();
    for (int round = 2; round <= MOST_ROUNDS && any(isDue(round)); round++) {
      await(isDue(round));
      records.update();
      read(isDue(round));
      records.update();
    }
    return records.streams().stream()
        .map(each -> result(each, numbers.getOrDefault(each.stream, Optional.empty())))
        .toList();
  }

  private boolean any(Predicate<AuditedStream> condition) {
    return records.streams().stream().anyMatch(condition);
  }

  /** The second round confirms what is open, the third decides what the second did not. */
  private static Predicate<AuditedStream> isDue(int round) {
    return stream -> stream.isOpen() && (round == 2 || stream.keys.areUndecided());
  }

  private void read(Predicate<AuditedStream> which) {
    for (AuditedStream stream : records.streams()) {
      if (which.test(stream)) {
        try (StreamReader reader = readers.apply(stream.stream)) {
          stream.read(reader, start(stream), records.removedTo(), isWhole(stream));
        }
      }
    }
  }

  /** Returns whether every row is read that the topic may have. */
  private boolean isWhole(AuditedStream stream) {
    return stream.settings.resource().retrieval().cycle() != Cycle.WINDOWS
        || (options.since().isEmpty() && beginning(stream).isPresent());
  }

  /** Where the stream began; empty where neither a checkpoint nor the configuration has it. */
  private Optional<Instant> beginning(AuditedStream stream) {
    Optional<Instant> configured =
        Optional.of(stream.settings.startFrom())
            .filter(StartFrom.Fixed.class::isInstance)
            .map(fixed -> fixed.resolve(Instant.now()));
    return checkpoints.of(stream.stream).flatMap(Progress::beginning).or(() -> configured);
  }

  /** Where dates begin. */
  private Instant start(AuditedStream stream) {
    return options
        .since()
        .or(() -> beginning(stream))
        .orElseGet(() -> stream.settings.startFrom().resolve(Instant.now()));
  }

  /** Waits until the connector has read what was read here, unless it does not run. */
  private void await(Predicate<AuditedStream> which) {
    Instant deadline = Instant.now().plus(options.patience());
    while (any(which.and(stream -> isAwaited(stream, deadline)))) {
      Time.SYSTEM.sleep(POLL_MS);
      checkpoints.update();
    }
  }

  private boolean isAwaited(AuditedStream stream, Instant deadline) {
    Instant now = Instant.now();
    Optional<Progress> progress = checkpoints.of(stream.stream);
    return now.isBefore(deadline)
        && progress.isPresent()
        && !Progress.isAfter(progress.get().completeTo(), stream.readAt)
        && now.isBefore(progress.get().at().plus(stream.nextCheckpoint()));
  }

  private StreamResult result(AuditedStream stream, Optional<EventNumbers.Gaps> numbers) {
    boolean isRead = stream.incident.isEmpty();
    Map<Outcome, Long> counts = isRead ? stream.keys.counts() : Map.of();
    Judgement judgement = new Judgement(stream, checkpoints.of(stream.stream), counts);
    judgement.rows();
    numbers.ifPresentOrElse(
        each -> judgement.numbers(each, isRemoved(stream)),
        () -> judgement.add(Verdict.NOT_DECIDED, checkpoints.absence()));
    records.report(judgement);
    if (!isWhole(stream)) {
      String since = Judgement.shown(start(stream));
      judgement.add(Verdict.EQUAL, "Only rows since %s were compared".formatted(since));
    }
    return new StreamResult(
        stream.stream,
        records.topic(),
        counts,
        numbers,
        judgement.comparedTo,
        judgement.findings,
        isRead ? new Differences(stream, records).first(options.mostListed()) : List.of());
  }

  /** Returns whether events of rows that are compared may have been removed. */
  private boolean isRemoved(AuditedStream stream) {
    return start(stream).isBefore(records.removedTo());
  }
}
