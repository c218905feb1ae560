package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.change.Digest.Segments;
import io.posconnect.resource.Key;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How much of the heap a digest takes, what waits for a commit included. */
class DigestMemoryTest {

  private static final int KEYS = 1_000_000;

  // Two polls of the usual size.
  private static final int WAITING = 4_000;

  private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

  private static long used() {
    // Twice: what the first collection enqueues is garbage for the second.
    MEMORY.gc();
    MEMORY.gc();
    return MEMORY.getHeapMemoryUsage().getUsed();
  }

  @Test
  void takesAtMost64BytesOfHeapForNumberKeys() {
    SplittableRandom random = new SplittableRandom(1);
    Deque<Image> waiting = new ArrayDeque<>(WAITING + 1);
    long before = used();
    Digest digest = new Digest(Segments.DEFAULT, random);
    digest.tick();
    for (int i = 0; i < KEYS; i++) {
      digest.classify(Key.of(1_000_000L + i), random.nextLong() >>> 8);
      waiting.add(digest.image(1));
      if (waiting.size() > WAITING) {
        waiting.remove().acknowledged(true);
      }
    }
    double each = (double) (used() - before) / KEYS;
    System.out.printf("a digest of %,d keys takes %.1f bytes of heap for each%n", KEYS, each);
    assertThat(each).isBetween(20.0, 64.0);
    assertThat(digest.keys()).isEqualTo(KEYS);
  }
}
