package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Stream;
import io.posconnect.tool.TopicSource.ForbiddenException;
import io.posconnect.tool.TopicSource.State;
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

  /**
   * How far a stream is.
   *
   * @param numbering up to which all events are in the topic
   * @param completeTo server time up to which changes are in the topic
   * @param fullTo server time up to which deletes are in the topic, if it was ever read whole
   * @param beginning of the earliest window, if the resource is read in windows and no checkpoint
   *     was removed
   * @param at when the latest checkpoint was written
   * @param filled whether a first read has emitted every row
   */
  record Progress(
      Numbering numbering,
      Instant completeTo,
      Optional<Instant> fullTo,
      Optional<Instant> beginning,
      Instant at,
      boolean filled) {

    /** Returns whether something complete has the date of a response, in whole seconds. */
    static boolean isAfter(Instant complete, Instant date) {
      return !complete.isBefore(date.plusSeconds(1));
    }
  }

  private static final Set<String> FILLING =
      Set.of(FetchKind.SNAPSHOT.spelling(), FetchKind.BACKFILL.spelling());

  private final SourceConfig config;
  private final TopicSource topics;
  private final RecordDecoder decoder;
  private Optional<State> state = Optional.empty();
  private Optional<String> refusal = Optional.empty();
  private final Map<Stream, Progress> progress = new HashMap<>();

  Checkpoints(SourceConfig config, TopicSource topics, RecordDecoder decoder) {
    this.config = config;
    this.topics = topics;
    this.decoder = decoder;
  }

  void update() {
    String topic = config.topics().checkpoints();
    try {
      state = state.or(() -> topics.state(topic));
      topics.read(topic, this::add);
    } catch (ForbiddenException e) {
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
    Optional<Struct> checkpoint = decoder.decode(record.value(), Checkpoint.SCHEMA);
    if (checkpoint.isEmpty() || checkpoint.get().schema().field("complete_to") == null) {
      return;
    }
    Struct value = checkpoint.get();
    Stream stream = new Stream(value.getString("location"), value.getString("resource_name"));
    if (!config.streams().contains(stream)) {
      return;
    }
    Optional<Progress> before = of(stream);
    Instant completeTo = time(value, "complete_to").orElseThrow();
    Optional<Instant> from = time(value, "window_from").filter(time -> isWhole());
    progress.put(
        stream,
        new Progress(
            new Numbering(value.getInt64("seq"), value.getInt64("epoch_ms")),
            completeTo,
            isFull(stream, value.getString("fetch_kind"))
                ? Optional.of(completeTo)
                : before.flatMap(Progress::fullTo),
            before
                .flatMap(Progress::beginning)
                .filter(known -> from.filter(known::isAfter).isEmpty())
                .or(() -> from),
            Instant.ofEpochMilli(record.timestamp()),
            before.map(Progress::filled).orElse(false)
                || FILLING.contains(value.getString("fetch_kind"))));
  }

  private boolean isWhole() {
    return state.filter(known -> !known.compacted() && known.trimmed().isEmpty()).isPresent();
  }

  private boolean isFull(Stream stream, String kind) {
    Retrieval retrieval = config.resource(stream).retrieval();
    boolean isIncrement = retrieval.filtered() && kind.equals(FetchKind.INCREMENT.spelling());
    return retrieval.provesAbsence() && !isIncrement;
  }

  @SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
  private static Optional<Instant> time(Struct value, String field) {
    return Optional.ofNullable((Date) value.get(field)).map(Date::toInstant);
  }
}
