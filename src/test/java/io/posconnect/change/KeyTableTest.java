package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.RandomCases;
import io.posconnect.change.Image.State;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeyTableTest {

  private static final long SALT = 5;

  /** Keys that all want the last or the first slots of any table of up to 1024. */
  private static final List<Key> COLLIDING = colliding();

  private static List<Key> colliding() {
    Hasher64 hasher = Hashing.komihash5_0(SALT);
    List<Key> keys = new ArrayList<>();
    LongStream.range(0, Long.MAX_VALUE)
        .filter(i -> home(hasher.hashLongToLong(i)))
        .limit(100)
        .forEach(i -> keys.add(Key.of(i)));
    LongStream.range(0, Long.MAX_VALUE)
        .mapToObj(i -> "[" + i + "]")
        .filter(text -> home(hasher.hashCharsToLong(text)))
        .limit(100)
        .forEach(text -> keys.add(Key.of(text)));
    return keys;
  }

  private static boolean home(long hash) {
    return ((hash + 2) & 1023) < 4;
  }

  private static Key key(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> Key.of(random.nextLong(300));
      case 1 -> Key.of("" + random.nextInt(300));
      case 2 -> Key.of(random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE);
      default -> COLLIDING.get(random.nextInt(COLLIDING.size()));
    };
  }

  private static int add(KeyTable table, Key key) {
    table.set(key, Word.of(State.CURRENT, 1), 0, 0);
    return table.find(key);
  }

  @Test
  void findsWhatAMapWould() {
    RandomCases.check(
        300,
        random -> {
          KeyTable table = new KeyTable(SALT);
          Map<Key, Integer> map = new HashMap<>();
          int adds = random.nextInt(3, 9);
          int most = 0;
          for (int step = random.nextInt(3000); step > 0; step--) {
            Key key = key(random);
            Integer place = map.get(key);
            assertThat(table.find(key)).isEqualTo(place == null ? KeyTable.NONE : place);
            if (place == null && random.nextInt(10) < adds) {
              int added = add(table, key);
              assertThat(map).doesNotContainValue(added);
              map.put(key, added);
            } else if (place != null && random.nextInt(10) >= adds) {
              table.drop(place);
              map.remove(key);
            }
            assertThat(table.size()).isEqualTo(map.size());
            most = Math.max(most, map.size());
          }
          map.forEach(
              (key, place) -> {
                assertThat(table.find(key)).isEqualTo(place);
                assertThat(table.key(place)).isEqualTo(key);
              });
          assertThat(table.bound()).as("indexes are used again").isEqualTo(most);
        });
  }

  @Test
  void distinguishesNumberFromText() {
    KeyTable table = new KeyTable(SALT);
    int number = add(table, Key.of(0));
    assertThat(table.find(Key.of(""))).isEqualTo(KeyTable.NONE);
    int text = add(table, Key.of("0"));

    assertThat(table.find(Key.of(0))).isEqualTo(number);
    assertThat(table.find(Key.of("0"))).isEqualTo(text);
  }
}
