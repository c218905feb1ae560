package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

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

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequencyOf(
            Tuple.of(12, Arbitraries.just(Kind.CLASSIFY)),
            Tuple.of(2, Arbitraries.just(Kind.CLASSIFY_MANY)),
            Tuple.of(3, Arbitraries.just(Kind.TICK)),
            Tuple.of(2, Arbitraries.just(Kind.SEE)),
            Tuple.of(4, Arbitraries.just(Kind.REMOVE)),
            Tuple.of(1, Arbitraries.just(Kind.FORGET)),
            Tuple.of(1, Arbitraries.just(Kind.STALE_ALL)));
    Arbitrary<Key> keys =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-2000, 2000).map(Key::of),
            Arbitraries.longs().between(0, 9).map(Key::of),
            Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE).map(Key::of),
            Arbitraries.strings().withChars("ab").ofMaxLength(3).map(Key::of));
    return Combinators.combine(kinds, keys, Arbitraries.longs().between(0, 2))
        .as(Step::new)
        .list()
        .ofMaxSize(200);
  }

  @Property(tries = 200)
  void doesWhatAPlainMapDoesAndEveryViewStaysWhatItWas(@ForAll("steps") List<Step> steps) {
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
