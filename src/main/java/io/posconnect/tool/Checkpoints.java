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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.connect.data.Struct;

/** Follows the checkpoints topic: how far each stream is, as the connector reports it. */
final class Checkpoints {

  /** How far a stream is, by its checkpoints so far. */
  static final class Progress {
    private final Retrieval retrieval;

    /** Up to it all events are in the topic. */
    Numbering numbering = Numbering.beginningAt(0);

    /** When a checkpoint last had an earlier numbering than the one before it. */
    Optional<Instant> wentBack = Optional.empty();

    /** Server time up to which changes are in the topic. */
    Instant completeTo = Instant.MIN;

    /** Server time up to which it was read whole, if it ever was. */
    Optional<Instant> fullTo = Optional.empty();

    /**
     * The same of the whole read before that one, if there was one: a second read confirms deletes
     * where rows shift between pages.
     */
    Optional<Instant> confirmedTo = Optional.empty();

    /**
     * Of the earliest window or increment, if there was one and no checkpoint was removed before.
     */
    Optional<Instant> beginning = Optional.empty();

    /** When the latest checkpoint was written. */
    Instant at = Instant.MIN;

    /** By the latest whole read, or else by the latest read. */
    Duration taken = Duration.ZERO;

    /** Whether a first read by windows has not reached the present. */
    boolean fills;

    /** Whether a first read has emitted every row. */
    boolean filled;

    private Progress(Retrieval retrieval) {
      this.retrieval = retrieval;
    }

    /** Returns whether something complete has the date of a response, in whole seconds. */
    static boolean isAfter(Instant complete, Instant date) {
      return !complete.isBefore(date.plusSeconds(1));
    }
  }

  private static final Set<String> FILLING =
      Set.of(FetchKind.SNAPSHOT.spelling(), FetchKind.BACKFILL.spelling());

  private final String topic;
  private final TopicSource topics;
  private final RecordDecoder decoder;
  private Optional<State> state = Optional.empty();
  private Optional<String> refusal = Optional.empty();
  private final Map<Stream, Progress> progress = new HashMap<>();

  Checkpoints(SourceConfig config, TopicSource topics, RecordDecoder decoder) {
    this.topic = config.topics().checkpoints();
    config
        .streams()
        .forEach(each -> progress.put(each, new Progress(config.resource(each).retrieval())));
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
    return Optional.ofNullable(progress.get(stream)).filter(known -> known.at.isAfter(Instant.MIN));
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
    Progress known = progress.get(stream);
    if (known == null) {
      return;
    }
    Numbering numbering = new Numbering(value.getInt64("seq"), value.getInt64("epoch_ms"));
    known.at = Instant.ofEpochMilli(record.timestamp());
    if (known.numbering.epochMillis() > numbering.epochMillis()) {
      known.wentBack = Optional.of(known.at);
    }
    known.numbering = numbering;
    known.completeTo = time(value, "complete_to").orElseThrow();
    String kind = value.getString("fetch_kind");
    boolean isIncrement = known.retrieval.filtered() && kind.equals(FetchKind.INCREMENT.spelling());
    boolean isFull = known.retrieval.provesAbsence() && !isIncrement;
    if (isFull || known.fullTo.isEmpty()) {
      known.taken = Duration.ofMillis(value.getInt64("duration_ms"));
    }
    if (isFull) {
      known.confirmedTo = known.fullTo;
      known.fullTo = Optional.of(known.completeTo);
    }
    time(value, "window_from")
        .filter(from -> isWhole() && known.beginning.filter(from::isAfter).isEmpty())
        .ifPresent(from -> known.beginning = Optional.of(from));
    known.fills =
        kind.equals(FetchKind.BACKFILL.spelling()) && time(value, "window_to").isPresent();
    known.filled |= FILLING.contains(kind);
  }

  private boolean isWhole() {
    return state.filter(known -> known.cleaned().isEmpty()).isPresent() && refusal.isEmpty();
  }

  @SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
  private static Optional<Instant> time(Struct value, String field) {
    return Optional.ofNullable((Date) value.get(field)).map(Date::toInstant);
  }
}
