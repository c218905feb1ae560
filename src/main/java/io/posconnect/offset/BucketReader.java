package io.posconnect.offset;

import io.posconnect.offset.DigestCodec.DamagedException;
import io.posconnect.offset.DigestCodec.Entry;
import io.posconnect.resource.Stream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream's buckets back and tells a lost one from one that was always empty: a bucket is
 * lost when it is damaged, or when it is absent although a record of it was once acknowledged.
 *
 * <p>A bucket whose keys are made of other fields is as good as absent: such keys mean nothing now,
 * and would only be missed by the next full read.
 */
public final class BucketReader {

  private BucketReader() {}

  /**
   * What the buckets are held against.
   *
   * @param acknowledged the buckets that must be there
   * @param snapshotId the snapshot that is current
   * @param keys what keys are made of
   */
  public record Expected(BucketSet acknowledged, String snapshotId, String keys) {}

  /**
   * Buckets that are of no use, since their keys are made of other fields.
   *
   * @param keys what those are; empty when unknown
   */
  public record Foreign(String snapshotId, String keys) {}

  /**
   * What was found.
   *
   * @param entries number of entries that were read
   * @param lost the buckets that are lost, and why
   * @param present the buckets that could be read
   * @param snapshotIds the snapshots that the buckets name, which are several while one runs
   * @param foreign what the buckets hold whose keys are made of other fields
   */
  public record Restored(
      int entries,
      SortedMap<Integer, String> lost,
      BucketSet present,
      SortedSet<String> snapshotIds,
      Set<Foreign> foreign) {
    public Restored {
      Objects.requireNonNull(lost, "lost is null");
      Objects.requireNonNull(present, "present is null");
      Objects.requireNonNull(snapshotIds, "snapshotIds is null");
      foreign = Set.copyOf(foreign);
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
   * Shows every entry that can be read to {@code visitor}, with its bucket, as stale where its
   * bucket belongs to another snapshot.
   *
   * @param buckets number of buckets
   * @param offsets what Connect answered to {@link #partitions}; what it lacks, or has as null, is
   *     absent
   */
  public static Restored read(
      Stream stream,
      int buckets,
      Expected expected,
      Map<Map<String, String>, ? extends @Nullable Map<String, Object>> offsets,
      ObjIntConsumer<Entry> visitor) {
    int entries = 0;
    SortedMap<Integer, String> lost = new TreeMap<>();
    SortedSet<String> snapshotIds = new TreeSet<>();
    Set<Foreign> foreign = new HashSet<>();
    BucketSet present = BucketSet.NONE;
    for (StreamPartition partition : StreamPartition.buckets(stream, buckets)) {
      int bucket = partition.bucket();
      Map<String, Object> offset = offsets.get(partition.toMap());
      if (offset == null) {
        if (expected.acknowledged().contains(bucket)) {
          lost.put(bucket, "it was acknowledged once and is absent");
        }
        continue;
      }
      try {
        DigestCodec.Decoded decoded = DigestCodec.decode(offset);
        snapshotIds.add(decoded.snapshotId());
        String made = DigestCodec.keys(offset);
        if (!made.equals(expected.keys())) {
          foreign.add(new Foreign(decoded.snapshotId(), made));
          if (expected.acknowledged().contains(bucket)) {
            lost.put(bucket, "its keys are made of " + made);
          }
          continue;
        }
        boolean current = decoded.snapshotId().equals(expected.snapshotId());
        decoded
            .entries()
            .forEach(
                e -> visitor.accept(new Entry(e.key(), e.hash(), current && e.current()), bucket));
        entries += decoded.entries().size();
        present = present.with(bucket);
      } catch (DamagedException e) {
        lost.put(bucket, String.valueOf(e.getMessage()));
      }
    }
    return new Restored(entries, lost, present, snapshotIds, foreign);
  }

  /**
   * The snapshots that the readable buckets of a stream name: what is known when the position is
   * not.
   */
  public static SortedSet<String> snapshotIds(
      Stream stream,
      int buckets,
      Map<Map<String, String>, ? extends @Nullable Map<String, Object>> offsets) {
    Expected any = new Expected(BucketSet.NONE, "", "");
    return read(stream, buckets, any, offsets, (entry, bucket) -> {}).snapshotIds();
  }
}
