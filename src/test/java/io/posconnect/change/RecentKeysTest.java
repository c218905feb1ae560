package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest.Segments;
import io.posconnect.resource.Key;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecentKeysTest {

  @Test
  void remembersAsAMapOfTimesDoes() {
    RandomCases.check(
        300,
        random -> {
          RecentKeys recent = new RecentKeys(new Digest(Segments.DEFAULT, new SplittableRandom(1)));
          Map<Key, Long> times = new HashMap<>();
          long clock = random.nextLong();
          long oldest = 0;
          long now = 0;
          int keys = 1 + random.nextInt(200);
          for (int step = 0; step < 500; step++) {
            now += random.nextInt(3);
            int number = random.nextInt(keys);
            Key key = random.nextBoolean() ? Key.of(number) : Key.of("[" + number + "]");
            switch (random.nextInt(8)) {
              case 0 -> {
                recent.remove(key);
                times.remove(key);
              }
              case 1 -> {
                oldest = Math.max(oldest, now - random.nextInt(50));
                recent.forget(clock + oldest);
              }
              default -> {
                recent.add(key, clock + now);
                times.put(key, now);
              }
            }
            long since = oldest + random.nextLong(now - oldest + 1);
            assertThat(recent.isSince(key, clock + since))
                .isEqualTo(times.getOrDefault(key, -1L) >= since);
            assertThat(recent.size(clock + since))
                .isEqualTo((int) times.values().stream().filter(at -> at >= since).count());
          }
        });
  }
}
