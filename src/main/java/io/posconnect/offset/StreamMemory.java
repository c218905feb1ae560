package io.posconnect.offset;

import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one stream as Connect prints it: the position and every slot of the digest. It can
 * be moved, to a stream of the same name that has none, whole or not at all.
 *
 * <p>Segments know of those before them, so a set shows by itself that it is whole, up to what its
 * position vouches for. Only {@link #sealed} shows it of the events after that.
 */
public final class StreamMemory {

  private final Stream stream;

  private final SortedMap<StreamPartition, Map<String, Object>> offsets =
      new TreeMap<>(Comparator.comparingInt(StreamPartition::number));

  private StreamMemory(Stream stream) {
    this.stream = stream;
  }

  /**
   * Sorts offsets by stream; a null, which resets a partition, belongs to no memory.
   *
   * @throws ConnectException when a partition is none of ours
   */
  public static Collection<StreamMemory> of(
      Map<? extends Map<String, ?>, ? extends @Nullable Map<String, ?>> offsets) {
    SortedMap<Stream, StreamMemory> all = new TreeMap<>();
    offsets.forEach(
        (partition, offset) -> {
          if (offset != null) {
            StreamPartition parsed = StreamPartition.parse(partition);
            all.computeIfAbsent(parsed.stream(), StreamMemory::new)
                .offsets
                .put(parsed, new TreeMap<>(offset));
          }
        });
    return all.values();
  }

  public Stream stream() {
    return stream;
  }

  /** Returns whether there is a position, other than one that a person has set. */
  public boolean hasPosition() {
    return stored().containsKey(StreamOffsetFields.VERSION);
  }

  private Map<String, Object> stored() {
    return offsets.getOrDefault(StreamPartition.position(stream), Map.of());
  }

  /**
   * The position.
   *
   * @throws ConnectException unless it is exactly what a connector has stored of this stream
   */
  public StreamOffset position() {
    Object checksum = stored().get(StreamOffsetFields.CHECKSUM);
    if (!StreamOffsetFields.checksum(stream, stored()).equals(checksum)) {
      throw refused(
          checksum == null
              ? "it has no position that this version stored; let its connector read it first"
              : "its position was changed, or is another stream's");
    }
    return StreamOffset.fromMap(stream, stored()).orElseThrow();
  }

  /**
   * The digest.
   *
   * @throws ConnectException unless all of it is there that the position vouches for, and nothing
   *     that does not belong to it
   */
  public Restored digest() {
    StreamOffset from = position();
    Restored restored = DigestReader.read(from, offsets.tailMap(StreamPartition.slot(stream, 0)));
    if (restored.loss().isPresent()) {
      throw refused("parts of the digest are absent or damaged: " + restored.loss().get().detail());
    }
    Snapshot snapshot = from.context().snapshot();
    boolean foreign =
        restored.segments().stream()
            .map(DigestCodec.Decoded::context)
            .filter(context -> context.snapshot().isSameAs(snapshot))
            .anyMatch(context -> !from.context().scope().continues(context.scope()));
    if (foreign) {
      throw refused("parts of the digest are of another topic, or of other keys");
    }
    Object seal = stored().get(StreamOffsetFields.MOVED);
    if (seal != null && !seal.equals(seal())) {
      throw refused("it is not, or no longer, the \"" + seal + "\" that were moved");
    }
    return restored;
  }

  private String seal() {
    Map<String, Map<String, Object>> all = new TreeMap<>();
    offsets.forEach((partition, offset) -> all.put(partition.toString(), new TreeMap<>(offset)));
    all.values().forEach(offset -> offset.remove(StreamOffsetFields.MOVED));
    // The worker may have another locale than the tool.
    return all.size() + " partitions, checksum " + DigestCodec.mark(stream, all);
  }

  /** The same, which is refused once any part of it is absent or changed. */
  public StreamMemory sealed() {
    StreamMemory sealed = new StreamMemory(stream);
    sealed.offsets.putAll(offsets);
    Map<String, Object> position = new TreeMap<>(stored());
    position.put(StreamOffsetFields.MOVED, seal());
    sealed.offsets.put(StreamPartition.position(stream), position);
    return sealed;
  }

  /** The offsets by partition, the position first. */
  public Map<Map<String, String>, Map<String, Object>> offsets() {
    Map<Map<String, String>, Map<String, Object>> all = new LinkedHashMap<>();
    offsets.forEach((partition, offset) -> all.put(partition.toMap(), offset));
    return all;
  }

  /** The refusal of this memory. */
  public ConnectException refused(String why) {
    return new ConnectException(Problem.MEMORY_REFUSED.at("the memory of " + stream, why));
  }
}
