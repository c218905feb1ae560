package io.posconnect.change;

import io.posconnect.change.Image.State;
import io.posconnect.change.Segment.Word;
import io.posconnect.change.SegmentLog.Fate;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Remembers the last emitted content of each key of one stream: key to content hash, as a log of
 * small segments in reused slots. Every record carries an {@link Image} of the segment that its own
 * entry was appended to.
 *
 * <p>An entry is <i>current</i>, or <i>stale</i> when it belongs to an earlier snapshot: then it
 * only serves to find deletes. Every entry remembers the tick at which it was last seen.
 *
 * <p>Changed by one thread at a time; images may be read and acknowledged by any. A number key
 * takes about 22 bytes of memory, a replaced entry 16, and {@link KnownBytes} 12 to 18 more.
 */
public final class Digest {
  /** So many entries are carried at most when one is appended, so that no step takes long. */
  private static final int CARRIED_AT_ONCE = 16;

  /**
   * So many of the oldest segments are checked for release at once. A key that has just changed
   * holds its old segments for a while: checked one at a time, each would wait in its turn.
   */
  private static final int LOOKED_AHEAD = 16;

  /**
   * An overgrown log is searched for this part of it to release, and after a search in vain not
   * before so much is new: so searches cost each entry about as much as twenty lookups.
   */
  private static final int SEARCHED_PART = 8;

  private static final Pattern END = Pattern.compile("(\\d{1,18})\\.(\\d{1,9})(?:\\.(\\d{1,9}))?");

  private final SegmentLog log;
  private final KeyTable table;
  private final KnownBytes knownBytes;
  private int tick = 1;
  private End proven = End.NONE;
  private Runnable full = () -> {};

  /** The newest settled segment when an overgrown log was last searched in vain. */
  private long searchedInVain;

  /**
   * How large segments are.
   *
   * @param leastEntries a segment ends at the earliest after so many entries, so that few of them
   *     are under way at once
   * @param leastBytes of entries, before they become text
   * @param mostBytes of entries, but for the least number of them
   */
  public record Segments(int leastEntries, int leastBytes, int mostBytes) {

    /** From 2 KB to 16 KB of text, well below what Connect takes in one offset. */
    public static final Segments DEFAULT = new Segments(16, 1664, 12 * 1024);
  }

  /** An empty digest; {@code random} names the process in what it stores. */
  public Digest(Segments segments, RandomGenerator random) {
    log = new SegmentLog(segments, random.nextLong());
    table = new KeyTable(random.nextLong());
    knownBytes = new KnownBytes(table, random.nextLong());
  }

  /**
   * The stored part of one segment.
   *
   * @param header as it was written
   * @param entries as they were appended; fewer where they mean nothing any more
   */
  public record Stored(Image.Header header, int slot, List<StoredEntry> entries) {
    public Stored {
      entries = List.copyOf(entries);
    }
  }

  /** One stored entry. */
  public record StoredEntry(Key key, State state, long hash) {}

  /**
   * Restores a digest.
   *
   * @param stored segments in any order, no sequence twice; those below the newest one's head are
   *     left out
   * @param unreadable slots whose content is damaged, to be written to before any other
   * @param used segments up to this one had been begun, also where nothing of them was stored; 0
   *     when that is not known
   */
  public static Digest restore(
      List<Stored> stored,
      List<Integer> unreadable,
      long used,
      Segments sizes,
      RandomGenerator random) {
    Digest digest = new Digest(sizes, random);
    List<Stored> inOrder = new ArrayList<>(stored);
    inOrder.sort(Comparator.comparingLong(s -> s.header().sequence()));
    long base = 0;
    if (!inOrder.isEmpty()) {
      Image.Header newest = inOrder.get(inOrder.size() - 1).header();
      inOrder.removeIf(each -> each.header().sequence() < newest.head());
      base = newest.base();
    }
    List<Segment> segments = inOrder.stream().map(digest::replay).toList();
    digest.log.restore(segments, base, unreadable, used);
    return digest;
  }

  private Segment replay(Stored stored) {
    Image.Header header = stored.header();
    Segment segment = new Segment(header.sequence(), header.run(), stored.slot());
    segment.written = header.length();
    for (StoredEntry entry : stored.entries()) {
      segment.append(entry.key(), Word.of(entry.state(), entry.hash()), 0);
      table.set(entry.key(), segment);
    }
    return segment;
  }

  /** Finds the entries of rows by their bytes; it knows none after a start. */
  public KnownBytes knownBytes() {
    return knownBytes;
  }

  /** Number of entries, current and stale: rows and dead letters. */
  public int size() {
    return table.size();
  }

  /** Number of entries of rows, current and stale. */
  public int keys() {
    return table.size() - table.deadLetters();
  }

  /** Number of entries of dead letters, current and stale. */
  public int deadLetters() {
    return table.deadLetters();
  }

  /** A hash of the key that no service can choose, since the process salts it. */
  long hash(Key key) {
    return table.hash(key);
  }

  /** Begins a new response: what is remembered or seen from now on carries the returned tick. */
  public long tick() {
    tick = Math.incrementExact(tick);
    return tick;
  }

  /**
   * Remembers the content of a row, and that its key was seen; returns whether it is another one
   * than the {@link #known} one. Then it is appended to the log, and a record with an {@link
   * #image} must follow.
   *
   * @param contentHash see {@link ContentHash}
   */
  public boolean remember(Key key, long contentHash) {
    int at = table.find(key);
    long word = Word.of(State.CURRENT, contentHash);
    boolean isOther = at == KeyTable.NONE || table.word(at) != word;
    if (isOther) {
      append(key, word);
    } else {
      table.see(at, tick);
    }
    return isOther;
  }

  /**
   * What the digest knows of a key.
   *
   * @param isThere whether there is an entry, current or stale: another content takes no room
   * @param isCurrent whether that is a current one
   * @param hash its content hash
   * @param seen the tick at which it was last seen; negative when there is no entry
   */
  public record Known(boolean isThere, boolean isCurrent, long hash, long seen) {

    private static final Known NOTHING = new Known(false, false, 0, -1);

    /** Returns whether that content is the current one. */
    public boolean is(long contentHash) {
      return isCurrent && hash == contentHash;
    }
  }

  public Known known(Key key) {
    int at = table.find(key);
    if (!table.isLive(at)) {
      return Known.NOTHING;
    }
    long word = table.word(at);
    return new Known(true, Word.isCurrent(word), Word.hash(word), table.seen(at));
  }

  /**
   * Where the log ended at some time; it can be stored.
   *
   * @param sequence of the segment that was the last one
   * @param length how many entries that had
   * @param keys how many keys the digest held
   */
  public record End(long sequence, int length, int keys) {

    static final End NONE = new End(0, 0, 0);

    /**
     * Reads {@link #toString}; an earlier form lacks the number of keys, of which there were some.
     */
    public static Optional<End> parse(String text) {
      Matcher matcher = END.matcher(text);
      return matcher.matches()
          ? Optional.of(
              new End(
                  Long.parseLong(matcher.group(1)),
                  Integer.parseInt(matcher.group(2)),
                  Integer.parseInt(Objects.requireNonNullElse(matcher.group(3), "1"))))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return sequence + "." + length + "." + keys;
    }
  }

  /** Where the log ends now. */
  public End end() {
    return log.end(keys());
  }

  /**
   * Takes what the log held when it ended there for proven; of a stored end not all may be here.
   */
  public void prove(End end) {
    End last = end();
    boolean isLost =
        Comparator.comparing(End::sequence).thenComparing(End::length).compare(end, last) > 0;
    proven = isLost ? last : end;
  }

  /** The end that was proven last. */
  public End proven() {
    return proven;
  }

  /** Returns whether nothing has changed the key's entry since it was proven. */
  public boolean isProven(Key key) {
    int at = table.find(key);
    return at != KeyTable.NONE && isProven(at);
  }

  private boolean isProven(int at) {
    return isBefore(proven.sequence(), proven.length(), at)
        || table.segment(at).proven.get(table.entry(at));
  }

  private boolean isBefore(long sequence, int length, int at) {
    long its = table.segment(at).sequence;
    return its < sequence || (its == sequence && table.entry(at) < length);
  }

  /** Number of keys, without dead letters, whose entries are proven. */
  public int provenKeys() {
    return (int)
        table
            .seenBefore(Long.MAX_VALUE)
            .filter(at -> isProven(at) && !table.key(at).isDeadLetter())
            .count();
  }

  /** Marks a key as seen, whatever its content; nothing happens when there is no entry. */
  public void see(Key key) {
    int at = table.find(key);
    if (at != KeyTable.NONE) {
      table.see(at, tick);
    }
  }

  /** The keys, current and stale, that were last seen before {@code sinceTick}, in key order. */
  public List<Key> missing(long sinceTick) {
    return table
        .seenBefore(sinceTick)
        .mapToObj(table::key)
        .sorted()
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /**
   * Visits each key, in any order.
   *
   * @param visitor takes a key, and whether its entry was there when that part ended
   */
  public void forEach(Image.Vouched part, BiConsumer<Key, Boolean> visitor) {
    table
        .seenBefore(Long.MAX_VALUE)
        .forEach(at -> visitor.accept(table.key(at), isBefore(part.sequence(), part.length(), at)));
  }

  /**
   * Appends the removal of a key, and a record with an {@link #image} must follow, except for a
   * dead letter: its removal is stored with a later one. Nothing happens when there is no entry.
   */
  public void remove(Key key) {
    int at = table.find(key);
    if (table.isLive(at)) {
      append(key, Word.of(State.REMOVED, 0));
    }
  }

  /**
   * Forgets keys that were last seen before {@code beforeTick}, those first that were not seen for
   * the longest time, and of these those that stand lowest in the log; returns how many. A
   * forgotten key comes back at a restart as long as its segment is stored.
   *
   * @param most how many to forget at most
   * @param which keys may be forgotten
   */
  public int forget(int most, long beforeTick, Predicate<Key> which) {
    List<Integer> oldest =
        table
            .seenBefore(beforeTick)
            .filter(at -> which.test(table.key(at)))
            .boxed()
            .sorted(
                Comparator.<Integer>comparingInt(table::seen)
                    .thenComparingLong(at -> table.segment(at).sequence)
                    .thenComparingInt(table::entry))
            .limit(most)
            .toList();
    oldest.forEach(table::drop);
    return oldest.size();
  }

  /** The image that the records of the last entry, or of none, must carry; so many of them. */
  public Image image(int records) {
    return log.image(records);
  }

  /**
   * Marks the end of a fetch. The result may be called on any thread once every record until now is
   * acknowledged, and returns what the checkpoint of the fetch vouches for.
   */
  public Supplier<Image.Vouched> mark() {
    SegmentLog.Mark mark = log.mark();
    return () -> log.vouched(mark);
  }

  /** Runs that before each segment after the last one, whose {@link #image} can be taken then. */
  public void beforeNext(Runnable listener) {
    full = listener;
  }

  /** Number of entries that are stored or about to be, replaced ones included. */
  int entries() {
    return log.entries();
  }

  private void append(Key key, long word) {
    if (!log.hasRoom(key, word)) {
      full.run();
      log.roll();
      release();
    }
    if (!key.isDeadLetter() || Word.isCurrent(word)) {
      // What no record follows may never be stored, and would be carried again and again.
      carry();
    }
    table.set(key, log.append(key, word, tick));
  }

  /** Appends what is needed of the oldest segments once more, as far as there is room. */
  private void carry() {
    Segment oldest = log.oldestToCarry(table.size());
    int carried = 0;
    while (oldest != null && oldest.carried < oldest.length() && carried < CARRIED_AT_ONCE) {
      Key key = oldest.entries().key(oldest.carried);
      int at = table.find(key);
      if (at != KeyTable.NONE && isNeeded(oldest, oldest.carried, at)) {
        if (!log.hasRoom(key, table.word(at))) {
          return;
        }
        boolean wasProven = isProven(at);
        Segment to = log.append(key, table.word(at), table.seen(at));
        table.set(key, to);
        to.proven.set(to.length() - 1, wasProven);
        carried++;
      }
      oldest.carried++;
    }
  }

  /** Returns whether a key would be lost with that entry of an old segment. */
  private boolean isNeeded(Segment oldest, int entry, int at) {
    if (table.is(at, oldest, entry)) {
      return !Word.isRemoved(table.word(at));
    }
    return fate(at) == Fate.UNWRITTEN;
  }

  private Fate fate(int at) {
    return log.fate(table.segment(at), table.entry(at));
  }

  /** Releases the oldest segments, as long as nothing would be lost with them. */
  private void release() {
    if (!log.mayRelease(table.size())) {
      return;
    }
    List<Segment> settled = log.settled();
    boolean search = isOvergrown(settled);
    int looked = search ? Math.max(LOOKED_AHEAD, settled.size() / SEARCHED_PART) : LOOKED_AHEAD;
    List<Segment> some = settled.subList(0, Math.min(looked, settled.size()));
    some.forEach(this::replace);
    if (search) {
      replaceByLater(some, settled);
    }
    for (Segment oldest : some) {
      if (oldest.replaced.cardinality() < oldest.length()) {
        searchedInVain = search ? settled.get(settled.size() - 1).sequence : searchedInVain;
        return;
      }
      for (int entry = 0; entry < oldest.length(); entry++) {
        int at = table.find(oldest.entries().key(entry));
        if (table.is(at, oldest, entry)) {
          table.drop(at); // a removal that has done its work
        }
      }
      table.release(oldest);
      log.release(oldest);
    }
  }

  /**
   * Marks the entries that are not needed any more. They stay so: whatever was written after them
   * is, in its turn, only released once it is replaced.
   */
  private void replace(Segment oldest) {
    for (int entry = oldest.replaced.nextClearBit(0);
        entry < oldest.length();
        entry = oldest.replaced.nextClearBit(entry + 1)) {
      int at = table.find(oldest.entries().key(entry));
      boolean here = table.is(at, oldest, entry);
      Fate fate = at == KeyTable.NONE || here ? Fate.WRITTEN : fate(at);
      if (here ? !table.isLive(at) : fate == Fate.WRITTEN) {
        oldest.replaced.set(entry);
      } else if (fate == Fate.UNWRITTEN) {
        oldest.carried = Math.min(oldest.carried, entry); // what was carried was dropped on its way
      }
    }
  }

  private boolean isOvergrown(List<Segment> settled) {
    return settled.stream().mapToLong(Segment::length).sum() > 2L * table.size()
        && settled.get(settled.size() - 1).sequence - searchedInVain
            > settled.size() / SEARCHED_PART;
  }

  /**
   * Marks the entries of which a later one is written, although the latest is still under way. Of
   * rows that change with every read the latest always is, whenever a segment ends.
   */
  private static void replaceByLater(List<Segment> some, List<Segment> settled) {
    Map<Key, Runnable> waiting = new HashMap<>();
    for (int i = 0; i < settled.size() && (i < some.size() || !waiting.isEmpty()); i++) {
      Segment segment = settled.get(i);
      for (int entry = 0; entry < segment.length(); entry++) {
        Key key = segment.entries().key(entry);
        Runnable earlier = entry < segment.written ? waiting.remove(key) : null;
        if (earlier != null) {
          earlier.run();
        }
        if (i < some.size() && !segment.replaced.get(entry)) {
          int at = entry;
          waiting.put(key, () -> segment.replaced.set(at));
        }
      }
    }
  }
}
