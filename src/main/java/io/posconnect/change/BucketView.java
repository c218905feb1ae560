package io.posconnect.change;

import io.posconnect.resource.Key;
import java.util.Map;
import java.util.TreeMap;

/**
 * A bucket as it was at one moment. Immutable, and free to be read by any thread, whatever happens
 * to the digest afterwards.
 *
 * <p>It shares a base with its neighbours and points into a log that only grows, so that one can be
 * taken for every record.
 */
public final class BucketView {

  private final int bucket;
  private final int size;
  private final SortedEntries base;
  private final Key[] keys;
  private final long[] words;
  private final int length;

  BucketView(int bucket, int size, SortedEntries base, EntryLog log) {
    this.bucket = bucket;
    this.size = size;
    this.base = base;
    this.keys = log.keys();
    this.words = log.words();
    this.length = log.length();
  }

  public int bucket() {
    return bucket;
  }

  /** Number of entries, current and stale. */
  public int size() {
    return size;
  }

  /** Shows every entry to {@code visitor}, in ascending order of keys. */
  public void forEach(EntryVisitor visitor) {
    TreeMap<Key, Long> changed = new TreeMap<>();
    for (int i = 0; i < length; i++) {
      changed.put(keys[i], words[i]);
    }
    int index = 0;
    for (Map.Entry<Key, Long> entry : changed.entrySet()) {
      for (; index < base.size() && base.key(index).compareTo(entry.getKey()) < 0; index++) {
        visit(visitor, base.key(index), base.word(index));
      }
      if (index < base.size() && base.key(index).equals(entry.getKey())) {
        index++;
      }
      visit(visitor, entry.getKey(), entry.getValue());
    }
    for (; index < base.size(); index++) {
      visit(visitor, base.key(index), base.word(index));
    }
  }

  private static void visit(EntryVisitor visitor, Key key, long word) {
    if (word != DigestEntry.REMOVED) {
      visitor.visit(key, DigestEntry.hash(word), DigestEntry.isCurrent(word));
    }
  }
}
