package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest.Segments;
import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Image.State;
import io.posconnect.resource.Key;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A digest against a plain sorted map of everything it should know, while its records are written
 * in their order or dropped, and it starts again from what is written; that is enough to know it
 * all again.
 */
class DigestPropertyTest {

  /** What the model knows of a key. */
  private record Known(long hash, boolean current, long stamp) {}

  /** An image, and what it showed when it was taken. */
  private record Taken(Image image, List<StoredEntry> shown) {}

  private enum Kind {
    CLASSIFY,
    CLASSIFY_MANY,
    TICK,
    SEE,
    REMOVE,
    REMOVE_MANY,
    FORGET,
    RESTART
  }

  private record Step(Kind kind, Key key, long hash) {}

  /** What an earlier snapshot left behind. */
  private static final Stored EARLIER =
      new Stored(
          new Header(7, 1, 5, 1, 0, 1, 0, 1),
          0,
          LongStream.range(0, 5)
              .mapToObj(number -> new StoredEntry(Key.of(number), State.STALE, 0))
              .toList());

  private RandomGenerator random = new SplittableRandom(1);
  private Segments sizes = Segments.DEFAULT;
  private double drops;
  private Digest digest = new Digest(sizes, random);
  private final TreeMap<Key, Known> model = new TreeMap<>();
  private final List<Taken> taken = new ArrayList<>();
  private final Queue<Image> underWay = new ArrayDeque<>();
  private final Map<Integer, Stored> stored = new HashMap<>();

  /** Keys that were forgotten, or of which a record was dropped: a start may differ on them. */
  private final Set<Key> unsure = new HashSet<>();

  private long used;
  private long tick;

  private Digest restored() {
    return Digest.restore(List.copyOf(stored.values()), List.of(), used, sizes, random);
  }

  @Test
  void behavesAsMapAndKeepsImages() {
    RandomCases.check(200, random -> new DigestPropertyTest().check(random));
  }

  private static List<Step> steps(RandomGenerator random) {
    return Stream.generate(
            () -> new Step(kind(random.nextInt(26)), key(random), random.nextLong(3)))
        .limit(random.nextInt(random.nextInt(4) == 0 ? 801 : 201))
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
      case 23 -> Kind.REMOVE_MANY;
      case 24 -> Kind.FORGET;
      default -> Kind.RESTART;
    };
  }

  private static Key key(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> Key.of(random.nextLong(-2000, 2001));
      case 3 -> Key.of(random.nextLong(-20, 21) << 31);
      case 4 -> Key.of(random.nextLong(-20, 21) << 59);
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

  private void check(RandomGenerator given) {
    random = given;
    if (random.nextBoolean()) {
      sizes = new Segments(random.nextInt(1, 20), random.nextInt(10, 1600), 12 * 1024);
    }
    drops = random.nextInt(4) == 0 ? 0.1 : 0;
    stored.put(0, EARLIER);
    EARLIER.entries().forEach(entry -> model.put(entry.key(), new Known(0, false, 0)));
    digest = restored();
    tick = digest.tick();
    for (Step step : steps(random)) {
      apply(step);
      if (step.hash() == 0) {
        write(underWay.size() / 2);
      }
    }
    write(underWay.size());
    for (Taken each : taken) {
      assertThat(entries(each.image())).isEqualTo(each.shown());
    }
    assertKnowsModel();
    restart();
  }

  private void assertKnowsModel() {
    assertThat(digest.size()).isEqualTo(model.size());
    assertThat(digest.missing(Long.MAX_VALUE)).containsExactlyElementsOf(model.keySet());
    model.forEach(
        (key, known) -> {
          assertThat(digest.known(key))
              .isEqualTo(new Digest.Known(true, known.current(), known.hash(), known.stamp()));
          assertThat(digest.lastSeen(key)).isEqualTo(known.stamp());
        });
  }

  /** Everything is written or dropped, and read again. */
  private void restart() {
    write(underWay.size());
    used = digest.mark().get().sequence();
    digest = restored();
    model.replaceAll((key, known) -> new Known(known.hash(), known.current(), 0));
    for (Key key : unsure) {
      Digest.Known known = digest.known(key);
      if (known.isThere()) {
        model.put(key, new Known(known.hash(), known.isCurrent(), known.seen()));
      } else {
        model.remove(key);
      }
    }
    assertKnowsModel();
    tick = digest.tick();
  }

  /** The record that tells of the last entry. */
  private void emit(StoredEntry told) {
    Image image = digest.image(1);
    List<StoredEntry> shown = entries(image);
    assertThat(shown).hasSize(image.header().length()).endsWith(told);
    taken.add(new Taken(image, shown));
    underWay.add(image);
  }

  private void write(int records) {
    for (int i = 0; i < records; i++) {
      Image image = underWay.remove();
      boolean isDropped = random.nextDouble() < drops;
      if (isDropped) {
        List<StoredEntry> shown = entries(image);
        unsure.add(shown.get(shown.size() - 1).key());
      } else {
        stored.put(image.slot(), new Stored(image.header(), image.slot(), entries(image)));
      }
      image.acknowledged(!isDropped);
    }
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
      case REMOVE -> remove(step.key());
      case REMOVE_MANY -> {
        for (Key key : List.copyOf(model.tailMap(step.key()).keySet())) {
          remove(key);
        }
      }
      case FORGET -> forget(1 + (int) step.hash() * 20);
      case RESTART -> restart();
    }
    Known known = model.get(step.key());
    assertThat(digest.contains(step.key())).isEqualTo(known != null && known.current());
    assertThat(digest.known(step.key()).isThere()).isEqualTo(known != null);
  }

  private void remove(Key key) {
    digest.remove(key);
    if (model.remove(key) != null) {
      emit(new StoredEntry(key, State.REMOVED, 0));
    }
  }

  private void classify(Key key, long hash) {
    Known known = model.get(key);
    Change expected;
    if (known == null || !known.current()) {
      expected = Change.CREATE;
    } else if (known.hash() == hash) {
      expected = Change.UNCHANGED;
    } else {
      expected = Change.UPDATE;
    }
    assertThat(digest.classify(key, hash)).isEqualTo(expected);
    if (expected != Change.UNCHANGED) {
      emit(new StoredEntry(key, State.CURRENT, hash));
    }
    model.put(key, new Known(hash, true, tick));
  }

  private void forget(int most) {
    long before = tick - 1;
    List<Key> missing =
        model.entrySet().stream()
            .filter(e -> e.getValue().stamp() < before)
            .map(Map.Entry::getKey)
            .toList();
    assertThat(digest.missing(before)).isEqualTo(missing);
    int expected = Math.min(most, missing.size());
    assertThat(digest.forget(most, before, key -> true)).isEqualTo(expected);
    List<Key> gone = missing.stream().filter(key -> !digest.known(key).isThere()).toList();
    assertThat(gone).hasSize(expected);
    unsure.addAll(gone);
    gone.forEach(model::remove);
  }

  private static List<StoredEntry> entries(Image image) {
    List<StoredEntry> entries = new ArrayList<>();
    image.forEach((key, state, hash) -> entries.add(new StoredEntry(key, state, hash)));
    return entries;
  }
}
