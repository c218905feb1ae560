package io.posconnect;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Holds a law against random cases, each of which is made of a seed of its own. A case that breaks
 * the law fails with its seed; {@code -Dseed=<seed>} replays that case alone.
 */
public final class RandomCases {

  private static final String SEED = "seed";

  private RandomCases() {}

  /** One case; whatever it throws breaks the law. */
  @FunctionalInterface
  public interface Law {
    void holdsFor(RandomGenerator random) throws Exception;
  }

  /** Tries the law on so many cases, or on the one whose seed was given. */
  public static void check(int cases, Law law) {
    Long given = Long.getLong(SEED);
    if (given != null) {
      one(given, law);
      return;
    }
    check(cases, new SplittableRandom(), law);
  }

  /** Tries the law on so many cases of given seeds. */
  public static void check(int cases, RandomGenerator seeds, Law law) {
    for (int i = 0; i < cases; i++) {
      one(seeds.nextLong(), law);
    }
  }

  @SuppressWarnings("CatchingUnchecked") // A case may fail in any way; all of them need the seed.
  private static void one(long seed, Law law) {
    try {
      law.holdsFor(new Random(seed));
    } catch (Exception | AssertionError e) {
      throw new AssertionError("replay with -D" + SEED + "=" + seed + ": " + e.getMessage(), e);
    }
  }
}
