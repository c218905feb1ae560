package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.resource.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** However a list shrinks, more than the share is never believed within an hour at first sight. */
class DeleteDetectorTest {

  private static final double RATIO = 0.3;
  private static final Duration CONFIRM = Duration.ofMinutes(10);
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();

  /** A list of keys, and the passes that are made over it. */
  private static final class Passes {
    private final Digest digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));
    private final DeleteDetector detector;
    private final List<Key> list = new ArrayList<>();
    private final Map<Key, Long> lastSeen = new HashMap<>();
    private final Set<Key> deleted = new HashSet<>();

    /** When a key was deleted at first sight, once for each. */
    private final List<Long> unconfirmed = new ArrayList<>();

    private final List<Long> deletes = new ArrayList<>();

    private long now;

    Passes(int keys, boolean shifting) {
      detector = new DeleteDetector(digest, shifting, RATIO, CONFIRM);
      for (int key = 0; key < keys; key++) {
        list.add(Key.of(key));
      }
      pass();
    }

    Verdict pass() {
      long tick = digest.tick();
      for (Key key : list) {
        digest.classify(key, 1);
        lastSeen.put(key, now);
      }
      Verdict verdict = detector.judge(tick, key -> false, now);
      for (Key key : verdict.gone()) {
        assertThat(list).doesNotContain(key);
        digest.remove(key);
        deleted.add(key);
        deletes.add(now);
        if (now - lastSeen.get(key) <= CONFIRM.toNanos()) {
          unconfirmed.add(now);
        }
      }
      return verdict;
    }

    /** Of fewer keys than the guard looks at, all may go at once. */
    long keysAnHourAgo() {
      return digest.size() + deletes.stream().filter(at -> now - at <= HOUR).count();
    }

    long unconfirmedWithinTheHour() {
      return unconfirmed.stream().filter(at -> now - at <= HOUR).count();
    }
  }

  @Test
  void aListThatShrinksByAFewPercentEachReadIsNotBelievedForLong() {
    RandomCases.check(
        300,
        random -> {
          int keys = 20 + random.nextInt(500);
          Passes passes = new Passes(keys, random.nextBoolean());
          double most = 0.01 + random.nextDouble() * 0.5;
          for (int read = 0; read < 60; read++) {
            passes.now += MINUTE * (1 + random.nextInt(4));
            passes.list.removeIf(key -> random.nextDouble() < most);
            long before = passes.unconfirmed.size();
            passes.pass();
            boolean believed = passes.unconfirmed.size() > before;
            if (believed && passes.keysAnHourAgo() >= DeleteDetector.GUARDED_SIZE) {
              assertThat(passes.unconfirmedWithinTheHour())
                  .isLessThanOrEqualTo((long) (RATIO * passes.keysAnHourAgo()));
            }
          }
        });
  }

  @Test
  void whateverIsReallyGoneIsDeletedInTheEnd() {
    RandomCases.check(
        100,
        random -> {
          Passes passes = new Passes(1 + random.nextInt(200), random.nextBoolean());
          int before = passes.list.size();
          passes.list.removeIf(key -> random.nextInt(3) > 0);
          for (int read = 0; read < 30; read++) {
            passes.now += MINUTE;
            passes.pass();
          }
          assertThat(passes.deleted).hasSize(before - passes.list.size());
        });
  }

  @Test
  void aFewDeletesAreBelievedAtOnce() {
    Passes passes = new Passes(100, false);
    for (int read = 0; read < 30; read++) {
      passes.now += MINUTE;
      passes.list.remove(0);
      assertThat(passes.pass().gone()).hasSize(1);
    }
    passes.now += MINUTE;
    passes.list.remove(0);
    Verdict held = passes.pass();
    assertThat(held.gone()).isEmpty();
    assertThat(held.guarded()).isTrue();
  }
}
