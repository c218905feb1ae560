package io.posconnect.offset;

import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Image.State;
import io.posconnect.change.Image.Vouched;
import io.posconnect.offset.DigestCodec.DamagedException;
import io.posconnect.offset.DigestCodec.Decoded;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream's digest back from the slots in which its segments were stored, and distinguishes
 * a lost part from one that never was.
 */
public final class DigestReader {

  /**
   * So many slots beyond the known ones are looked into: more than can have been taken without one
   * of those before having been committed, which would name them.
   */
  static final int WINDOW = 256;

  /** So many damaged segments are named at most, since offsets must stay small. */
  private static final int MOST_NAMED = 1_000;

  private DigestReader() {}

  /** A part of a digest cannot be read: it is lost, or of an earlier form. */
  public record Loss(Problem problem, String detail) {}

  /**
   * The segments of a digest.
   *
   * @param segments what was read, oldest first; also those that no longer count
   * @param unreadable slots whose content is damaged
   * @param damaged the marks of what those hold
   * @param loss why what was found is not everything; empty when it is
   */
  public record Restored(
      List<Decoded> segments, List<Integer> unreadable, String damaged, Optional<Loss> loss) {
    /** More than any slot that is known to be in use. */
    public int slots() {
      return segments.stream().mapToInt(s -> s.stored().header().slots()).max().orElse(0);
    }

    /** The segment of the stream's latest record; empty when there is none. */
    public Optional<Decoded> newest() {
      return segments.isEmpty() ? Optional.empty() : Optional.of(segments.get(segments.size() - 1));
    }

    /**
     * The segments for a digest of that scope: entries of another snapshot are stale. Those of
     * other keys or another topic are dropped, with all before them: who goes back to an earlier
     * topic would find only some of what stands there.
     */
    public List<Stored> stored(Snapshot snapshot, DigestScope scope) {
      List<Stored> stored = new ArrayList<>();
      boolean continues = true;
      for (int i = segments.size() - 1; i >= 0; i--) {
        Decoded segment = segments.get(i);
        continues &= scope.continues(segment.context().scope());
        stored.add(0, continues ? stored(segment, snapshot) : empty(segment.stored()));
      }
      return stored;
    }

    private static Stored empty(Stored stored) {
      return new Stored(stored.header(), stored.slot(), List.of());
    }

    private static Stored stored(Decoded segment, Snapshot snapshot) {
      Stored stored = segment.stored();
      if (segment.context().snapshot().isSameAs(snapshot)) {
        return stored;
      }
      List<StoredEntry> stale =
          stored.entries().stream()
              .map(e -> e.state() == State.CURRENT ? new StoredEntry(e.key(), State.STALE, 0) : e)
              .toList();
      return new Stored(stored.header(), stored.slot(), stale);
    }
  }

  /**
   * The partitions to ask Connect for; none once enough beyond the known ones were asked for.
   *
   * @param from the first slot that was not asked for yet
   * @param slots how many are known to have been in use
   */
  public static List<Map<String, String>> partitions(Stream stream, int from, int slots) {
    List<Map<String, String>> partitions = new ArrayList<>();
    for (int slot = from; slot < slots + WINDOW; slot++) {
      partitions.add(StreamPartition.slot(stream, slot).toMap());
    }
    return partitions;
  }

  /**
   * Reads what Connect answered.
   *
   * @param position null when there is none, or a person has set it
   * @param offsets by slot; what is absent there was never stored
   * @throws ConnectException when a newer build has written one of them
   */
  public static Restored read(
      @Nullable StreamOffset position, Map<StreamPartition, Map<String, Object>> offsets) {
    SortedMap<Long, Decoded> bySequence = new TreeMap<>();
    List<Integer> unreadable = new ArrayList<>();
    Map<String, Loss> damaged = new LinkedHashMap<>();
    for (Map.Entry<StreamPartition, Map<String, Object>> each : offsets.entrySet()) {
      int slot = each.getKey().number();
      try {
        Decoded decoded = DigestCodec.decode(each.getKey(), each.getValue());
        if (bySequence.putIfAbsent(decoded.stored().header().sequence(), decoded) != null) {
          throw new DamagedException("another slot holds the same segment");
        }
      } catch (DamagedException e) {
        unreadable.add(slot);
        damaged.put(
            DigestCodec.mark(slot, each.getValue()),
            new Loss(e.problem, "slot " + slot + ": " + e.getMessage()));
      }
    }
    List<Decoded> segments = List.copyOf(bySequence.values());
    String marks = damaged.keySet().stream().limit(MOST_NAMED).collect(Collectors.joining(" "));
    // A snapshot has answered the damage that its records name.
    damaged.keySet().removeIf(mark -> isNamed(mark, position, segments));
    Optional<Loss> loss =
        damaged.values().stream()
            .findFirst()
            .or(() -> absent(position, segments).map(what -> new Loss(Problem.DIGEST_LOST, what)));
    return new Restored(segments, List.copyOf(unreadable), marks, loss);
  }

  private static boolean isNamed(
      String mark, @Nullable StreamOffset position, List<Decoded> segments) {
    return (position != null && position.context().damaged().contains(mark))
        || segments.stream().anyMatch(segment -> segment.context().damaged().contains(mark));
  }

  /**
   * The part that must be stored and is not. What a later snapshot replaced need not be there: it
   * emits everything once more, and where that is because of a loss, the loss is found no second
   * time.
   */
  private static Optional<String> absent(@Nullable StreamOffset position, List<Decoded> segments) {
    Vouched vouched = position == null ? Vouched.NOTHING : position.vouched();
    if (segments.isEmpty()) {
      boolean none = vouched.sum() == 0 && vouched.length() == 0;
      return none ? Optional.empty() : Optional.of("nothing is there");
    }
    Decoded last = segments.get(segments.size() - 1);
    Header newest = last.stored().header();
    Snapshot latest = last.context().snapshot();
    Snapshot known = position == null ? latest : position.context().snapshot();
    if (!known.isAfter(latest) && !isThere(segments, newest, newest.floor(), newest.sum(), 0)) {
      return Optional.of("segments below " + newest.floor() + " are absent or too short");
    }
    boolean counts =
        position != null && !latest.isAfter(known) && vouched.sequence() >= newest.head();
    return !counts || isThere(segments, newest, vouched.sequence(), vouched.sum(), vouched.length())
        ? Optional.empty()
        : Optional.of("segment " + vouched.sequence() + " or one below is absent or too short");
  }

  /** Returns whether all segments below one are stored, and so many entries of that one. */
  private static boolean isThere(
      List<Decoded> segments, Header newest, long below, long sum, int length) {
    return sum(segments, newest.head(), below) == sum - newest.base()
        && (length == 0
            || segments.stream()
                .map(segment -> segment.stored().header())
                .anyMatch(header -> header.sequence() == below && header.length() >= length));
  }

  private static long sum(List<Decoded> segments, long from, long below) {
    return segments.stream()
        .map(segment -> segment.stored().header())
        .filter(header -> header.sequence() >= from && header.sequence() < below)
        .mapToLong(header -> Image.checksum(header.sequence(), header.run(), header.length()))
        .sum();
  }
}
