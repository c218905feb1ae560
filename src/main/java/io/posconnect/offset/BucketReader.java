package io.posconnect.offset;

import io.posconnect.resource.Stream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream's buckets back and tells a lost one from one that was always empty: a bucket is
 * lost when it is damaged, or when it is absent although a record of it was once acknowledged.
 */
public final class BucketReader {

  private BucketReader() {}

  /**
   * What was found.
   *
   * @param entries number of entries that were read
   * @param lost the buckets that are lost, and why
   * @param present the buckets that could be read
   * @param snapshotIds the snapshots that the buckets name, which are several while one runs
   */
  public record Restored(
      int entries,
      SortedMap<Integer, String> lost,
      BucketSet present,
      SortedSet<String> snapshotIds) {
    public Restored {
      Objects.requireNonNull(lost, "lost is null");
      Objects.requireNonNull(present, "present is null");
      Objects.requireNonNull(snapshotIds, "snapshotIds is null");
    }

    public boolean complete() {
      return lost.isEmpty();
    }
  }

  /** The partitions to ask Connect for, in one call. */
  public static List<Map<String, String>> partitions(Stream stream, int buckets) {
    return StreamPartition.buckets(stream, buckets).stream().map(StreamPartition::toMap).toList();
  }

  /**
   * Shows every entry that can be read to {@code visitor}, as stale where its bucket belongs to
   * another snapshot.
   *
   * @param buckets number of buckets
   * @param acknowledged the buckets that must be there
   * @param snapshotId the snapshot that is current
   * @param offsets what Connect answered to {@link #partitions}; what it lacks, or has as null, is
   *     absent
   */
  public static Restored read(
      Stream stream,
      int buckets,
      BucketSet acknowledged,
      String snapshotId,
      Map<Map<String, String>, ? extends @Nullable Map<String, Object>> offsets,
      EntryVisitor visitor) {
    int entries = 0;
    SortedMap<Integer, String> lost = new TreeMap<>();
    SortedSet<String> snapshotIds = new TreeSet<>();
    BucketSet present = BucketSet.NONE;
    for (StreamPartition partition : StreamPartition.buckets(stream, buckets)) {
      int bucket = partition.bucket();
      Map<String, Object> offset = offsets.get(partition.toMap());
      if (offset == null) {
        if (acknowledged.contains(bucket)) {
          lost.put(bucket, "it was acknowledged once and is absent");
        }
        continue;
      }
      try {
        DigestCodec.Decoded decoded = DigestCodec.decode(offset);
        boolean current = decoded.snapshotId().equals(snapshotId);
        decoded
            .entries()
            .forEach(e -> visitor.visit(bucket, e.key(), e.hash(), current && e.current()));
        entries += decoded.entries().size();
        snapshotIds.add(decoded.snapshotId());
        present = present.with(bucket);
      } catch (DamagedException e) {
        lost.put(bucket, String.valueOf(e.getMessage()));
      }
    }
    return new Restored(entries, lost, present, snapshotIds);
  }

  /**
   * The snapshots that the readable buckets of a stream name: what is known when the position is
   * not.
   */
  public static SortedSet<String> snapshotIds(
      Stream stream,
      int buckets,
      Map<Map<String, String>, ? extends @Nullable Map<String, Object>> offsets) {
    return read(stream, buckets, BucketSet.NONE, "", offsets, (bucket, key, hash, current) -> {})
        .snapshotIds();
  }
}
