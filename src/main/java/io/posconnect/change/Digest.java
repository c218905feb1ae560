package io.posconnect.change;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * What was last said about each key of one stream: key to content hash, in a fixed number of
 * buckets, each of which is stored on its own.
 *
 * <p>An entry is <i>current</i>, or <i>stale</i> when it belongs to an earlier snapshot: then it
 * only serves to find deletes. Every entry remembers the tick at which it was last seen.
 *
 * <p>Changed by one thread at a time; views are free to be read by any. About 33 bytes a number key
 * in memory.
 */
public final class Digest {

  /** So many neighbouring numbers share a bucket: rows in key order touch few buckets at a time. */
  private static final int NEIGHBOUR_BITS = 9;

  private final Bucket[] buckets;
  private int size;
  private long tick = 1;

  /** An empty digest. */
  public Digest(int buckets) {
    if (buckets < 1) {
      throw new IllegalArgumentException("number of buckets is " + buckets);
    }
    this.buckets = new Bucket[buckets];
    Arrays.setAll(this.buckets, Bucket::new);
  }

  public int buckets() {
    return buckets.length;
  }

  /** Number of entries, current and stale. */
  public int size() {
    return size;
  }

  /** The bucket of a key, known to this digest or not; the same for ever. */
  public int bucketOf(Key key) {
    if (key.isNumber()) {
      return Math.floorMod(key.number() >> NEIGHBOUR_BITS, buckets.length);
    }
    return Math.floorMod(Mix.text(key.text()), buckets.length);
  }

  /** Begins a new response: what is classified or seen from now on carries the returned tick. */
  public long tick() {
    return ++tick;
  }

  /**
   * Takes note of a row and says what it is to those who know all that was said before. Only {@link
   * Change#CREATE} and {@link Change#UPDATE} change the state of the key's bucket.
   *
   * @param contentHash 48 bits, see {@link ContentHash}
   */
  public Change classify(Key key, long contentHash) {
    Bucket bucket = bucket(key);
    long known = bucket.word(key);
    long word = DigestEntry.of(contentHash, true);
    if (known == DigestEntry.REMOVED || !DigestEntry.isCurrent(known)) {
      put(bucket, key, word, tick);
      return Change.CREATE;
    }
    if (known == word) {
      bucket.stamp(key, tick);
      return Change.SAME;
    }
    if (bucket.stamp(key) == tick) {
      return Change.REPEATED;
    }
    put(bucket, key, word, tick);
    return Change.UPDATE;
  }

  /** Whether there is a current entry. */
  public boolean contains(Key key) {
    long known = bucket(key).word(key);
    return known != DigestEntry.REMOVED && DigestEntry.isCurrent(known);
  }

  /** The content hash of a current entry. */
  public OptionalLong hash(Key key) {
    return contains(key)
        ? OptionalLong.of(DigestEntry.hash(bucket(key).word(key)))
        : OptionalLong.empty();
  }

  /** The tick at which a key was last seen; negative when it is not known. */
  public long lastSeen(Key key) {
    Bucket bucket = bucket(key);
    return bucket.word(key) == DigestEntry.REMOVED ? -1 : bucket.stamp(key);
  }

  /** Marks a key as seen, whatever its content; nothing happens when there is no entry. */
  public void see(Key key) {
    Bucket bucket = bucket(key);
    if (bucket.word(key) != DigestEntry.REMOVED) {
      bucket.stamp(key, tick);
    }
  }

  /** The keys, current and stale, that were last seen before {@code sinceTick}, in key order. */
  public List<Key> missing(long sinceTick) {
    List<Key> missing = new ArrayList<>();
    for (Bucket bucket : buckets) {
      bucket.missing(sinceTick, missing::add);
    }
    Collections.sort(missing);
    return missing;
  }

  /** Forgets a key; nothing happens when there is no entry. */
  public void remove(Key key) {
    if (bucket(key).remove(key)) {
      size--;
    }
  }

  /** Forgets the keys that were last seen before {@code beforeTick}, and says how many. */
  public int forget(long beforeTick) {
    return forget(Long.MIN_VALUE, beforeTick);
  }

  /** Forgets those of them that were not last seen before {@code fromTick}, and says how many. */
  public int forget(long fromTick, long beforeTick) {
    List<Key> missing = missing(beforeTick);
    missing.removeIf(key -> bucket(key).stamp(key) < fromTick);
    missing.forEach(this::remove);
    return missing.size();
  }

  /** Makes every entry stale: what was said belongs to an earlier snapshot. */
  public void staleAll() {
    for (Bucket bucket : buckets) {
      bucket.staleAll();
    }
  }

  /** The state of a bucket now, in constant time. */
  public BucketView view(int bucket) {
    return buckets[bucket].view();
  }

  /**
   * Puts back an entry that was stored, as not yet seen.
   *
   * @param bucket where it was stored
   * @throws IllegalArgumentException when the key does not belong to that bucket, so that the state
   *     is that of another number of buckets
   */
  public void load(int bucket, Key key, long hash, boolean current) {
    if (bucketOf(key) != bucket) {
      throw new IllegalArgumentException(
          "a key of bucket " + bucketOf(key) + " was stored in bucket " + bucket);
    }
    put(buckets[bucket], key, DigestEntry.of(hash, current), 0);
  }

  /** The most bytes that the bucket's state takes when it is stored as text, in constant time. */
  public int encodedSizeEstimate(int bucket) {
    return buckets[bucket].encodedSizeEstimate();
  }

  private Bucket bucket(Key key) {
    return buckets[bucketOf(key)];
  }

  private void put(Bucket bucket, Key key, long word, long stamp) {
    int before = bucket.size();
    bucket.put(key, word, stamp);
    size += bucket.size() - before;
  }
}
