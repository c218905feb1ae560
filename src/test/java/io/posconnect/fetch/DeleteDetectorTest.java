package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.fetch.DeleteDetector.Reason;
import io.posconnect.fetch.DeleteDetector.Seen;
import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * However a list shrinks, at most the ratio of its keys is deleted within an hour at first sight.
 */
class DeleteDetectorTest {

  private static final double RATIO = 0.3;
  private static final Duration CONFIRM = Duration.ofMinutes(10);
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final long NONE = -1;
  private static final Pages PAGES = new Pages("page", "size", 1, 100);

  /** A list of keys, the passes over it, and what the digest holds. */
  private static final class Passes {
    private final DeleteDetector detector;
    private final List<Key> list = new ArrayList<>();
    private final Digest digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));
    private final Map<Key, Long> lastSeen = new HashMap<>();
    private final Set<Key> deleted = new HashSet<>();

    // Times of deletes whose key was seen less than the confirmation before.
    private final List<Long> unconfirmed = new ArrayList<>();
    private long now;

    Passes(int keys, Retrieval retrieval) {
      detector = new DeleteDetector(DrivenStream.settings(retrieval, RATIO, CONFIRM), digest);
      for (int key = 0; key < keys; key++) {
        list.add(Key.of(key));
      }
      pass();
    }

    Verdict pass() {
      long since = digest.tick();
      list.forEach(this::show);
      Verdict verdict = judge(digest.missing(since), 0, since, now);
      detector.passEnded(verdict, now);
      for (Key key : verdict.gone()) {
        assertThat(list).doesNotContain(key);
        digest.remove(key);
        digest.image(1).acknowledged(true);
        deleted.add(key);
        if (now - lastSeen.get(key) <= CONFIRM.toNanos()) {
          unconfirmed.add(now);
        }
      }
      return verdict;
    }

    void show(Key key) {
      if (digest.remember(key, 1)) {
        digest.image(1).acknowledged(true);
      }
      detector.shows(key);
      lastSeen.put(key, now);
    }

    Verdict judge(List<Key> missing, int hidden, long since, long nanos) {
      return detector.judge(new Seen(missing, hidden, since, NONE, key -> false, true), nanos);
    }

    Verdict passAMinuteLater() {
      now += MINUTE;
      return pass();
    }

    void lose(int keys) {
      list.subList(0, keys).clear();
    }

    /** Without those whose loss was confirmed. */
    long keysAnHourAgo() {
      return digest.keys() + unconfirmedWithinTheHour();
    }

    long unconfirmedWithinTheHour() {
      return unconfirmed.stream().filter(at -> now - at <= HOUR).count();
    }
  }

  private static Retrieval anyRetrieval(java.util.random.RandomGenerator random) {
    return random.nextBoolean() ? new Full(false) : PAGES;
  }

  @Test
  void believesNoMoreThanTheRatioWithinAnHour() {
    RandomCases.check(
        300,
        random -> {
          Passes passes = new Passes(20 + random.nextInt(500), anyRetrieval(random));
          double most = 0.01 + random.nextDouble() * 0.5;
          for (int read = 0; read < 60; read++) {
            passes.now += MINUTE * (1 + random.nextInt(4));
            passes.list.removeIf(key -> random.nextDouble() < most);
            long before = passes.unconfirmed.size();
            passes.pass();
            boolean believed = passes.unconfirmed.size() > before;
            if (believed && passes.keysAnHourAgo() >= StreamSettings.GUARDED_KEYS) {
              assertThat(passes.unconfirmedWithinTheHour())
                  .isLessThanOrEqualTo((long) (RATIO * passes.keysAnHourAgo()));
            }
          }
        });
  }

  @Test
  void deletesInTheEndWhatIsReallyGone() {
    RandomCases.check(
        100,
        random -> {
          Passes passes = new Passes(1 + random.nextInt(200), anyRetrieval(random));
          int before = passes.list.size();
          passes.list.removeIf(key -> random.nextInt(3) > 0);
          for (int read = 0; read < 30; read++) {
            passes.passAMinuteLater();
          }
          assertThat(passes.deleted).hasSize(before - passes.list.size());
        });
  }

  @Test
  void listThatSuddenlyLacksMostConfirmsNothing() {
    Passes passes = new Passes(40, new Full(false));
    List<Key> rest = List.copyOf(passes.list.subList(20, 40));
    passes.lose(20);
    assertThat(passes.pass().waitingFor(Reason.MISSING)).isEqualTo(20);
    passes.now += CONFIRM.toNanos();
    passes.list.clear();
    assertThat(passes.pass().gone()).isEmpty();
    passes.list.addAll(rest);
    assertThat(passes.passAMinuteLater().gone()).hasSize(20);
  }

  @Test
  void confirmsNoDeleteOfAKeyThatABrokenResponseShowed() {
    Passes passes = new Passes(40, new Full(false));
    List<Key> lost = List.copyOf(passes.list.subList(0, 20));
    passes.lose(20);
    assertThat(passes.pass().waitingFor(Reason.MISSING)).isEqualTo(20);
    passes.now += CONFIRM.toNanos();
    passes.digest.tick();
    passes.show(lost.get(7));

    Verdict verdict = passes.passAMinuteLater();

    assertThat(verdict.gone()).hasSize(19).doesNotContain(lost.get(7));
    assertThat(verdict.keysWaiting()).isEqualTo(1);
  }

  @Test
  void countsKeysOfIncrementsThatListLacks() {
    Passes passes = new Passes(40, new Full(false));
    List<Key> missing = List.copyOf(passes.list.subList(0, 2));
    long since = passes.digest.tick();
    assertThat(passes.judge(missing, 38, since, MINUTE).gone()).isEmpty();
    assertThat(passes.judge(missing, 2, since, MINUTE).gone()).hasSize(2);
  }

  @Test
  void countsNoForgottenDeadLetters() {
    Passes passes = new Passes(40, new Full(false));
    List<Key> deadLetters = LongStream.range(0, 30).mapToObj(Pass::deadLetter).toList();
    passes.detector.passEnded(Verdict.NOTHING.with(deadLetters), passes.now);
    passes.lose(1);
    assertThat(passes.passAMinuteLater().gone()).hasSize(1);
  }

  @Test
  void believesAFewDeletesAtOnce() {
    Passes passes = new Passes(100, new Full(false));
    for (int read = 0; read < 30; read++) {
      passes.lose(1);
      assertThat(passes.passAMinuteLater().gone()).hasSize(1);
    }
    passes.lose(1);
    Verdict held = passes.passAMinuteLater();
    assertThat(held.gone()).isEmpty();
    assertThat(held.waitingFor(Reason.MISSING)).isEqualTo(1);
  }

  /** Two keys really went while an empty answer raised the alarm. */
  @Test
  void endsTheAlarmOnceAPassShowsTheKeysAgain() {
    Passes passes = new Passes(1_979, new Full(false));
    List<Key> list = List.copyOf(passes.list);
    passes.list.clear();
    assertThat(passes.passAMinuteLater().waitingFor(Reason.MISSING)).isEqualTo(1_979);

    passes.list.addAll(list.subList(2, list.size()));
    assertThat(passes.passAMinuteLater().gone()).containsExactlyElementsOf(list.subList(0, 2));
  }

  /** Of 83 keys a few dozen come and go. */
  @Test
  void countsNoKeyThatCameBackAsLost() {
    Passes passes = new Passes(83, new Full(false));
    for (int turn = 0; turn < 30; turn++) {
      List<Key> gone = List.copyOf(passes.list.subList(0, 3));
      passes.lose(3);
      assertThat(passes.passAMinuteLater().gone()).containsExactlyInAnyOrderElementsOf(gone);
      passes.list.addAll(gone);
      passes.passAMinuteLater();
    }
  }

  /** The list would be read over and over, for as long as nothing says which store it is of. */
  @Test
  void readsNoListSoonerThanAtItsIntervalWhileItsStoreIsUnclear() {
    DeleteDetector detector =
        new DeleteDetector(
            DrivenStream.settings(new Full(false), RATIO, Duration.ZERO),
            new Digest(Segments.DEFAULT, new SplittableRandom(1)));
    Seen seen = new Seen(List.of(Key.of(1)), 0, 1, NONE, key -> false, false);
    assertThat(detector.judge(seen, HOUR).againNanos()).isEqualTo(HOUR + MINUTE);
  }
}
