package io.posconnect.task;

import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.DigestReader;
import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Stream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads back, in a few calls for all streams of a task, where each of them left off and what it had
 * said until then.
 */
public final class OffsetLoader {

  /**
   * What of a stream's settings bears upon its return.
   *
   * @param snapshotId the configured one
   * @param maxKeys how many keys the digest may hold now
   * @param exactlyOnce whether records and offsets commit together
   * @param scope what its digest is of now
   */
  public record Wanted(
      Stream stream, String snapshotId, int maxKeys, boolean exactlyOnce, DigestScope scope) {}

  /**
   * Where the stream goes on, and its digest.
   *
   * @param refusal why nothing is to be read of it under this configuration; null when it goes on
   * @param notice what has changed about rows that stay in the topic as they are; null for nothing
   */
  public record Restart(
      StreamOffset offset, Digest digest, @Nullable String refusal, @Nullable String notice) {
    Restart(StreamOffset offset, Digest digest, @Nullable String refusal) {
      this(offset, digest, refusal, null);
    }

    Restart(StreamOffset offset, Digest digest) {
      this(offset, digest, null);
    }
  }

  private final OffsetStorageReader reader;
  private final InstantSource clock;
  private final Segments segments;
  private final RandomGenerator random;

  /**
   * @param clock tells when a numbering of events begins
   * @param segments how digests are stored from now on
   * @param random names the process in what it stores
   */
  public OffsetLoader(
      OffsetStorageReader reader, InstantSource clock, Segments segments, RandomGenerator random) {
    this.reader = reader;
    this.clock = clock;
    this.segments = segments;
    this.random = random;
  }

  /** Where each of the streams goes on. */
  public Map<Stream, Restart> restore(Collection<Wanted> wanted) {
    List<StreamPartition> partitions =
        wanted.stream().map(w -> StreamPartition.position(w.stream())).toList();
    Map<Map<String, String>, Map<String, Object>> positions =
        reader.offsets(partitions.stream().map(StreamPartition::toMap).toList());
    List<Loading> streams = new ArrayList<>();
    for (Wanted each : wanted) {
      Map<String, String> partition = StreamPartition.position(each.stream()).toMap();
      streams.add(new Loading(each, StreamOffset.fromMap(each.stream(), positions.get(partition))));
    }
    // One call for all: asked one by one, thousands of partitions take seconds.
    for (List<Loading> more = streams; !more.isEmpty(); ) {
      List<Map<String, String>> slots = new ArrayList<>();
      more.forEach(loading -> slots.addAll(loading.partitions()));
      Map<Map<String, String>, Map<String, Object>> offsets = reader.offsets(slots);
      more.forEach(loading -> loading.take(offsets));
      more = more.stream().filter(Loading::namesMore).toList();
    }
    Map<Stream, Restart> restarts = new HashMap<>();
    for (Loading each : streams) {
      Restored restored = each.restored();
      Function<String, Digest> digest =
          id ->
              Digest.restore(
                  restored.stored(id, each.wanted.scope()),
                  restored.unreadable(),
                  each.position.map(position -> position.vouched().sequence()).orElse(0L),
                  segments,
                  random);
      Resumption resumption = new Resumption(each.wanted, each.position, restored, digest);
      restarts.put(each.wanted.stream(), resumption.restart(clock.millis()));
    }
    return restarts;
  }

  /** One stream whose slots are being read. */
  private static final class Loading {
    private final Wanted wanted;
    private final Optional<StreamOffset> position;
    private final SortedMap<Integer, Map<String, Object>> slots = new TreeMap<>();
    private int known;
    private List<Map<String, String>> asked = List.of();
    private int next;
    private Restored restored = new Restored(List.of(), List.of(), Optional.empty());

    Loading(Wanted wanted, Optional<StreamOffset> position) {
      this.wanted = wanted;
      this.position = position;
      known = position.map(p -> p.vouched().slots()).orElse(0);
    }

    List<Map<String, String>> partitions() {
      asked = DigestReader.partitions(wanted.stream(), next, known);
      return asked;
    }

    void take(Map<Map<String, String>, Map<String, Object>> offsets) {
      for (Map<String, String> partition : asked) {
        Map<String, Object> offset = offsets.get(partition);
        if (offset != null && !offset.isEmpty()) {
          DigestCodec.refuseNewer(StreamPartition.parse(partition), offset);
          slots.put(next, offset);
        }
        next++;
      }
      // Once for each round: a digest of many keys takes a while to decode.
      restored = DigestReader.read(position.filter(p -> !p.rewound()).orElse(null), slots);
      known = restored.slots();
    }

    /** Whether what was read so far names slots near which others were not asked for. */
    boolean namesMore() {
      return !DigestReader.partitions(wanted.stream(), next, known).isEmpty();
    }

    /** What was found in all rounds. */
    Restored restored() {
      return restored;
    }
  }
}
