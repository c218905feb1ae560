package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.RandomCases;
import io.posconnect.change.Image.State;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeyTableTest {

  private static final long SALT = 5;
  private static final int LONGEST = 300;

  /** Keys that all want the last or the first slots of any table of up to 512. */
  private static final List<Key> COLLIDING = colliding();

  private static List<Key> colliding() {
    Hasher64 hasher = Hashing.komihash5_0(SALT);
    List<Key> keys = new ArrayList<>();
    LongStream.range(0, Long.MAX_VALUE)
        .filter(i -> wraps(hasher.hashLongToLong(i)))
        .limit(100)
        .forEach(i -> keys.add(Key.of(i)));
    LongStream.range(0, Long.MAX_VALUE)
        .mapToObj(i -> "[" + i + "]")
        .filter(text -> wraps(hasher.hashCharsToLong(text)))
        .limit(100)
        .forEach(text -> keys.add(Key.of(text)));
    return keys;
  }

  private static boolean wraps(long hash) {
    return (int) hash >>> 24 == 0 || (int) hash >>> 24 == 0xFF;
  }

  private static Key key(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> Key.of(random.nextLong(300));
      case 1 -> Key.of("" + random.nextInt(300));
      case 2 -> Key.of(random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE);
      default -> COLLIDING.get(random.nextInt(COLLIDING.size()));
    };
  }

  /** Segments that are released in their order, each when none of its entries is the latest. */
  private static final class Entries {
    private final KeyTable table;
    private final Deque<Segment> segments = new ArrayDeque<>();
    private int longest = 1;

    Entries(KeyTable table) {
      this.table = table;
    }

    int add(Key key, State state, int tick) {
      if (segments.isEmpty() || segments.getLast().length() == longest) {
        segments.add(new Segment(1, 1, 0));
      }
      segments.getLast().append(key, Word.of(state, 0), tick);
      table.set(key, segments.getLast());
      return table.find(key);
    }

    boolean releasedOldest() {
      Segment oldest = segments.getFirst();
      boolean isNeeded =
          oldest == segments.getLast()
              || IntStream.range(0, oldest.length()).anyMatch(entry -> isLatest(oldest, entry));
      if (!isNeeded) {
        oldest.trim();
        table.release(segments.remove());
      }
      return !isNeeded;
    }

    private boolean isLatest(Segment segment, int entry) {
      int at = table.find(segment.entries().key(entry));
      return at != KeyTable.NONE && table.is(at, segment, entry);
    }
  }

  @Test
  void findsWhatAMapWould() {
    RandomCases.check(
        300,
        random -> {
          KeyTable table = new KeyTable(SALT);
          Entries entries = new Entries(table);
          Map<Key, Integer> seen = new HashMap<>();
          int adds = random.nextInt(3, 9);
          for (int step = random.nextInt(3000); step > 0; step--) {
            entries.longest = random.nextInt(1, LONGEST);
            Key key = key(random);
            int at = table.find(key);
            assertThat(at != KeyTable.NONE).isEqualTo(seen.containsKey(key));
            if (random.nextInt(10) < adds) {
              entries.add(key, State.CURRENT, step);
              seen.put(key, step);
            } else if (at != KeyTable.NONE) {
              table.drop(at);
              seen.remove(key);
            }
            assertThat(table.size()).isEqualTo(seen.size());
            while (entries.segments.size() > 1 && entries.releasedOldest()) {}
          }
          seen.forEach(
              (key, tick) -> {
                int at = table.find(key);
                assertThat(table.key(at)).isEqualTo(key);
                assertThat(table.seen(at)).isEqualTo(tick);
              });
          assertThat(table.seenBefore(Long.MAX_VALUE).mapToObj(table::key))
              .containsExactlyInAnyOrderElementsOf(seen.keySet());
        });
  }

  @Test
  void usesNumbersOfSegmentsAgain() {
    KeyTable table = new KeyTable(SALT);
    Entries entries = new Entries(table);
    entries.longest = 12_288;
    int highest = 0;
    for (int i = 0; i < 5_000_000; i++) {
      highest = Math.max(highest, entries.add(Key.of(7), State.CURRENT, 0));
      if (i % 10_000 == 0) {
        entries.releasedOldest();
      }
    }
    assertThat(highest).isLessThan(6 << 14);
    assertThat(table.size()).isEqualTo(1);
  }
}
