package io.posconnect.change;

import io.posconnect.resource.Key;
import java.util.stream.IntStream;

/**
 * Remembers when keys were last returned, in 21 to 32 bytes for each, since all keys of all streams
 * may be returned within a short time. Of a key it holds a hash of 63 bits: beside a million keys,
 * about one in nine trillion others would be taken for one of them.
 *
 * <p>All times named nanos are of one monotonic clock. For one thread at a time.
 */
public final class RecentKeys {

  private static final int INITIAL = 16;
  private static final long NONE = 0;

  // Longer than any task lives, and still to be compared by difference.
  private static final long EVER_NANOS = Long.MAX_VALUE / 2;

  private final Digest digest;

  // A hash table with linear probing.
  private long[] hashes = new long[INITIAL];
  private long[] times = new long[INITIAL];
  private int used;

  // A key with an earlier time is dropped when the table is built anew.
  private long oldestNanos;
  private long latestNanos;

  // The latest time when the table was built.
  private long builtNanos;

  /** Remembers no key yet. */
  public RecentKeys(Digest digest) {
    this.digest = digest;
  }

  /** Records that the key was returned. */
  public void add(Key key, long nowNanos) {
    if (used == 0) {
      oldestNanos = nowNanos - EVER_NANOS;
    }
    if (4L * (used + 1) > 3L * hashes.length) {
      build();
    }
    latestNanos = nowNanos;
    put(hash(key), nowNanos);
  }

  public void remove(Key key) {
    times[slot(hash(key))] = oldestNanos - 1;
  }

  /** Returns whether the key was returned then, or later. */
  public boolean isSince(Key key, long nanos) {
    return isSince(slot(hash(key)), nanos);
  }

  private boolean isSince(int slot, long nanos) {
    return hashes[slot] != NONE && times[slot] - nanos >= 0;
  }

  /** Returns how many were returned then, or later. */
  public int size(long nanos) {
    return slotsSince(nanos).length;
  }

  private int[] slotsSince(long nanos) {
    return IntStream.range(0, hashes.length).filter(slot -> isSince(slot, nanos)).toArray();
  }

  /** Drops the keys that were returned before; no later question may be about an earlier time. */
  public void forget(long beforeNanos) {
    oldestNanos = beforeNanos;
    if (used > 0 && beforeNanos - builtNanos > 0) {
      build();
    }
  }

  private void build() {
    long[] hashesBefore = hashes;
    long[] timesBefore = times;
    int[] kept = slotsSince(oldestNanos);
    hashes = new long[Math.max(INITIAL, Math.multiplyExact(2, kept.length))];
    times = new long[hashes.length];
    used = 0;
    for (int slot : kept) {
      put(hashesBefore[slot], timesBefore[slot]);
    }
    builtNanos = latestNanos;
  }

  private void put(long hash, long nanos) {
    int slot = slot(hash);
    used += hashes[slot] == NONE ? 1 : 0;
    hashes[slot] = hash;
    times[slot] = nanos;
  }

  private long hash(Key key) {
    return digest.hash(key) | 1;
  }

  /** The slot of the hash, or the empty one where it would be. */
  private int slot(long hash) {
    int slot = (int) (((hash & 0xFFFF_FFFFL) * hashes.length) >>> Integer.SIZE);
    while (hashes[slot] != NONE && hashes[slot] != hash) {
      slot = slot + 1 == hashes.length ? 0 : slot + 1;
    }
    return slot;
  }
}
