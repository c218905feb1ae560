package io.posconnect.fetch;

import static java.util.Objects.requireNonNull;

import io.posconnect.change.Digest.Known;
import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Holds the keys under which a list shows several rows, their known contents, and the rows of such
 * keys that are set aside until a pass ends. In memory only: a restart finds the rejected contents
 * as dead letters in the digest.
 */
final class Twins {

  // Rows beyond that are rejected at once: their key keeps the content that was emitted last.
  static final long MOST_BYTES_SET_ASIDE = 16 << 20;

  // What a row takes beside its text.
  static final int ROW_OVERHEAD = 256;

  /** One of the rows under a key. */
  record Twin(Key key, long hash, Row row) {}

  // Contents of a key that are remembered as rejected. A key with more has a row that changes in
  // each pass.
  static final int MOST_REJECTED = 1_000;

  // Keys in conflict and their contents that are remembered in all. What goes beyond is as after a
  // restart: the digest knows its dead letters.
  static final int MOST_REMEMBERED = 200_000;

  private static final long[] NO_CONTENTS = {};

  // The contents of each key in conflict that were rejected, in the order in which they came. An
  // array for each, since all keys of a list may be in conflict: a set takes 200 bytes more.
  private final Map<Key, long[]> rejected = new HashMap<>();
  private int remembered;
  private final Map<Key, Map<Long, Twin>> setAside = new LinkedHashMap<>();
  private Set<Key> inConflictAtStart = Set.of();
  private long bytesSetAside;

  // Those of them that the response under way brought.
  private final List<Twin> response = new ArrayList<>();

  void responseBegins() {
    response.clear();
  }

  /** Takes back a response that broke off: its rows come again as they are then. */
  void rollBack() {
    response.forEach(twin -> requireNonNull(setAside.get(twin.key())).remove(twin.hash()));
    bytesSetAside -= response.stream().mapToLong(Twins::bytes).sum();
  }

  private static long bytes(Twin twin) {
    return twin.row().length() + ROW_OVERHEAD;
  }

  /** Begins a pass; what an earlier attempt set aside is dropped. */
  void passBegins() {
    inConflictAtStart = Set.copyOf(rejected.keySet());
    drop();
  }

  private void drop() {
    setAside.clear();
    response.clear();
    bytesSetAside = 0;
  }

  /** Returns whether rows of the key are set aside during this pass. */
  boolean areSetAside(Key key) {
    return inConflictAtStart.contains(key) || setAside.containsKey(key);
  }

  /**
   * Sets a row aside; returns false when there is no room for it. Of one that was emitted last the
   * text is not kept, so it has room: it will not be emitted again.
   */
  boolean setAside(Twin twin, boolean emittedLast) {
    Map<Long, Twin> twins = setAside.computeIfAbsent(twin.key(), key -> new LinkedHashMap<>());
    Twin kept = emittedLast ? new Twin(twin.key(), twin.hash(), Row.NOTHING) : twin;
    long bytes = bytes(kept);
    boolean hasRoom = emittedLast || bytesSetAside + bytes <= MOST_BYTES_SET_ASIDE;
    if (hasRoom && twins.putIfAbsent(twin.hash(), kept) == null) {
      bytesSetAside += bytes;
      response.add(kept);
    }
    return twins.containsKey(twin.hash());
  }

  /** Returns whether that content of the key was rejected. */
  boolean isRejected(Key key, long hash) {
    return isAmong(rejected.getOrDefault(key, NO_CONTENTS), hash);
  }

  private static boolean isAmong(long[] contents, long hash) {
    return Arrays.stream(contents).anyMatch(each -> each == hash);
  }

  /** Puts a key in conflict: its other content may be a change, which the next pass shows. */
  void doubt(Key key) {
    if (remembered < MOST_REMEMBERED && rejected.putIfAbsent(key, NO_CONTENTS) == null) {
      remembered++;
    }
  }

  /** Records that the key has another content than the one that was emitted. */
  void reject(Key key, long hash) {
    doubt(key);
    long[] contents = rejected.get(key);
    if (contents != null && remembered < MOST_REMEMBERED && !isAmong(contents, hash)) {
      int oldest = contents.length == MOST_REJECTED ? 1 : 0;
      long[] more = Arrays.copyOfRange(contents, oldest, contents.length + 1);
      more[more.length - 1] = hash;
      rejected.put(key, more);
      remembered += 1 - oldest;
    }
  }

  /** Returns how many keys and contents are remembered. */
  int remembered() {
    return remembered;
  }

  /**
   * What the end of a pass decides for one key.
   *
   * @param emitted the row to emit, if the content that was emitted last is gone
   * @param deadLetters the other contents; none ends the conflict
   */
  record Resolution(Key key, List<Twin> emitted, List<Twin> deadLetters) {}

  /**
   * Resolves one key whose rows were set aside: the content that was emitted last stays while a row
   * shows it, otherwise the first row is emitted; the others are dead letters.
   */
  private Resolution resolve(Key key, Map<Long, Twin> shown, Known emittedLast) {
    List<Twin> others = new ArrayList<>(shown.values());
    boolean stays = others.removeIf(twin -> emittedLast.is(twin.hash()));
    List<Twin> emitted = stays ? List.of() : List.of(others.remove(0));
    return new Resolution(key, emitted, others);
  }

  /** Decides what becomes of the rows that were set aside. */
  List<Resolution> resolutions(Function<Key, Known> emittedLast) {
    List<Resolution> resolutions = new ArrayList<>();
    setAside.forEach(
        (key, twins) -> {
          if (!twins.isEmpty()) {
            resolutions.add(resolve(key, twins, emittedLast.apply(key)));
          }
        });
    return resolutions;
  }

  /** Returns whether they reject a content that no pass before has rejected. */
  boolean hasNewDeadLetters(List<Resolution> resolutions) {
    return resolutions.stream()
        .flatMap(each -> each.deadLetters().stream())
        .anyMatch(twin -> !isRejected(twin.key(), twin.hash()));
  }

  /**
   * Ends a pass.
   *
   * @param isGone whether the pass did not show a key
   */
  void passEnded(List<Resolution> resolutions, Predicate<Key> isGone) {
    rejected.keySet().removeIf(isGone);
    resolutions.forEach(resolution -> rejected.remove(resolution.key()));
    remembered = rejected.values().stream().mapToInt(contents -> 1 + contents.length).sum();
    for (Resolution resolution : resolutions) {
      resolution.deadLetters().forEach(twin -> reject(twin.key(), twin.hash()));
    }
    inConflictAtStart = Set.of();
    drop();
  }
}
