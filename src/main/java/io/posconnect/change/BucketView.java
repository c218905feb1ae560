package io.posconnect.change;

import io.posconnect.resource.Key;
import java.util.Arrays;
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

  /** Receives the entries of a view, one by one, in ascending order of their keys. */
  @FunctionalInterface
  public interface EntryVisitor {

    /**
     * One entry.
     *
     * @param hash content hash, 48 bits
     * @param current false when the entry belongs to an earlier snapshot and only serves to find a
     *     delete
     */
    void visit(Key key, long hash, boolean current);
  }

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

  /**
   * Entries sorted by key, never written to again once it is shared; numbers stand before texts, as
   * in {@link Key}'s order, and cost no object.
   */
  static final class SortedEntries {

    static final SortedEntries EMPTY = new SortedEntries(new long[0], new String[0], new long[0]);

    private final long[] numbers;
    private final String[] texts;
    private final long[] words;

    SortedEntries(long[] numbers, String[] texts, long[] words) {
      this.numbers = numbers;
      this.texts = texts;
      this.words = words;
    }

    int size() {
      return words.length;
    }

    Key key(int index) {
      return index < numbers.length
          ? Key.of(numbers[index])
          : Key.of(texts[index - numbers.length]);
    }

    long word(int index) {
      return words[index];
    }

    /** The key's index, negative when it is absent. */
    int find(Key key) {
      if (key.isNumber()) {
        return Arrays.binarySearch(numbers, key.number());
      }
      int index = Arrays.binarySearch(texts, key.text());
      return index < 0 ? index : index + numbers.length;
    }
  }
}
