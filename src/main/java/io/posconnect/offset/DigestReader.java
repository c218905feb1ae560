package io.posconnect.offset;

import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Image.State;
import io.posconnect.change.Image.Vouched;
import io.posconnect.offset.DigestCodec.DamagedException;
import io.posconnect.offset.DigestCodec.Decoded;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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

  private DigestReader() {}

  /**
   * The segments of a digest.
   *
   * @param segments what was read, oldest first; also those that no longer count
   * @param unreadable slots whose content is damaged
   * @param lost why what was found is not everything; empty when it is
   */
  public record Restored(List<Decoded> segments, List<Integer> unreadable, Optional<String> lost) {
    public Restored {
      segments = List.copyOf(segments);
      unreadable = List.copyOf(unreadable);
    }

    /** More than any slot that is known to be in use. */
    public int slots() {
      return segments.stream().mapToInt(s -> s.stored().header().slots()).max().orElse(0);
    }

    /** The state of the stream at its latest record; empty when there is none. */
    public Optional<StreamContext> newest() {
      return segments.isEmpty()
          ? Optional.empty()
          : Optional.of(segments.get(segments.size() - 1).context());
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
   */
  public static Restored read(
      @Nullable StreamOffset position, SortedMap<Integer, Map<String, Object>> offsets) {
    SortedMap<Long, Decoded> bySequence = new TreeMap<>();
    List<Integer> unreadable = new ArrayList<>();
    @Nullable String fault = null;
    for (Map.Entry<Integer, Map<String, Object>> each : offsets.entrySet()) {
      try {
        Decoded decoded = DigestCodec.decode(each.getKey(), each.getValue());
        if (bySequence.put(decoded.stored().header().sequence(), decoded) != null) {
          fault = "two slots hold the same segment";
        }
      } catch (DamagedException e) {
        unreadable.add(each.getKey());
        fault = "slot " + each.getKey() + ": " + e.getMessage();
      }
    }
    List<Decoded> segments = List.copyOf(bySequence.values());
    Vouched vouched = position == null ? null : vouched(position, segments);
    return new Restored(
        segments, unreadable, Optional.ofNullable(fault == null ? loss(segments, vouched) : fault));
  }

  /**
   * The part that must be stored. Nothing once a later snapshot has begun: it emits everything once
   * more, and where that is because of a loss, the loss is found no second time.
   */
  private static @Nullable Vouched vouched(StreamOffset position, List<Decoded> segments) {
    Snapshot known = position.context().snapshot();
    boolean later = segments.stream().anyMatch(s -> s.context().snapshot().isAfter(known));
    return later ? null : position.vouched();
  }

  private static @Nullable String loss(List<Decoded> segments, @Nullable Vouched vouched) {
    if (segments.isEmpty()) {
      boolean expected = vouched != null && (vouched.sum() != 0 || vouched.length() > 0);
      return expected ? "nothing is there" : null;
    }
    Header newest = segments.get(segments.size() - 1).stored().header();
    if (sum(segments, newest.head(), newest.floor()) != newest.sum() - newest.base()) {
      return "segments below " + newest.floor() + " are absent or too short";
    }
    if (vouched == null || vouched.sequence() < newest.head()) {
      return null;
    }
    if (sum(segments, newest.head(), vouched.sequence()) != vouched.sum() - newest.base()) {
      return "segments below " + vouched.sequence() + " are absent or too short";
    }
    boolean there =
        vouched.length() == 0
            || segments.stream()
                .map(segment -> segment.stored().header())
                .anyMatch(
                    header ->
                        header.sequence() == vouched.sequence()
                            && header.length() >= vouched.length());
    return there ? null : "segment " + vouched.sequence() + " is absent or too short";
  }

  private static long sum(List<Decoded> segments, long from, long below) {
    return segments.stream()
        .map(segment -> segment.stored().header())
        .filter(header -> header.sequence() >= from && header.sequence() < below)
        .mapToLong(header -> Image.checksum(header.sequence(), header.run(), header.length()))
        .sum();
  }
}
