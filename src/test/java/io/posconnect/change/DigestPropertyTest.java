package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A digest against a plain sorted map of everything it should know. */
class DigestPropertyTest {

  private static final int BUCKETS = 3;

  /** What the model knows of a key. */
  private record Known(long hash, boolean current, long stamp) {}

  /** What a view shows of a key. */
  private record Shown(Key key, long hash, boolean current) {}

  private record Taken(BucketView view, List<Shown> expected) {}

  private enum Kind {
    CLASSIFY,
    CLASSIFY_MANY,
    TICK,
    SEE,
    REMOVE,
    FORGET,
    STALE_ALL
  }

  private record Step(Kind kind, Key key, long hash) {}

  private final Digest digest = new Digest(BUCKETS);
  private final TreeMap<Key, Known> model = new TreeMap<>();
  private final List<Taken> taken = new ArrayList<>();
  private long tick;

  @Test
  void doesWhatAPlainMapDoesAndEveryViewStaysWhatItWas() {
    RandomCases.check(200, random -> new DigestPropertyTest().check(steps(random)));
  }

  private static List<Step> steps(RandomGenerator random) {
    return Stream.generate(
            () -> new Step(kind(random.nextInt(25)), key(random), random.nextLong(3)))
        .limit(random.nextInt(201))
        .toList();
  }

  private static Kind kind(int dice) {
    if (dice < 12) {
      return Kind.CLASSIFY;
    }
    return switch (dice) {
      case 12, 13 -> Kind.CLASSIFY_MANY;
      case 14, 15, 16 -> Kind.TICK;
      case 17, 18 -> Kind.SEE;
      case 19, 20, 21, 22 -> Kind.REMOVE;
      case 23 -> Kind.FORGET;
      default -> Kind.STALE_ALL;
    };
  }

  private static Key key(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> Key.of(random.nextLong(-2000, 2001));
      case 1 -> Key.of(random.nextLong(10));
      case 2 -> Key.of(random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE);
      default ->
          Key.of(
              random
                  .ints(random.nextInt(4), 'a', 'c')
                  .mapToObj(Character::toString)
                  .collect(Collectors.joining()));
    };
  }

  private void check(List<Step> steps) {
    tick = digest.tick();
    for (Step step : steps) {
      apply(step);
      if (step.hash() == 0) {
        int bucket = digest.bucketOf(step.key());
        taken.add(new Taken(digest.view(bucket), expected(bucket)));
      }
    }
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      taken.add(new Taken(digest.view(bucket), expected(bucket)));
    }
    for (Taken each : taken) {
      assertThat(shown(each.view())).isEqualTo(each.expected());
      assertThat(each.view().size()).isEqualTo(each.expected().size());
    }
    assertThat(digest.size()).isEqualTo(model.size());
  }

  private void apply(Step step) {
    switch (step.kind()) {
      case CLASSIFY -> classify(step.key(), step.hash());
      case CLASSIFY_MANY -> {
        for (long i = 0; i < 150; i++) {
          classify(Key.of(5000 + step.hash() * 50 + i), step.hash());
        }
      }
      case TICK -> tick = digest.tick();
      case SEE -> {
        digest.see(step.key());
        model.computeIfPresent(step.key(), (k, v) -> new Known(v.hash(), v.current(), tick));
      }
      case REMOVE -> {
        digest.remove(step.key());
        model.remove(step.key());
      }
      case FORGET -> forget();
      case STALE_ALL -> {
        digest.staleAll();
        model.replaceAll((k, v) -> new Known(v.hash(), false, v.stamp()));
      }
    }
    Known known = model.get(step.key());
    assertThat(digest.contains(step.key())).isEqualTo(known != null && known.current());
  }

  private void classify(Key key, long hash) {
    Known known = model.get(key);
    Change expected;
    if (known == null || !known.current()) {
      expected = Change.CREATE;
    } else if (known.hash() == hash) {
      expected = Change.SAME;
    } else {
      expected = known.stamp() == tick ? Change.REPEATED : Change.UPDATE;
    }
    assertThat(digest.classify(key, hash)).isEqualTo(expected);
    if (expected != Change.REPEATED) {
      model.put(key, new Known(hash, true, tick));
    }
  }

  private void forget() {
    long before = tick - 1;
    List<Key> missing =
        model.entrySet().stream()
            .filter(e -> e.getValue().stamp() < before)
            .map(Map.Entry::getKey)
            .toList();
    assertThat(digest.missing(before)).isEqualTo(missing);
    assertThat(digest.forget(before)).isEqualTo(missing.size());
    missing.forEach(model::remove);
  }

  private List<Shown> expected(int bucket) {
    return model.entrySet().stream()
        .filter(e -> digest.bucketOf(e.getKey()) == bucket)
        .map(e -> new Shown(e.getKey(), e.getValue().hash(), e.getValue().current()))
        .toList();
  }

  private static List<Shown> shown(BucketView view) {
    List<Shown> shown = new ArrayList<>();
    view.forEach((key, hash, current) -> shown.add(new Shown(key, hash, current)));
    return shown;
  }
}
