package io.posconnect.task;

import io.posconnect.change.Digest;
import io.posconnect.offset.DigestCodec.Context;
import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.SnapshotId;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.Retention;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.Restart;
import io.posconnect.task.OffsetLoader.Wanted;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how one stream goes on: where it was, or with another snapshot, which emits everything
 * once more.
 *
 * <p>The latest snapshot is known from the position or from the newest segment of the digest,
 * whichever is later: a position is written when a snapshot's first fetch is complete, and after a
 * reset or a rewind by hand there is none.
 */
final class Resumption {

  private static final Logger log = LoggerFactory.getLogger(Resumption.class);

  private final Stream stream;
  private final Wanted wanted;
  private final @Nullable StreamOffset position;
  private final Restored restored;
  private final Function<String, Digest> digest;

  // What was so when the latest record was written; null when there is none.
  private final @Nullable Context latest;

  /**
   * @param digest gives what was said, within the snapshot of that id
   */
  Resumption(
      Wanted wanted,
      Optional<StreamOffset> position,
      Restored restored,
      Function<String, Digest> digest) {
    this.digest = digest;
    this.stream = wanted.stream();
    this.wanted = wanted;
    this.position = position.orElse(null);
    this.restored = restored;
    this.latest = latest(position.filter(p -> !p.rewound()), restored.newest());
  }

  private static @Nullable Context latest(
      Optional<StreamOffset> position, Optional<Context> newest) {
    Context ofPosition = position.map(Resumption::context).orElse(null);
    Context ofDigest = newest.orElse(null);
    if (ofPosition == null || ofDigest == null) {
      return ofPosition == null ? ofDigest : ofPosition;
    }
    if (SnapshotId.parse(ofDigest.snapshotId())
        .isAfter(SnapshotId.parse(ofPosition.snapshotId()))) {
      return ofDigest;
    }
    // Within one snapshot the position knows whether it is complete.
    return ofPosition;
  }

  /** Where the numbering of events goes on. */
  private record Numbering(long seq, long epochMillis) {}

  /**
   * Exactly once the newest segment knows the latest event. At least once it may be ahead of one
   * that was never written, so numbers are given again rather than left out: from the latest
   * checkpoint, or in a new epoch.
   */
  private Numbering numbering(long now) {
    Numbering ofPosition =
        position == null || position.rewound()
            ? new Numbering(0, 0)
            : new Numbering(position.seq(), position.epochMillis());
    Numbering ofDigest =
        restored
            .newest()
            .map(newest -> new Numbering(newest.seq(), newest.epochMillis()))
            .orElse(ofPosition);
    if (ofDigest.epochMillis() < ofPosition.epochMillis()) {
      return ofPosition;
    }
    if (wanted.exactlyOnce()) {
      boolean later =
          ofDigest.epochMillis() > ofPosition.epochMillis() || ofDigest.seq() > ofPosition.seq();
      return later ? ofDigest : ofPosition;
    }
    return ofDigest.epochMillis() == ofPosition.epochMillis()
        ? ofPosition
        : beginAfter(ofDigest.epochMillis(), now);
  }

  private static Numbering beginAfter(long epochMillis, long now) {
    return new Numbering(0, Math.max(now, epochMillis + 1));
  }

  /** The names that rows have decided for, unless keys are made of other fields now. */
  private String keyNames() {
    if (!latest().scope().keys().equals(wanted.scope().keys())) {
      return "";
    }
    String ofDigest = restored.newest().map(Context::keyNames).orElse("");
    return ofDigest.isEmpty() ? latest().keyNames() : ofDigest;
  }

  private static Context context(StreamOffset position) {
    DigestScope scope = position.scope();
    if (scope == null) {
      throw new IllegalArgumentException("a position that was set by hand says nothing");
    }
    return new Context(
        position.snapshotId(),
        !position.snapshotted(),
        scope,
        position.seq(),
        position.epochMillis(),
        position.keyNames());
  }

  /**
   * How it goes on.
   *
   * @param now in milliseconds since the epoch
   */
  Restart restart(long now) {
    if (latest == null) {
      boolean lost = restored.lost().isPresent();
      SnapshotId first = new SnapshotId(wanted.snapshotId(), 1);
      String id = (lost ? first.next(wanted.snapshotId()) : first).toString();
      if (lost) {
        log.error(lost());
      }
      StreamOffset start = StreamOffset.start(id, wanted.scope()).withSeq(0, now);
      return new Restart(
          lost ? start : rewound().map(p -> adopt(p, start)).orElse(start), digest.apply(id));
    }
    boolean renamed = !SnapshotId.parse(latest.snapshotId()).name().equals(wanted.snapshotId());
    DigestScope before = latest.scope();
    if (!before.keys().equals(wanted.scope().keys()) && !renamed && position != null) {
      String refusal = new KeyChange(stream, before.keys(), wanted.scope().keys()).refusal();
      return new Restart(unchanged(before, now), digest.apply(latest.snapshotId()), refusal);
    }
    Optional<String> refusal = contractChange().refusal();
    if (refusal.isPresent()) {
      return new Restart(unchanged(before, now), digest.apply(latest.snapshotId()), refusal.get());
    }
    String reason = reasonForSnapshot(renamed);
    return reason == null ? goOn(now) : snapshot(reason, now);
  }

  private ContractChange contractChange() {
    return new ContractChange(stream, latest().scope(), wanted.scope());
  }

  /** Why everything is emitted once more; null when nothing calls for it. */
  private @Nullable String reasonForSnapshot(boolean renamed) {
    DigestScope before = latest().scope();
    DigestScope now = wanted.scope();
    if (!before.keys().equals(now.keys())) {
      return new KeyChange(stream, before.keys(), now.keys()).warning();
    }
    if (renamed) {
      return Problem.SNAPSHOT_BEGINS.at(
          stream.id(), "snapshot.id is \"" + wanted.snapshotId() + "\" now");
    }
    if (restored.lost().isPresent()) {
      return lost();
    }
    if (!before.topic().equals(now.topic())) {
      return Problem.SNAPSHOT_BEGINS.at(
          stream.id(), "its topic is " + now.topic() + " now, no longer " + before.topic());
    }
    if (!now.comparesAs(before)) {
      return Problem.SNAPSHOT_BEGINS.at(
          stream.id(),
          "what is read, or compared, is \""
              + (now.list() + " without " + now.ignored())
              + "\" now, no longer \""
              + (before.list() + " without " + before.ignored())
              + "\"");
    }
    if (position != null
        && position.retention() == Retention.WINDOW
        && wanted.maxKeys() > position.maxKeys()) {
      return Problem.SNAPSHOT_BEGINS.at(
          stream.id(),
          "digest.max.keys was raised from " + position.maxKeys() + " to " + wanted.maxKeys());
    }
    return null;
  }

  private String lost() {
    return Problem.DIGEST_LOST.at(
        stream.id(),
        "parts of what was said before are lost ("
            + restored.lost().orElse("")
            + "); everything is emitted once more, since changes could not be told from repeats");
  }

  private Restart snapshot(String reason, long now) {
    if (restored.lost().isPresent()) {
      log.error(reason);
    } else {
      log.warn(reason);
    }
    String id = SnapshotId.parse(latest().snapshotId()).next(wanted.snapshotId()).toString();
    boolean sameEvents =
        restored.lost().isEmpty() && latest().scope().topic().equals(wanted.scope().topic());
    Numbering before = numbering(now);
    Numbering next = sameEvents ? before : beginAfter(before.epochMillis(), now);
    StreamOffset start =
        StreamOffset.start(id, contractChange().scope())
            .withIdentity(position == null ? "" : position.identity())
            .withSeq(next.seq(), next.epochMillis())
            .withKeyNames(keyNames());
    return new Restart(start, digest.apply(id));
  }

  private Restart goOn(long now) {
    StreamOffset offset = unchanged(contractChange().scope(), now);
    Digest known = digest.apply(offset.snapshotId());
    log.info(
        "{}: {} keys known, {}",
        stream,
        known.size(),
        offset.watermark().equals(Instant.MIN) ? "begins" : "goes on at " + offset.watermark());
    return new Restart(offset, known, null, contractChange().notice().orElse(null));
  }

  private StreamOffset unchanged(DigestScope scope, long now) {
    String id = latest().snapshotId();
    Numbering numbering = numbering(now);
    StreamOffset start =
        StreamOffset.start(id, scope)
            .withSeq(numbering.seq(), numbering.epochMillis())
            .withKeyNames(keyNames());
    if (position == null) {
      return start;
    }
    if (position.rewound()) {
      return adopt(position, start);
    }
    if (!position.snapshotId().equals(id)) {
      return start.withIdentity(position.identity());
    }
    return position
        .withScope(scope)
        .withSeq(numbering.seq(), numbering.epochMillis())
        .withKeyNames(keyNames());
  }

  /** The watermark that a person has set, in a stream that is otherwise like that. */
  private StreamOffset adopt(StreamOffset rewound, StreamOffset start) {
    StreamOffset set = start.withWatermark(rewound.watermark());
    return latest == null || !latest.snapshotRuns()
        ? set.withSnapshot(SnapshotState.COMPLETED, start.snapshotId())
        : set;
  }

  private Optional<StreamOffset> rewound() {
    return Optional.ofNullable(position).filter(StreamOffset::rewound);
  }

  private Context latest() {
    if (latest == null) {
      throw new IllegalStateException(stream + ": nothing was written before");
    }
    return latest;
  }
}
