package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.change.Digest.Segments;
import io.posconnect.resource.Key;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.ByteBuffer;
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

  private Digest digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));
  private Deque<Image> waiting = new ArrayDeque<>();

  private void fill(boolean knowsBytes) {
    byte[] row = new byte[Long.BYTES];
    SplittableRandom random = new SplittableRandom(2);
    digest.tick();
    for (int i = 0; i < KEYS; i++) {
      Key key = Key.of(1_000_000L + i);
      long hash = random.nextLong() >>> 8;
      digest.classify(key, hash);
      if (knowsBytes) {
        ByteBuffer.wrap(row).putLong(i);
        digest.knownBytes().expected();
        digest.knownBytes().find(row, 0, row.length);
        digest.knownBytes().learn(key, hash);
      }
      waiting.add(digest.image(1));
      if (waiting.size() > WAITING) {
        waiting.remove().acknowledged(true);
      }
    }
  }

  /** What the digest took. An earlier test's garbage is none of it. */
  private long freed() {
    long full = used();
    discard();
    return full - used();
  }

  private void discard() {
    digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));
    waiting = new ArrayDeque<>();
  }

  @Test
  void takesAtMost26BytesOfHeapForNumberKeys() {
    fill(false);
    assertThat(digest.keys()).isEqualTo(KEYS);
    double each = (double) freed() / KEYS;

    System.out.printf("a digest of %,d keys takes %.1f bytes of heap for each%n", KEYS, each);
    assertThat(each).isBetween(19.0, 26.0);
  }

  @Test
  void takesAtMost40BytesWithTheBytesOfRows() {
    fill(true);
    double each = (double) freed() / KEYS;

    System.out.printf("with known bytes it takes %.1f bytes of heap for each%n", each);
    assertThat(each).isBetween(34.0, 40.0);
  }

  @Test
  void takesNoMoreHeapAfterManyChanges() {
    digest.tick();
    for (int i = 0; i < 3 * KEYS; i++) {
      digest.classify(Key.of(i % 1_000), i);
      digest.image(1).acknowledged(true);
    }
    assertThat(digest.keys()).isEqualTo(1_000);
    assertThat(freed()).isLessThan(250_000);
  }
}
