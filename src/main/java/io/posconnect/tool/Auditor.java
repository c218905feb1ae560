package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import io.posconnect.tool.Checkpoints.Progress;
import io.posconnect.tool.TopicSource.UnreadableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Time;

/**
 * Audits streams, one topic after the other, so that only the keys of one are in memory: reads a
 * topic, then the rows of each of its streams, and asks again about what is not equal, once the
 * connector had the time to read it.
 *
 * @param readers of the service, for each stream
 */
record Auditor(
    SourceConfig config,
    TopicSource topics,
    RecordDecoder decoder,
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

  List<StreamResult> audit(List<Stream> streams) {
    Map<String, List<Stream>> byTopic =
        streams.stream()
            .collect(Collectors.groupingBy(config.topics()::of, TreeMap::new, Collectors.toList()));
    List<StreamResult> results = new ArrayList<>();
    byTopic.forEach(
        (topic, ofTopic) -> {
          try {
            checkpoints.update();
            results.addAll(audit(new TopicRecords(this, ofTopic)));
          } catch (UnreadableException e) {
            ofTopic.forEach(
                each ->
                    results.add(
                        StreamResult.undecided(each, topic, String.valueOf(e.getMessage()))));
          }
        });
    return results;
  }

  private List<StreamResult> audit(TopicRecords records) {
    records.update();
    read(records, stream -> true);
    records.update();
    for (int round = 2; round <= MOST_ROUNDS && records.has(isDue(round)); round++) {
      Predicate<AuditedStream> awaited = isDue(round).and(this::isAwaited);
      await(options.patience(), () -> records.has(awaited), checkpoints::update);
      records.update();
      read(records, isDue(round));
      checkpoints.update();
      records.update();
    }
    // A delete and its tombstone are two records, which come apart where no transaction joins them.
    await(
        Collections.min(List.of(options.patience(), AuditedStream.COMMIT)),
        () -> records.has(stream -> !stream.withoutTombstone.isEmpty()),
        records::update);
    return records.streams.values().stream()
        .map(each -> new Judgement(records, each, checkpoints).result(options.mostListed()))
        .toList();
  }

  /** The second round confirms what is open, the third decides what the second did not. */
  private static Predicate<AuditedStream> isDue(int round) {
    return stream -> stream.isOpen() && (round == 2 || stream.keys.areUndecided());
  }

  private void read(TopicRecords records, Predicate<AuditedStream> which) {
    for (AuditedStream stream : records.streams.values()) {
      if (which.test(stream)) {
        try (StreamReader reader = readers.apply(stream.stream)) {
          stream.read(reader, records.removedTo());
        }
      }
    }
  }

  private static void await(Duration longest, BooleanSupplier missing, Runnable update) {
    Instant deadline = Instant.now().plus(longest);
    update.run(); // what it knows may be as old as the last round was long
    while (missing.getAsBoolean() && Instant.now().isBefore(deadline)) {
      Time.SYSTEM.sleep(POLL_MS);
      update.run();
    }
  }

  /** Until the connector has read what was read here, unless it does not run. */
  private boolean isAwaited(AuditedStream stream) {
    return checkpoints
        .of(stream.stream)
        .filter(progress -> !Progress.isAfter(progress.completeTo, stream.readAt))
        .filter(progress -> Instant.now().isBefore(progress.at.plus(stream.reads(2, progress))))
        .isPresent();
  }
}
