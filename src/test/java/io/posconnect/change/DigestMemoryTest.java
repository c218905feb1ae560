package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.SmallHeap;
import io.posconnect.change.Digest.Segments;
import io.posconnect.resource.Key;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Scanner;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * How much of the heap a digest takes, what waits for a commit included. Each is measured in a JVM
 * of its own: what the tests before it left would count where their threads end in between.
 */
class DigestMemoryTest {

  private enum Measured {
    KEYS,
    KEYS_AND_BYTES,
    CHANGES
  }

  private static final String HEAP = "256m";

  private static final int KEYS = 1_000_000;
  private static final int FEW = 1_000;

  // Two polls of the usual size.
  private static final int WAITING = 4_000;

  private Digest digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));
  private Deque<Image> waiting = new ArrayDeque<>();

  private void fill(boolean knowsBytes) {
    byte[] row = new byte[Long.BYTES];
    SplittableRandom random = new SplittableRandom(2);
    digest.tick();
    for (int i = 0; i < KEYS; i++) {
      Key key = Key.of(1_000_000L + i);
      long hash = random.nextLong() >>> 8;
      digest.remember(key, hash);
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

  private void change() {
    digest.tick();
    for (int i = 0; i < 3 * KEYS; i++) {
      digest.remember(Key.of(i % FEW), i);
      digest.image(1).acknowledged(true);
    }
  }

  private void discard() {
    digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));
    waiting = new ArrayDeque<>();
  }

  /** Prints how many keys the digest had, and what it took of this process's heap. */
  public static void main(String[] args) {
    DigestMemoryTest test = new DigestMemoryTest();
    switch (Measured.valueOf(args[0])) {
      case KEYS -> test.fill(false);
      case KEYS_AND_BYTES -> test.fill(true);
      case CHANGES -> test.change();
    }
    int keys = test.digest.keys();
    long full = SmallHeap.used();
    test.discard();
    System.out.println(keys + " " + (full - SmallHeap.used()));
  }

  /** The bytes of heap that the digest took, which had that many keys. */
  private static long bytes(Measured measured, int keys) throws Exception {
    Scanner printed = new Scanner(SmallHeap.run(HEAP, DigestMemoryTest.class, measured));
    assertThat(printed.nextInt()).isEqualTo(keys);
    return printed.nextLong();
  }

  @Test
  void takesAtMost26BytesOfHeapForNumberKeys() throws Exception {
    double each = (double) bytes(Measured.KEYS, KEYS) / KEYS;

    System.out.printf("a digest of %,d keys takes %.1f bytes of heap for each%n", KEYS, each);
    assertThat(each).isBetween(19.0, 26.0);
  }

  @Test
  void takesAtMost40BytesWithTheBytesOfRows() throws Exception {
    double each = (double) bytes(Measured.KEYS_AND_BYTES, KEYS) / KEYS;

    System.out.printf("with known bytes it takes %.1f bytes of heap for each%n", each);
    assertThat(each).isBetween(33.0, 40.0);
  }

  @Test
  void takesNoMoreHeapAfterManyChanges() throws Exception {
    assertThat(bytes(Measured.CHANGES, FEW)).isLessThan(250_000);
  }
}
