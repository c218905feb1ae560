package io.posconnect.fetch;

import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Setup.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random history of changes, requests, acknowledgements, faults and crashes. Each step has a seed
 * of its own, so that the others stay the same when one is left out.
 */
record History(long seed, Style style, boolean exactlyOnce, List<Long> steps) {

  private static final int LONGEST = 60;

  static History of(long seed, Style style, boolean exactlyOnce) {
    SplittableRandom random = new SplittableRandom(~seed);
    List<Long> steps = new ArrayList<>();
    for (int i = 10 + random.nextInt(LONGEST - 10); i > 0; i--) {
      steps.add(random.nextLong());
    }
    return new History(seed, style, exactlyOnce, steps);
  }

  /** Runs it; returns how the law was broken, or null. */
  String run(Wiring wiring) {
    return run(wiring, null);
  }

  String run(Wiring wiring, List<String> trace) {
    try {
      World world =
          new World(new Setup(seed, style, exactlyOnce), wiring, new SplittableRandom(seed), trace);
      for (long step : steps) {
        world.step(new SplittableRandom(step));
      }
      world.settle();
      return null;
    } catch (Violation e) {
      return e.getMessage();
    } catch (RuntimeException e) {
      if (trace != null) {
        trace.add(String.valueOf(e));
        for (StackTraceElement element : e.getStackTrace()) {
          trace.add("    at " + element);
        }
      }
      return "failed: " + e;
    }
  }

  /** Returns the shortest history found that breaks the law too. */
  History shrunk(Wiring wiring) {
    History best = this;
    for (int size = Math.max(1, steps.size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from + size <= best.steps.size(); ) {
        History shorter = best.without(from, size);
        if (shorter.run(wiring) != null) {
          best = shorter;
        } else {
          from += size;
        }
      }
    }
    return best;
  }

  private History without(int from, int size) {
    List<Long> rest = new ArrayList<>(steps);
    rest.subList(from, from + size).clear();
    return new History(seed, style, exactlyOnce, rest);
  }

  /** Describes what happens in it, line by line. */
  String describe(Wiring wiring) {
    List<String> trace = World.newTrace();
    String broken = run(wiring, trace);
    return new Setup(seed, style, exactlyOnce)
        + "\n"
        + String.join("\n", trace)
        + "\n=> "
        + broken
        + "\n"
        + this;
  }
}
