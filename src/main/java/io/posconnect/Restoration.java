package io.posconnect;

import io.posconnect.change.Digest;
import io.posconnect.offset.BucketReader;
import io.posconnect.offset.BucketReader.Restored;
import io.posconnect.offset.BucketSet;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.Retention;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.offset.StreamPartition;
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
import java.util.TreeSet;
import org.apache.kafka.connect.storage.OffsetStorageReader;
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
final class Restoration {

  private static final Logger log = LoggerFactory.getLogger(Restoration.class);
  private static final char GENERATION = '#';

  /**
   * What of a stream's settings bears upon its return.
   *
   * @param snapshotId the configured one
   * @param buckets how many there are when nothing was stored
   * @param maxKeys how many keys the digest may hold now
   */
  record Wanted(Stream stream, String snapshotId, int buckets, int maxKeys) {}

  /** Where the stream goes on, and its digest. */
  record Restart(StreamOffset offset, Digest digest) {}

  private final OffsetStorageReader reader;

  Restoration(OffsetStorageReader reader) {
    this.reader = reader;
  }

  Map<Stream, Restart> restore(Collection<Wanted> wanted) {
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
    if (stored > 0 && stored != wanted.buckets()) {
      log.warn(
          "{}: digest.buckets={} is ignored, since the stream began with {}",
          wanted.stream(),
          wanted.buckets(),
          stored);
    }
    return stored > 0 ? stored : wanted.buckets();
  }

  private static Restart restore(
      Wanted wanted,
      Optional<StreamOffset> position,
      Map<Map<String, String>, Map<String, Object>> offsets) {
    Stream stream = wanted.stream();
    int buckets = buckets(wanted, position);
    boolean known = position.isPresent() && !position.get().rewound();
    BucketSet marked = known ? position.get().acknowledged() : BucketSet.NONE;
    String id = newest(stream, buckets, offsets, known ? position.get().snapshotId() : "", wanted);
    Digest digest = new Digest(buckets);
    Restored restored = BucketReader.read(stream, buckets, marked, id, offsets, digest::load);
    StreamOffset offset =
        position.orElseGet(() -> start(id)).withBuckets(buckets, restored.present());
    if (known && !position.get().snapshotId().equals(id)) {
      // A new name, or one that was begun after a loss and not finished: that it is being read in
      // full makes up for whatever is missing.
      log.info("{}: snapshot \"{}\": everything that is not in it yet is emitted", stream, id);
      return new Restart(start(id, offset).withBuckets(buckets, restored.present()), digest);
    }
    if (!restored.complete()) {
      log.error(
          "{}: {} of {} parts of what was said before are lost ({}); everything is emitted once"
              + " more, since changes could not be told from repeats",
          stream,
          restored.lost().size(),
          buckets,
          restored.lost());
      return again(id, offset, restored, digest);
    }
    if (known && offset.retention() == Retention.WINDOW && wanted.maxKeys() > offset.maxKeys()) {
      log.info(
          "{}: digest.max.keys was raised from {} to {}: the stream is read again in full",
          stream,
          offset.maxKeys(),
          wanted.maxKeys());
      return again(id, offset, restored, digest);
    }
    log.info(
        "{}: {} keys known, {}",
        stream,
        restored.entries(),
        position.isPresent() ? "goes on at " + offset.watermark() : "begins");
    return new Restart(offset.withSnapshot(offset.snapshot(), id), digest);
  }

  private static Restart again(String id, StreamOffset before, Restored restored, Digest digest) {
    digest.staleAll();
    return new Restart(
        start(next(id), before).withBuckets(digest.buckets(), restored.present()), digest);
  }

  /** From the beginning, but still as the same store's. */
  private static StreamOffset start(String snapshotId, StreamOffset before) {
    return start(snapshotId).withIdentity(before.identity());
  }

  private static StreamOffset start(String snapshotId) {
    return StreamOffset.rewoundTo(Instant.MIN).withSnapshot(SnapshotState.RUNNING, snapshotId);
  }

  /**
   * The newest snapshot of the configured name that anything stored belongs to. The position may
   * not know it, since it is written when a snapshot's first fetch is complete; after a reset or a
   * rewind by hand it knows none.
   */
  private static String newest(
      Stream stream,
      int buckets,
      Map<Map<String, String>, Map<String, Object>> offsets,
      String known,
      Wanted wanted) {
    Set<String> ids = new TreeSet<>(BucketReader.snapshotIds(stream, buckets, offsets));
    ids.add(known);
    return ids.stream()
        .filter(id -> configured(id).equals(wanted.snapshotId()))
        .max(Comparator.comparingInt(Restoration::generation))
        .orElse(wanted.snapshotId());
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
