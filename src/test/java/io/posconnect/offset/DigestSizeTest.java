package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.change.Image;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a digest costs in Connect's offsets: as it stands there, and each time something changes.
 */
class DigestSizeTest {

  private static final Stream STREAM = new Stream("downtown", "inventory");
  private static final DigestScope SCOPE =
      new DigestScope(
          "pos.inventory",
          "location,inventoryId:int64",
          "",
          "full /reporting/inventory",
          "1f3a9c0b");
  private static final StreamOffset START =
      StreamOffset.start(
          new StreamContext(
              Snapshot.first("2026-01-01"), SCOPE, Numbering.NONE, "Acme/Downtown", ""));
  private static final int CEILING = 64 * 1024;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RandomGenerator random = new SplittableRandom(7);
  private final Digest digest = new Digest(Segments.DEFAULT, random);
  private final Map<Map<String, String>, Integer> stored = new HashMap<>();
  private long seq;
  private long written;
  private int largest;

  /**
   * A fetch in which those keys change; its records are one transaction, its checkpoint another.
   */
  private void fetch(List<Key> keys) throws JsonProcessingException {
    digest.tick();
    Map<Integer, Image> last = new HashMap<>();
    List<Image> images = new ArrayList<>();
    for (Key key : keys) {
      if (digest.remember(key, random.nextLong() >>> 8)) {
        seq++;
        Image image = digest.image(1);
        images.add(image);
        last.put(image.slot(), image);
      }
    }
    StreamOffset position =
        START
            .withWatermark(Instant.EPOCH.plusSeconds(seq))
            .withSnapshotCompleted(StreamOffset.NEVER)
            .withContext(c -> c.withNumbering(new Numbering(seq, 1_764_000_000_123L)));
    for (Image image : last.values()) {
      put(
          StreamPartition.slot(STREAM, image.slot()),
          DigestCodec.encode(image, position.context()));
    }
    images.forEach(image -> image.acknowledged(true));
    put(StreamPartition.position(STREAM), position.withDigest(digest.mark().get()).toMap(STREAM));
  }

  /** As Connect writes it: key and value are JSON. */
  private void put(StreamPartition partition, Map<String, Object> offset)
      throws JsonProcessingException {
    int size =
        JSON.writeValueAsBytes(List.of("pos", partition.toMap())).length
            + JSON.writeValueAsBytes(offset).length;
    stored.put(partition.toMap(), size);
    written += size;
    largest = Math.max(largest, size);
  }

  private void fill(int keys, LongFunction<Key> key) throws JsonProcessingException {
    for (int from = 0; from < keys; from += 500) {
      List<Key> page = new ArrayList<>();
      for (int i = from; i < Math.min(keys, from + 500); i++) {
        page.add(key.apply(i));
      }
      fetch(page);
    }
  }

  /** What the keys are, the key of each row, and the bytes that one may take. */
  static List<Arguments> kinds() {
    SplittableRandom dice = new SplittableRandom(3);
    return List.of(
        kind("dense", Key::of, 12),
        kind("random", i -> Key.of(dice.nextLong()), 25),
        kind(
            "snowflakes",
            i -> Key.of((1_700_000_000_000L + i * 977) << 22 | dice.nextInt(32) << 12 | i % 3),
            20),
        kind("numbers of a register and its store", i -> Key.of(i << 16 | 17), 15),
        kind("UUIDs", i -> Key.of("[\"" + new UUID(dice.nextLong(), dice.nextLong()) + "\"]"), 70));
  }

  private static Arguments kind(String name, LongFunction<Key> key, double most) {
    return Arguments.of(name, key, most);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aHundredThousandKeysStaySmall(String kind, LongFunction<Key> key, double most)
      throws JsonProcessingException {
    fill(100_000, key);
    double each = stored.values().stream().mapToInt(size -> size).sum() / 100_000.0;

    assertThat(each).as("bytes a key, %s", kind).isLessThan(most);
    assertThat(largest).isLessThan(CEILING);
    assertThat(stored.size()).as("offsets").isLessThan(1600);
  }

  /** Bytes of offsets for each changed row, once the log goes round. */
  private double perChange(int keys, int changes, int fetches) throws JsonProcessingException {
    fill(keys, Key::of);
    for (int i = 0; i < fetches; i++) {
      fetch(changed(keys, changes));
    }
    written = 0;
    for (int i = 0; i < fetches; i++) {
      fetch(changed(keys, changes));
    }
    return (double) written / fetches / changes;
  }

  private List<Key> changed(int keys, int changes) {
    return random.ints(0, keys).distinct().limit(changes).mapToObj(Key::of).toList();
  }

  @Test
  void sixtyChangesOfTwentyThousandKeysStayCheap() throws JsonProcessingException {
    assertThat(perChange(20_000, 60, 1500)).isLessThan(80);
    assertThat(largest).isLessThan(CEILING);
    assertThat(stored.size()).as("offsets").isLessThan(250);
  }

  @Test
  void twoHundredChangesOfHundredThousandKeysStayCheap() throws JsonProcessingException {
    assertThat(perChange(100_000, 200, 600)).isLessThan(60);
    assertThat(largest).isLessThan(CEILING);
    assertThat(stored.size()).as("offsets").isLessThan(1000);
  }
}
