package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Stream;
import io.posconnect.tool.TopicSource.State;
import io.posconnect.tool.TopicSource.UnreadableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.connect.data.Struct;

/** Follows the checkpoints topic: how far each stream is, as the connector reports it. */
final class Checkpoints {

  /**
   * How far a stream is.
   *
   * @param numbering up to which all events are in the topic
   * @param wentBack when a checkpoint last had an earlier numbering than the one before it
   * @param completeTo server time up to which changes are in the topic
   * @param fullTo server time up to which it was read whole, if it ever was
   * @param confirmedTo the same of the whole read before that one, if there was one: a second read
   *     confirms deletes where rows shift between pages
   * @param beginning of the earliest window or increment, if there was one and no checkpoint was
   *     removed
   * @param at when the latest checkpoint was written
   * @param taken by the latest whole read, or else by the latest read
   * @param fills whether a first read by windows has not reached the present
   * @param filled whether a first read has emitted every row
   */
  record Progress(
      Numbering numbering,
      Optional<Instant> wentBack,
      Instant completeTo,
      Optional<Instant> fullTo,
      Optional<Instant> confirmedTo,
      Optional<Instant> beginning,
      Instant at,
      Duration taken,
      boolean fills,
      boolean filled) {

    /** Returns whether something complete has the date of a response, in whole seconds. */
    static boolean isAfter(Instant complete, Instant date) {
      return !complete.isBefore(date.plusSeconds(1));
    }
  }

  private static final Set<String> FILLING =
      Set.of(FetchKind.SNAPSHOT.spelling(), FetchKind.BACKFILL.spelling());

  private final String topic;
  private final Map<Stream, Retrieval> retrievals;
  private final TopicSource topics;
  private final RecordDecoder decoder;
  private Optional<State> state = Optional.empty();
  private Optional<String> refusal = Optional.empty();
  private final Map<Stream, Progress> progress = new HashMap<>();

  Checkpoints(SourceConfig config, TopicSource topics, RecordDecoder decoder) {
    this.topic = config.topics().checkpoints();
    // Once, and not for each of millions of checkpoints.
    this.retrievals =
        config.streams().stream()
            .collect(
                Collectors.toMap(Function.identity(), each -> config.resource(each).retrieval()));
    this.topics = topics;
    this.decoder = decoder;
  }

  void update() {
    try {
      state = state.or(() -> topics.state(topic));
      topics.read(topic, this::add);
    } catch (UnreadableException e) {
      refusal = Optional.ofNullable(e.getMessage());
    }
  }

  /** The reason why a stream has no progress. */
  String absence() {
    return refusal.orElse(
        "There is no checkpoint: the first read is not complete, or retention removed it");
  }

  /** How far a stream is; empty as long as its first read is not complete. */
  Optional<Progress> of(Stream stream) {
    return Optional.ofNullable(progress.get(stream));
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    try {
      decoder
          .decode(record.value(), Checkpoint.SCHEMA)
          .filter(value -> value.schema().field("complete_to") != null)
          .ifPresent(value -> add(record, value));
    } catch (UnreadableException e) {
      refusal = Optional.of(topic + ": " + e.getMessage()); // those behind it may be readable
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record, Struct value) {
    Stream stream = new Stream(value.getString("location"), value.getString("resource_name"));
    Retrieval retrieval = retrievals.get(stream);
    if (retrieval == null) {
      return;
    }
    Optional<Progress> before = of(stream);
    Instant completeTo = time(value, "complete_to").orElseThrow();
    Optional<Instant> from = time(value, "window_from").filter(time -> isWhole());
    String kind = value.getString("fetch_kind");
    boolean isIncrement = retrieval.filtered() && kind.equals(FetchKind.INCREMENT.spelling());
    boolean isFull = retrieval.provesAbsence() && !isIncrement;
    Optional<Instant> fullBefore = before.flatMap(Progress::fullTo);
    Duration taken = Duration.ofMillis(value.getInt64("duration_ms"));
    Numbering numbering = new Numbering(value.getInt64("seq"), value.getInt64("epoch_ms"));
    Instant at = Instant.ofEpochMilli(record.timestamp());
    progress.put(
        stream,
        new Progress(
            numbering,
            before
                .filter(known -> known.numbering().epochMillis() > numbering.epochMillis())
                .map(known -> at)
                .or(() -> before.flatMap(Progress::wentBack)),
            completeTo,
            isFull ? Optional.of(completeTo) : fullBefore,
            isFull ? fullBefore : before.flatMap(Progress::confirmedTo),
            before
                .flatMap(Progress::beginning)
                .filter(known -> from.filter(known::isAfter).isEmpty())
                .or(() -> from),
            at,
            isFull || fullBefore.isEmpty() ? taken : before.map(Progress::taken).orElse(taken),
            kind.equals(FetchKind.BACKFILL.spelling()) && time(value, "window_to").isPresent(),
            before.map(Progress::filled).orElse(false) || FILLING.contains(kind)));
  }

  private boolean isWhole() {
    return state.filter(known -> known.cleaned().isEmpty()).isPresent() && refusal.isEmpty();
  }

  @SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
  private static Optional<Instant> time(Struct value, String field) {
    return Optional.ofNullable((Date) value.get(field)).map(Date::toInstant);
  }
}
