package io.posconnect.change;

import io.posconnect.change.BucketView.SortedEntries;
import io.posconnect.resource.Key;
import java.util.function.Consumer;

/**
 * One part of a digest: a sorted base, a log of what changed since, and when each key was last
 * seen. When the log has grown beyond its share of the base, both become a new base; views of
 * before keep the old ones.
 */
final class Bucket {

  private static final int LEAST_LOG = 64;
  private static final int SHARE = 8;
  private static final int ABSENT = Integer.MIN_VALUE;

  private final int number;
  private SortedEntries base = SortedEntries.EMPTY;
  private long[] stamps = new long[0];
  private EntryLog log = new EntryLog();
  private Footprint footprint = new Footprint();

  Bucket(int number) {
    this.number = number;
  }

  int size() {
    return footprint.size();
  }

  int encodedSizeEstimate() {
    return footprint.bytes();
  }

  BucketView view() {
    return new BucketView(number, size(), base, log);
  }

  /** What is known of the key, {@link DigestEntry#REMOVED} when nothing is. */
  long word(Key key) {
    int place = place(key);
    if (place == ABSENT) {
      return DigestEntry.REMOVED;
    }
    return place < 0 ? log.word(~place) : base.word(place);
  }

  /** When a key that is present was last seen. */
  long stamp(Key key) {
    int place = place(key);
    return place < 0 ? log.stamp(~place) : stamps[place];
  }

  /** Marks a key that is present as seen. */
  void stamp(Key key, long tick) {
    int place = place(key);
    if (place < 0) {
      log.stamp(~place, tick);
    } else {
      stamps[place] = tick;
    }
  }

  void put(Key key, long word, long tick) {
    long before = word(key);
    if (before == DigestEntry.REMOVED) {
      footprint.add(key, "");
    }
    footprint.stale(staleness(word) - staleness(before));
    append(key, word, tick);
  }

  boolean remove(Key key) {
    long before = word(key);
    if (before == DigestEntry.REMOVED) {
      return false;
    }
    footprint.remove(key);
    footprint.stale(-staleness(before));
    append(key, DigestEntry.REMOVED, 0);
    return true;
  }

  void staleAll() {
    rebuild(false);
  }

  /** Names every key, in no order, that was last seen before {@code tick}. */
  void missing(long tick, Consumer<Key> missing) {
    for (int i = 0; i < stamps.length; i++) {
      if (stamps[i] < tick && log.find(base.key(i)) < 0) {
        missing.accept(base.key(i));
      }
    }
    for (int i = 0; i < log.length(); i++) {
      Key key = log.key(i);
      if (log.stamp(i) < tick && log.word(i) != DigestEntry.REMOVED && log.find(key) == i) {
        missing.accept(key);
      }
    }
  }

  /** An index into the base, the complement of an index into the log, or {@link #ABSENT}. */
  private int place(Key key) {
    int index = log.find(key);
    if (index >= 0) {
      return log.word(index) == DigestEntry.REMOVED ? ABSENT : ~index;
    }
    index = base.find(key);
    return index < 0 ? ABSENT : index;
  }

  private void append(Key key, long word, long stamp) {
    log.append(key, word, stamp);
    if (log.length() >= Math.max(LEAST_LOG, base.size() / SHARE)) {
      rebuild(true);
    }
  }

  private void rebuild(boolean keepCurrent) {
    Rebuild next = new Rebuild(footprint.numbers(), footprint.texts());
    view()
        .forEach(
            (key, hash, current) ->
                next.add(key, DigestEntry.of(hash, current && keepCurrent), stamp(key)));
    base = next.base();
    stamps = next.stamps;
    footprint = next.footprint;
    log = new EntryLog();
  }

  private static int staleness(long word) {
    return DigestEntry.isCurrent(word) ? 0 : 1;
  }

  /** Takes entries in order and makes a base of them. */
  private static final class Rebuild {
    private final long[] numbers;
    private final String[] texts;
    private final long[] words;
    private final long[] stamps;
    private final Footprint footprint = new Footprint();
    private String before = "";

    Rebuild(int numbers, int texts) {
      this.numbers = new long[numbers];
      this.texts = new String[texts];
      this.words = new long[numbers + texts];
      this.stamps = new long[numbers + texts];
    }

    void add(Key key, long word, long stamp) {
      int index = footprint.size();
      if (key.isNumber()) {
        numbers[index] = key.number();
      } else {
        texts[index - numbers.length] = key.text();
      }
      words[index] = word;
      stamps[index] = stamp;
      footprint.add(key, before);
      footprint.stale(staleness(word));
      before = key.isNumber() ? "" : key.text();
    }

    SortedEntries base() {
      return new SortedEntries(numbers, texts, words);
    }
  }
}
