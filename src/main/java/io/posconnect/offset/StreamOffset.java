package io.posconnect.offset;

import io.posconnect.change.Image.Vouched;
import io.posconnect.offset.Snapshot.State;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * The position of a stream, which is the offset of a checkpoint. Immutable.
 *
 * @param watermark the server time up to which the stream is complete; while a backfill is running,
 *     where it resumes
 * @param lastReconciliation when the last acknowledged reconciliation began, {@link #NEVER} for
 *     none
 * @param vouched the part of the digest that must be stored
 * @param suspects the rows whose key cannot be read, and which keys they may be, as the caller
 *     spells it; may be empty
 * @param context the state of the stream at the checkpoint
 */
public record StreamOffset(
    Instant watermark,
    Instant lastReconciliation,
    Vouched vouched,
    String suspects,
    StreamContext context) {

  /** The time of a reconciliation that has not been. */
  public static final Instant NEVER = Instant.MIN;

  /**
   * Of the form that is written. A later form has its version under the same name, so that an older
   * build refuses it. A field that an older build may drop needs no other version.
   */
  private static final long VERSION = 2;

  /** The beginning of a stream that is read in full. */
  public static StreamOffset start(StreamContext context) {
    return new StreamOffset(Instant.MIN, NEVER, Vouched.NOTHING, "", context);
  }

  /** Returns whether the first full read is complete. */
  public boolean snapshotted() {
    return !context.snapshot().runs();
  }

  public StreamOffset withWatermark(Instant value) {
    return new StreamOffset(value, lastReconciliation, vouched, suspects, context);
  }

  public StreamOffset withLastReconciliation(Instant value) {
    return new StreamOffset(watermark, value, vouched, suspects, context);
  }

  public StreamOffset withDigest(Vouched value) {
    return new StreamOffset(watermark, lastReconciliation, value, suspects, context);
  }

  public StreamOffset withSuspects(String value) {
    return new StreamOffset(watermark, lastReconciliation, vouched, value, context);
  }

  public StreamOffset withContext(UnaryOperator<StreamContext> change) {
    return new StreamOffset(
        watermark, lastReconciliation, vouched, suspects, change.apply(context));
  }

  public StreamOffset withIdentity(String value) {
    return withContext(before -> before.withIdentity(value));
  }

  /** The first full read is complete, and counts as a reconciliation that began then. */
  public StreamOffset withSnapshotCompleted(Instant began) {
    return withContext(before -> before.withSnapshot(before.snapshot().in(State.COMPLETED)))
        .withLastReconciliation(began);
  }

  /** The offset of that stream as Connect takes it and a person reads it. */
  public Map<String, Object> toMap(Stream stream) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(StreamOffsetFields.WATERMARK, watermark.toString());
    map.put(StreamOffsetFields.VERSION, VERSION);
    map.put(StreamOffsetFields.SNAPSHOT, context.snapshot().state().spelling());
    map.put(StreamOffsetFields.SNAPSHOT_ID, context.snapshot().id());
    if (context.snapshot().hasStart()) {
      map.put(StreamOffsetFields.START_FROM, context.snapshot().start().toString());
    }
    if (!lastReconciliation.equals(NEVER)) {
      map.put(StreamOffsetFields.LAST_RECONCILIATION, lastReconciliation.toString());
    }
    map.put(StreamOffsetFields.DIGEST, StreamOffsetFields.text(vouched));
    if (!suspects.isEmpty()) {
      map.put(StreamOffsetFields.SUSPECTS, suspects);
    }
    map.put(StreamOffsetFields.IDENTITY, context.identity());
    map.put(StreamOffsetFields.SEQ, context.numbering().seq());
    map.put(StreamOffsetFields.EPOCH, context.numbering().epochMillis());
    if (!context.damaged().isEmpty()) {
      map.put(StreamOffsetFields.DAMAGED, context.damaged());
    }
    context.scope().put(map);
    map.put(DigestScope.CONTRACT, context.scope().contract());
    map.put(StreamOffsetFields.CHECKSUM, StreamOffsetFields.checksum(stream, map));
    return map;
  }

  /** Reads the watermark that a person has set; empty when Connect gives anything else. */
  public static Optional<Instant> rewoundTo(Stream stream, @Nullable Map<String, ?> map) {
    return map != null && map.size() == 1 && map.containsKey(StreamOffsetFields.WATERMARK)
        ? Optional.of(new StreamOffsetFields(stream, map).instant(StreamOffsetFields.WATERMARK))
        : Optional.empty();
  }

  /**
   * Reads an offset as Connect gives it; empty when there is none, or only a watermark, see {@link
   * #rewoundTo}.
   *
   * @throws ConnectException when it is damaged or newer; the message states the fault and the
   *     remedy
   */
  public static Optional<StreamOffset> fromMap(Stream stream, @Nullable Map<String, ?> map) {
    if (map == null || map.isEmpty() || rewoundTo(stream, map).isPresent()) {
      return Optional.empty();
    }
    StreamOffsetFields fields = new StreamOffsetFields(stream, map);
    fields.expectVersion(VERSION); // First: nothing else of a newer form may mean what it seems to.
    fields.expectIntact();
    return Optional.of(
        new StreamOffset(
            fields.instant(StreamOffsetFields.WATERMARK),
            fields.instantOrNever(StreamOffsetFields.LAST_RECONCILIATION),
            fields.vouched(StreamOffsetFields.DIGEST),
            fields.textOrEmpty(StreamOffsetFields.SUSPECTS),
            new StreamContext(
                Snapshot.parse(
                        fields.text(StreamOffsetFields.SNAPSHOT_ID),
                        fields.state(StreamOffsetFields.SNAPSHOT))
                    .since(fields.instantOrNever(StreamOffsetFields.START_FROM)),
                DigestScope.of(map).under(fields.textOrEmpty(StreamOffsetFields.KEY_NAMES)),
                new Numbering(
                    fields.integer(StreamOffsetFields.SEQ),
                    fields.integer(StreamOffsetFields.EPOCH)),
                fields.text(StreamOffsetFields.IDENTITY),
                fields.textOrEmpty(StreamOffsetFields.DAMAGED))));
  }
}
