package io.posconnect.offset;

import io.posconnect.change.Image.Vouched;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint's offset says: where a stream stands. Immutable.
 *
 * @param watermark the server time up to which the stream is complete; while a backfill is running,
 *     where it resumes
 * @param snapshot whether the first full read is done
 * @param snapshotId the snapshot that current entries of the digest belong to
 * @param lastReconciliation when the last reconciliation that was acknowledged began, {@link
 *     #NEVER} for none
 * @param vouched what of the digest must be there
 * @param scope what the digest is of; null when a person has set the watermark: then nothing else
 *     is known, and the digest and the configuration decide
 * @param retention whether the digest holds every key or only those of the last window
 * @param maxKeys how many keys the digest could hold when it could not hold every one; 0 while it
 *     holds all
 * @param identity what the location said about itself, as the caller spells it; may be empty
 * @param seq number of the stream's latest event that it vouches for
 * @param epochMillis when that numbering began
 * @param keyNames which of a key's alternative names hold, as the caller spells it; may be empty
 */
public record StreamOffset(
    Instant watermark,
    SnapshotState snapshot,
    String snapshotId,
    Instant lastReconciliation,
    Vouched vouched,
    @Nullable DigestScope scope,
    Retention retention,
    int maxKeys,
    String identity,
    long seq,
    long epochMillis,
    String keyNames) {

  /** The time of a reconciliation that has not been. */
  public static final Instant NEVER = Instant.MIN;

  /**
   * Of the form that is written. A later form says its version under the same name, so that an
   * older build refuses it. A field that an older build may drop needs no other version.
   */
  private static final long VERSION = 1;

  /** How far the first full read is. */
  public enum SnapshotState {
    RUNNING,
    COMPLETED
  }

  /** Which keys a digest holds. */
  public enum Retention {
    FULL,
    WINDOW
  }

  public StreamOffset {
    Objects.requireNonNull(watermark, "watermark is null");
    Objects.requireNonNull(snapshot, "snapshot is null");
    Objects.requireNonNull(snapshotId, "snapshotId is null");
    Objects.requireNonNull(lastReconciliation, "lastReconciliation is null");
    Objects.requireNonNull(vouched, "vouched is null");
    Objects.requireNonNull(retention, "retention is null");
    Objects.requireNonNull(identity, "identity is null");
    Objects.requireNonNull(keyNames, "keyNames is null");
  }

  /** The offset that a person sets by giving a watermark alone. */
  public static StreamOffset rewoundTo(Instant watermark) {
    return new StreamOffset(
        watermark,
        SnapshotState.COMPLETED,
        "",
        NEVER,
        Vouched.NOTHING,
        null,
        Retention.FULL,
        0,
        "",
        0,
        0,
        "");
  }

  /** The beginning of a stream that is read in full. */
  public static StreamOffset start(String snapshotId, DigestScope scope) {
    return rewoundTo(Instant.MIN).withScope(scope).withSnapshot(SnapshotState.RUNNING, snapshotId);
  }

  /** Whether a person set the watermark, so that nothing else is known. */
  public boolean rewound() {
    return scope == null;
  }

  /** Whether the first full read is done. */
  public boolean snapshotted() {
    return snapshot == SnapshotState.COMPLETED;
  }

  public StreamOffset withWatermark(Instant value) {
    return with(draft -> draft.watermark = value);
  }

  public StreamOffset withSnapshot(SnapshotState state, String id) {
    return with(
        draft -> {
          draft.snapshot = state;
          draft.snapshotId = id;
        });
  }

  /** The first full read is done, and counts as a reconciliation that began then. */
  public StreamOffset withSnapshotCompleted(Instant began) {
    return withSnapshot(SnapshotState.COMPLETED, snapshotId).withLastReconciliation(began);
  }

  public StreamOffset withLastReconciliation(Instant value) {
    return with(draft -> draft.lastReconciliation = value);
  }

  public StreamOffset withDigest(Vouched value) {
    return with(draft -> draft.vouched = value);
  }

  public StreamOffset withScope(DigestScope value) {
    return with(draft -> draft.scope = value);
  }

  /** The latest event has that number, in the numbering that began then. */
  public StreamOffset withSeq(long number, long epoch) {
    return with(
        draft -> {
          draft.seq = number;
          draft.epochMillis = epoch;
        });
  }

  public StreamOffset withKeyNames(String value) {
    return with(draft -> draft.keyNames = value);
  }

  /** The digest holds every key. */
  public StreamOffset withFullRetention() {
    return withRetention(Retention.FULL, 0);
  }

  /** The digest holds only the keys of the last window, since it may hold no more than so many. */
  public StreamOffset withWindowRetention(int limit) {
    return withRetention(Retention.WINDOW, limit);
  }

  private StreamOffset withRetention(Retention value, int limit) {
    return with(
        draft -> {
          draft.retention = value;
          draft.maxKeys = limit;
        });
  }

  public StreamOffset withIdentity(String value) {
    return with(draft -> draft.identity = value);
  }

  private StreamOffset with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  /** The parts of an offset while some of them change. */
  private static final class Draft {
    private Instant watermark;
    private SnapshotState snapshot;
    private String snapshotId;
    private Instant lastReconciliation;
    private Vouched vouched;
    private @Nullable DigestScope scope;
    private Retention retention;
    private int maxKeys;
    private String identity;
    private long seq;
    private long epochMillis;
    private String keyNames;

    Draft(StreamOffset offset) {
      watermark = offset.watermark;
      snapshot = offset.snapshot;
      snapshotId = offset.snapshotId;
      lastReconciliation = offset.lastReconciliation;
      vouched = offset.vouched;
      scope = offset.scope;
      retention = offset.retention;
      maxKeys = offset.maxKeys;
      identity = offset.identity;
      seq = offset.seq;
      epochMillis = offset.epochMillis;
      keyNames = offset.keyNames;
    }

    StreamOffset finished() {
      return new StreamOffset(
          watermark,
          snapshot,
          snapshotId,
          lastReconciliation,
          vouched,
          scope,
          retention,
          maxKeys,
          identity,
          seq,
          epochMillis,
          keyNames);
    }
  }

  /** The offset as Connect takes it and a person reads it. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(StreamOffsetFields.WATERMARK, watermark.toString());
    if (scope == null) {
      return map;
    }
    map.put(StreamOffsetFields.VERSION, VERSION);
    map.put(StreamOffsetFields.SNAPSHOT, snapshot.name().toLowerCase(Locale.ROOT));
    map.put(StreamOffsetFields.SNAPSHOT_ID, snapshotId);
    if (!lastReconciliation.equals(NEVER)) {
      map.put(StreamOffsetFields.LAST_RECONCILIATION, lastReconciliation.toString());
    }
    map.put(StreamOffsetFields.DIGEST, StreamOffsetFields.text(vouched));
    map.put(StreamOffsetFields.RETENTION, retention.name().toLowerCase(Locale.ROOT));
    if (retention == Retention.WINDOW) {
      map.put(StreamOffsetFields.MAX_KEYS, (long) maxKeys);
    }
    map.put(StreamOffsetFields.IDENTITY, identity);
    map.put(StreamOffsetFields.SEQ, seq);
    map.put(StreamOffsetFields.EPOCH, epochMillis);
    if (!keyNames.isEmpty()) {
      map.put(StreamOffsetFields.KEY_NAMES, keyNames);
    }
    scope.putAll(map);
    return map;
  }

  /**
   * Reads an offset as Connect gives it; empty when there is none.
   *
   * @throws ConnectException when it is damaged or newer, saying what is wrong and what to do
   */
  public static Optional<StreamOffset> fromMap(Stream stream, @Nullable Map<String, ?> map) {
    if (map == null || map.isEmpty()) {
      return Optional.empty();
    }
    StreamOffsetFields fields = new StreamOffsetFields(stream, map);
    // First of all: nothing else of a newer form may mean what it seems to.
    if (map.containsKey(StreamOffsetFields.VERSION)) {
      fields.expectVersion(VERSION);
    }
    Instant watermark = fields.instant(StreamOffsetFields.WATERMARK);
    if (map.size() == 1) {
      return Optional.of(rewoundTo(watermark));
    }
    fields.expectVersion(VERSION);
    return Optional.of(
        new StreamOffset(
            watermark,
            fields.constant(StreamOffsetFields.SNAPSHOT, SnapshotState.class),
            fields.text(StreamOffsetFields.SNAPSHOT_ID),
            map.containsKey(StreamOffsetFields.LAST_RECONCILIATION)
                ? fields.instant(StreamOffsetFields.LAST_RECONCILIATION)
                : NEVER,
            fields.vouched(StreamOffsetFields.DIGEST),
            DigestScope.of(map),
            fields.constant(StreamOffsetFields.RETENTION, Retention.class),
            map.containsKey(StreamOffsetFields.MAX_KEYS)
                ? fields.count(StreamOffsetFields.MAX_KEYS)
                : 0,
            fields.text(StreamOffsetFields.IDENTITY),
            fields.integer(StreamOffsetFields.SEQ),
            fields.integer(StreamOffsetFields.EPOCH),
            map.containsKey(StreamOffsetFields.KEY_NAMES)
                ? fields.text(StreamOffsetFields.KEY_NAMES)
                : ""));
  }
}
