package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.fail;

import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Setup.Style;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A random history of changes, requests, acknowledgements, faults and crashes. Each step has a seed
 * of its own, so that the others stay the same when one is left out.
 */
record History(long seed, Law law, List<Long> steps) {

  private static final Set<String> UNSET = Set.of("false", "0", "0.0", "null", "");

  /** What a history is held to: makes the world in which it takes place. */
  interface Law {
    /** The least number of steps. */
    int shortest();

    /** All numbers of steps are below. */
    int longest();

    /**
     * Makes the world of the history of that seed.
     *
     * @param trace collects what happens; null when it is not needed
     */
    Life begin(long seed, List<String> trace);

    /** Describes what stays the same throughout the history of that seed. */
    String describe(long seed);
  }

  /** The world of one history. */
  interface Life {
    /** Makes one step, all of whose choices come from the given source. */
    void step(SplittableRandom choices);

    /** Ends all faults: from then on everything must come right. */
    void settle();

    /** Ends what still waits; nothing follows. */
    default void end() {}
  }

  /** The crash law. */
  record CrashLaw(Style style, boolean exactlyOnce) implements Law {
    @Override
    public int shortest() {
      return 10;
    }

    @Override
    public int longest() {
      return 60;
    }

    @Override
    public Life begin(long seed, List<String> trace) {
      return new World(new Setup(seed, style, exactlyOnce), new SplittableRandom(seed), trace);
    }

    @Override
    public String describe(long seed) {
      return new Setup(seed, style, exactlyOnce).toString();
    }
  }

  /** Fails with the shortest history found if that of one of these seeds breaks the law. */
  static void hold(LongStream seeds, Law law) {
    seeds
        .mapToObj(seed -> of(seed, law))
        .filter(history -> history.run() != null)
        .findFirst()
        .ifPresent(broken -> fail(broken.shrunk().describe()));
  }

  /** Returns how the first of so many histories breaks a law, from that seed on; or null. */
  static String broken(long from, int histories, Law... laws) {
    return LongStream.range(from, from + histories)
        .boxed()
        .flatMap(seed -> Stream.of(laws).map(law -> of(seed, law)))
        .filter(history -> history.run() != null)
        .map(history -> history.run() + ", seed " + history.seed())
        .findFirst()
        .orElse(null);
  }

  private static History of(long seed, Law law) {
    SplittableRandom random = new SplittableRandom(~seed);
    List<Long> steps = new ArrayList<>();
    for (int i = law.shortest() + random.nextInt(law.longest() - law.shortest()); i > 0; i--) {
      steps.add(random.nextLong());
    }
    return new History(seed, law, steps);
  }

  /** Runs it; returns how the law was broken, or null. */
  String run() {
    return run(null);
  }

  String run(List<String> trace) {
    try {
      Life life = law.begin(seed, trace);
      try {
        for (long step : steps) {
          life.step(new SplittableRandom(step));
        }
        life.settle();
        return null;
      } finally {
        life.end();
      }
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
  History shrunk() {
    History best = this;
    for (int size = Math.max(1, steps.size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from + size <= best.steps.size(); ) {
        History shorter = best.without(from, size);
        if (shorter.run() != null) {
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
    return new History(seed, law, rest);
  }

  /** Names the fields of a setup that are set, with their values. */
  static String fields(Object setup) {
    StringJoiner set = new StringJoiner(" ");
    for (Field field : setup.getClass().getDeclaredFields()) {
      try {
        field.setAccessible(true);
        String value = String.valueOf(field.get(setup));
        if (!Modifier.isStatic(field.getModifiers()) && !UNSET.contains(value)) {
          set.add(field.getName() + "=" + value);
        }
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return set.toString();
  }

  /** Describes what happens in it, line by line. */
  String describe() {
    List<String> trace = World.newTrace();
    String broken = run(trace);
    return law.describe(seed) + "\n" + String.join("\n", trace) + "\n=> " + broken + "\n" + this;
  }
}
