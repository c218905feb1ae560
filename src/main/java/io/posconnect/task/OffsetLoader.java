package io.posconnect.task;

import io.posconnect.change.Digest;
import io.posconnect.offset.BucketReader;
import io.posconnect.offset.BucketReader.Expected;
import io.posconnect.offset.BucketReader.Restored;
import io.posconnect.offset.BucketSet;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.Retention;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.offset.StreamPartition;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads back, in two calls for all streams of a task, where each of them left off and what it had
 * said until then.
 *
 * <p>A snapshot's id is what the configuration says, and a number behind it when this connector
 * itself began another one under the same name: after parts of a digest were lost, or once a digest
 * may hold every key again.
 */
public final class OffsetLoader {

  private static final Logger log = LoggerFactory.getLogger(OffsetLoader.class);
  private static final char GENERATION = '#';

  /**
   * What of a stream's settings bears upon its return.
   *
   * @param snapshotId the configured one
   * @param buckets how many there are when nothing was stored
   * @param maxKeys how many keys the digest may hold now
   * @param keys what its keys are made of
   */
  public record Wanted(Stream stream, String snapshotId, int buckets, int maxKeys, String keys) {}

  /**
   * Where the stream goes on, and its digest.
   *
   * @param refusal why nothing is to be read of it under this configuration; null when it goes on
   */
  public record Restart(StreamOffset offset, Digest digest, @Nullable String refusal) {
    Restart(StreamOffset offset, Digest digest) {
      this(offset, digest, null);
    }
  }

  private final OffsetStorageReader reader;

  public OffsetLoader(OffsetStorageReader reader) {
    this.reader = reader;
  }

  /** Where each of the streams goes on. */
  public Map<Stream, Restart> restore(Collection<Wanted> wanted) {
    Map<Stream, Optional<StreamOffset>> positions = new HashMap<>();
    Map<Map<String, String>, Map<String, Object>> stored =
        reader.offsets(
            wanted.stream().map(w -> StreamPartition.position(w.stream()).toMap()).toList());
    for (Wanted w : wanted) {
      positions.put(
          w.stream(),
          StreamOffset.fromMap(
              w.stream(), stored.get(StreamPartition.position(w.stream()).toMap())));
    }
    List<Map<String, String>> partitions = new ArrayList<>();
    for (Wanted w : wanted) {
      int buckets = buckets(w, positions.getOrDefault(w.stream(), Optional.empty()));
      partitions.addAll(BucketReader.partitions(w.stream(), buckets));
    }
    // One call: asked one by one, thousands of partitions take seconds.
    Map<Map<String, String>, Map<String, Object>> digests = reader.offsets(partitions);
    Map<Stream, Restart> restarts = new HashMap<>();
    for (Wanted w : wanted) {
      restarts.put(
          w.stream(), restore(w, positions.getOrDefault(w.stream(), Optional.empty()), digests));
    }
    return restarts;
  }

  private static int buckets(Wanted wanted, Optional<StreamOffset> position) {
    int stored = position.map(StreamOffset::buckets).orElse(0);
    return stored > 0 ? stored : wanted.buckets();
  }

  private static Restart restore(
      Wanted wanted,
      Optional<StreamOffset> position,
      Map<Map<String, String>, Map<String, Object>> offsets) {
    int buckets = buckets(wanted, position);
    if (buckets != wanted.buckets()) {
      log.warn(
          Problem.SETTING_IGNORED.at(
              wanted.stream().id(),
              "digest.buckets="
                  + wanted.buckets()
                  + " is ignored, since the stream began with "
                  + buckets));
    }
    Optional<StreamOffset> known = position.filter(p -> !p.rewound());
    Set<String> ids = BucketReader.snapshotIds(wanted.stream(), buckets, offsets);
    known.map(StreamOffset::snapshotId).ifPresent(ids::add);
    String id = newest(ids, wanted.snapshotId());
    Expected expected =
        new Expected(
            known.map(StreamOffset::acknowledged).orElse(BucketSet.NONE), id, wanted.keys());
    Digest digest = new Digest(buckets);
    Restored restored =
        BucketReader.read(
            wanted.stream(),
            buckets,
            expected,
            offsets,
            (entry, bucket) -> digest.load(bucket, entry.key(), entry.hash(), entry.current()));
    StreamOffset offset =
        position
            .orElseGet(() -> start(id))
            .withBuckets(buckets, restored.present())
            .withKeys(wanted.keys());
    Optional<KeyChange> change = KeyChange.of(wanted, position, restored);
    if (change.isPresent() && !change.get().confirmed()) {
      return new Restart(offset, digest, change.get().refusal());
    }
    change.ifPresent(confirmed -> log.warn(confirmed.warning(id)));
    boolean renamed =
        known.isPresent()
            ? !known.get().snapshotId().equals(id)
            : position.isPresent() && !ids.isEmpty() && !ids.contains(id);
    if (renamed) {
      // A new name, or one that was begun after a loss and not finished: that it is being read in
      // full makes up for whatever is missing.
      log.info(
          "{}: snapshot \"{}\": everything that is not in it yet is emitted", wanted.stream(), id);
      return new Restart(start(id, offset), digest);
    }
    return resume(wanted, offset, id, restored, digest);
  }

  /** Within the snapshot that was current before, unless something calls for another one. */
  private static Restart resume(
      Wanted wanted, StreamOffset offset, String id, Restored restored, Digest digest) {
    Stream stream = wanted.stream();
    if (!restored.complete()) {
      log.error(
          Problem.DIGEST_LOST.at(
              stream.id(),
              restored.lost().size()
                  + " of "
                  + digest.buckets()
                  + " parts of what was said before are lost ("
                  + restored.lost()
                  + "); everything is emitted once more, since changes could not be told from"
                  + " repeats"));
      return startAgain(id, offset, digest);
    }
    if (offset.retention() == Retention.WINDOW && wanted.maxKeys() > offset.maxKeys()) {
      log.info(
          "{}: digest.max.keys was raised from {} to {}: the stream is read again in full",
          stream,
          offset.maxKeys(),
          wanted.maxKeys());
      return startAgain(id, offset, digest);
    }
    log.info(
        "{}: {} keys known, {}",
        stream,
        restored.entries(),
        offset.watermark().equals(Instant.MIN) ? "begins" : "goes on at " + offset.watermark());
    return new Restart(offset.withSnapshot(offset.snapshot(), id), digest);
  }

  private static Restart startAgain(String id, StreamOffset before, Digest digest) {
    digest.staleAll();
    return new Restart(start(next(id), before), digest);
  }

  /** From the beginning, but still as the same store's. */
  private static StreamOffset start(String snapshotId, StreamOffset before) {
    return start(snapshotId)
        .withBuckets(before.buckets(), before.acknowledged())
        .withIdentity(before.identity())
        .withKeys(before.keys());
  }

  private static StreamOffset start(String snapshotId) {
    return StreamOffset.rewoundTo(Instant.MIN).withSnapshot(SnapshotState.RUNNING, snapshotId);
  }

  /**
   * The newest snapshot of the configured name that anything stored belongs to. The position may
   * not know it, since it is written when a snapshot's first fetch is complete; after a reset or a
   * rewind by hand it knows none.
   */
  private static String newest(Set<String> ids, String name) {
    return ids.stream()
        .filter(id -> isNamed(id, name))
        .max(Comparator.comparingInt(OffsetLoader::generation))
        .orElse(name);
  }

  /** Whether the snapshot of that id is one of that configured name. */
  static boolean isNamed(String id, String name) {
    return configured(id).equals(name);
  }

  private static String configured(String id) {
    int end = id.lastIndexOf(GENERATION);
    return end < 0 ? id : id.substring(0, end);
  }

  private static int generation(String id) {
    int end = id.lastIndexOf(GENERATION);
    return end < 0 ? 1 : Integer.parseInt(id.substring(end + 1));
  }

  private static String next(String id) {
    return configured(id) + GENERATION + (generation(id) + 1);
  }
}
