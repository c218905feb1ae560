package io.posconnect.fetch;

import io.posconnect.OffsetMap;
import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Image.Header;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Table.Version;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.DigestCodec.DamagedException;
import io.posconnect.offset.DigestCodec.Decoded;
import io.posconnect.offset.Snapshot;
import io.posconnect.offset.StreamContext;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Connect's stored offsets, and the digest that they must hold. */
final class StoredOffsets {

  /** What a damaged segment begins with. */
  private static final String DAMAGE = "AQAA";

  private final BooleanSupplier filtered;
  private final Map<Map<String, ?>, Map<String, Object>> stored = new HashMap<>();
  private final Map<Integer, Version> saved = new HashMap<>();

  /**
   * @param filtered whether increments exist
   */
  StoredOffsets(BooleanSupplier filtered) {
    this.filtered = filtered;
  }

  void store(EmittedRecord sent) {
    stored.put(sent.partition(), stored(sent.record().sourceOffset()));
    sent.owner().saved(sent, saved);
  }

  /** What Connect gives back of what was stored. */
  private static Map<String, Object> stored(Map<String, ?> offset) {
    if (offset == null) {
      return null;
    }
    Map<String, Object> read = new HashMap<>();
    offset.forEach(
        (name, value) -> {
          if (value instanceof String || value instanceof Long || value instanceof Boolean) {
            read.put(name, value);
          } else {
            throw new Violation("an offset holds " + value.getClass());
          }
        });
    return read;
  }

  /** Returns the version of each key in the stored digest. */
  Map<Integer, Version> saved() {
    return saved;
  }

  /** Whether the next process begins with an increment. */
  boolean snapshotted(String snapshotId) {
    Map<String, Object> position = stored.get(Map.of("stream", Things.STREAM.id()));
    return filtered.getAsBoolean()
        && position != null
        && latestSnapshot().equals(snapshotId)
        && position.containsKey("snapshot")
        && position.get("snapshot").equals("completed")
        && Snapshot.parse((String) position.get("snapshot.id"), Snapshot.State.COMPLETED)
            .name()
            .equals(snapshotId);
  }

  /** The {@code snapshot.id} of the latest record; empty when there is none. */
  String latestSnapshot() {
    return Stream.concat(
            position().map(StreamOffset::context).stream(),
            decoded().stream().map(Decoded::context))
        .map(StreamContext::snapshot)
        .max(Comparator.comparingInt(Snapshot::generation))
        .map(Snapshot::name)
        .orElse("");
  }

  /** Sets a watermark by hand that the stream has passed. */
  void rewind(RandomGenerator random) {
    Map<String, String> partition = StreamPartition.position(Things.STREAM).toMap();
    StreamOffset.rewoundTo(Things.STREAM, stored.get(partition))
        .or(() -> position().filter(StreamOffset::snapshotted).map(StreamOffset::watermark))
        .map(watermark -> watermark.minusMillis(random.nextLong(12 * Setup.HOUR)))
        .ifPresent(watermark -> stored.put(partition, Map.of("watermark", watermark.toString())));
  }

  /** Sets the position to null. */
  void resetPosition() {
    stored.remove(StreamPartition.position(Things.STREAM).toMap());
  }

  /** Deletes all offsets. */
  void reset() {
    stored.clear();
    saved.clear();
  }

  /**
   * A segment was lost.
   *
   * @param keys of which it may have held what is known
   * @param shown whether a later segment confirms that it was complete, and not only the position
   */
  record Lost(Set<Integer> keys, boolean shown) {}

  /**
   * Loses a segment that must be there: one that counts, and whose completeness a later one or the
   * position confirms. Empty when there is no such segment.
   */
  Optional<Lost> lose(RandomGenerator random) {
    List<Stored> segments = segments();
    if (segments.isEmpty()) {
      return Optional.empty();
    }
    Header newest = segments.get(segments.size() - 1).header();
    long vouched =
        position()
            .filter(position -> newest.head() <= position.vouched().sequence())
            .map(position -> position.vouched().sequence())
            .orElse(0L);
    List<Stored> counted =
        segments.stream()
            .filter(segment -> segment.header().sequence() >= newest.head())
            // An empty one holds no keys.
            .filter(segment -> segment.header().length() > 0)
            .filter(
                segment ->
                    segment.header().sequence() < Math.max(newest.floor(), vouched)
                        && segment.header().sequence() < newest.sequence())
            .toList();
    if (counted.isEmpty()) {
      return Optional.empty();
    }
    Stored victim = counted.get(random.nextInt(counted.size()));
    stored.remove(StreamPartition.slot(Things.STREAM, victim.slot()).toMap());
    boolean shown = victim.header().sequence() < newest.floor();
    return Optional.of(new Lost(forget(victim), shown));
  }

  private Set<Integer> forget(Stored victim) {
    Set<Integer> lost = new HashSet<>();
    victim.entries().stream()
        .filter(entry -> !entry.key().isDeadLetter())
        .forEach(
            entry -> lost.add((int) (KeyKind.number(entry.key()) / SimulatedService.KEY_STEP)));
    saved.keySet().removeAll(lost);
    return lost;
  }

  /**
   * Damages one to three segments, whether or not they still count. Returns the keys of which they
   * may have held what is known: none where they held dead letters only. Empty when there is no
   * segment.
   */
  Optional<Set<Integer>> damage(RandomGenerator random) {
    List<Stored> segments = segments();
    if (segments.isEmpty()) {
      return Optional.empty();
    }
    Set<Integer> lost = new HashSet<>();
    for (int count = 1 + random.nextInt(3); count > 0 && !segments.isEmpty(); count--) {
      Stored victim = segments.remove(random.nextInt(segments.size()));
      stored.put(
          StreamPartition.slot(Things.STREAM, victim.slot()).toMap(),
          Map.of("digest", DAMAGE + random.nextInt(10)));
      lost.addAll(forget(victim));
    }
    return Optional.of(lost);
  }

  /** Returns whether damage was not written over yet. */
  boolean areDamaged() {
    return stored.values().stream().anyMatch(StoredOffsets::isDamaged);
  }

  private static boolean isDamaged(Map<String, Object> offset) {
    return offset.getOrDefault("digest", "").toString().startsWith(DAMAGE);
  }

  /** Damages the position; returns false where there is none. */
  boolean damagePosition() {
    return stored.computeIfPresent(
            StreamPartition.position(Things.STREAM).toMap(),
            (partition, offset) -> Map.of("watermark", 7L, "version", 2L))
        != null;
  }

  /** The number of the latest event that the stored position vouches for. */
  long number() {
    return position().map(position -> position.context().numbering().seq()).orElse(-1L);
  }

  boolean hasPosition() {
    return position().isPresent();
  }

  private Optional<StreamOffset> position() {
    return StreamOffset.fromMap(
        Things.STREAM, stored.get(StreamPartition.position(Things.STREAM).toMap()));
  }

  /** What is stored of the digest, oldest first. */
  private List<Stored> segments() {
    return new ArrayList<>(decoded().stream().map(Decoded::stored).toList());
  }

  private List<Decoded> decoded() {
    List<Decoded> segments = new ArrayList<>();
    for (Map.Entry<Map<String, ?>, Map<String, Object>> each : stored.entrySet()) {
      StreamPartition partition = StreamPartition.parse(each.getKey());
      if (!partition.isPosition()) {
        try {
          segments.add(DigestCodec.decode(partition, each.getValue()));
        } catch (DamagedException e) {
          if (!isDamaged(each.getValue())) {
            throw new Violation("what was stored is damaged: " + e.getMessage());
          }
        }
      }
    }
    segments.sort(Comparator.comparingLong(segment -> segment.stored().header().sequence()));
    return segments;
  }

  OffsetMap reader() {
    return new OffsetMap(stored);
  }
}
