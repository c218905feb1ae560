package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.TaskLog;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A response with a wrong {@code Date} neither hides a change nor has old ones read for long. */
class OddDatesTest {

  private static final Duration LOOKBACK = Duration.ofMinutes(15);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** How many responses it takes until a clock that was set back is followed, and read. */
  private static final int UNTIL_FOLLOWED = 8;

  private final List<Duration> reaches = new ArrayList<>();
  private Instant changed = Instant.MIN;
  private DrivenStream stream;

  /** A service that shows its row when it was changed since, and records how far reads reach. */
  private DrivenStream stream() {
    stream =
        new DrivenStream(new ModifiedSince("from"), this::answer).reconciles(Duration.ZERO).start();
    return stream;
  }

  private Answer answer(Request request) {
    String from = request.parameter("from", "");
    if (from.isEmpty()) {
      return Answer.of(List.of(row(1, changed.equals(Instant.MIN) ? "a" : "at " + changed)));
    }
    reaches.add(Duration.between(Instant.parse(from), now()));
    return Answer.of(
        changed.isAfter(Instant.parse(from)) ? List.of(row(1, "at " + changed)) : List.of());
  }

  private Instant now() {
    return Instant.ofEpochMilli(stream.time.server());
  }

  @Test
  void oneDateFarBehindDoesNotDragReadsBack() {
    stream().requests(10);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.datesAhead(Duration.ofDays(-400));
      stream.requests(1);
      stream.datesAhead(Duration.ZERO);
      reaches.clear();
      stream.requests(30);
      assertThat(reaches).allMatch(reach -> reach.compareTo(LOOKBACK.plusMinutes(5)) < 0);
      assertThat(log.lines()).hasSize(2);
      assertThat(log.lines().get(0))
          .startsWith("WARN POS-411 downtown/things: GET /things: the answer is of ");
      assertThat(log.lines().get(1)).contains("the service answers again");
    }
  }

  /** A cache that holds a list of twenty minutes ago, and at times the identity too. */
  private final class Cache implements DrivenStream.Service {
    private final List<String> rows = new ArrayList<>(List.of(row(1, "a")));
    private final List<String> old = List.copyOf(rows);
    private final List<Duration> ages = new ArrayList<>();
    private boolean holdsIdentity;
    private Instant stored = Instant.MIN;
    private int answers;

    @Override
    public Answer answer(Request request) {
      date(!ages.isEmpty());
      return Answer.of(ages.isEmpty() ? List.copyOf(rows) : old);
    }

    @Override
    public String whoami(String storeName) {
      date(!ages.isEmpty() && holdsIdentity);
      return "{\"locationName\":\"" + storeName + "\"}";
    }

    private void date(boolean isOld) {
      Duration age = isOld ? ages.get(answers++ % ages.size()) : Duration.ZERO;
      stream.datesAhead(isOld ? Duration.between(now(), stored.minus(age)) : Duration.ZERO);
    }
  }

  @ParameterizedTest
  @CsvSource({"PT0S, false", "PT0S, true", "PT4M, false"})
  void believesNoOldListHoweverOftenCachesShowIt(Duration apart, boolean holdsIdentity) {
    Cache cache = new Cache();
    cache.holdsIdentity = holdsIdentity;
    stream = new DrivenStream(new Full(false), cache);
    stream.start().requests(5);
    cache.rows.set(0, row(1, "b"));
    cache.rows.add(row(2, "a"));
    stream.requests(5);
    cache.stored = now();
    cache.ages.addAll(List.of(Duration.ofMinutes(20), Duration.ofMinutes(20).plus(apart)));
    stream.passes(Duration.ofMinutes(40));
    assertThat(stream.events()).containsExactly("r1a", "u1b", "c2a");
    assertThat(stream.suspended().orElseThrow().incident().code()).isEqualTo("POS-411");

    cache.ages.clear();
    cache.rows.remove(0);
    stream.passes(Duration.ofMinutes(15));
    assertThat(stream.events()).containsExactly("r1a", "u1b", "c2a", "d1");
    assertThat(stream.suspended()).isEmpty();
  }

  /** Lists and increments come of two machines. */
  @Test
  void readsListsOfMachineWhoseClockIsBehind() {
    stream =
        new DrivenStream(
            new ModifiedSince("from", "/list", new Full(false)),
            request -> {
              boolean isList = request.path().equals("/list");
              stream.datesAhead(isList ? Duration.ofHours(-1) : Duration.ZERO);
              return Answer.of(List.of(row(1, "a")));
            });
    stream.polls(Duration.ofMillis(1)).reconciles(Duration.ofHours(2)).start();
    stream.passes(Duration.ofHours(4));
    assertThat(stream.statuses()).doesNotContain("SUSPENDED");
  }

  @Test
  void findsChangesOfServiceWhoseClockIsSetBack() {
    stream().requests(10);
    stream.datesAhead(Duration.ofDays(-400));
    for (int i = 0; i < 10; i++) {
      changed = now().minus(Duration.ofDays(400));
      String event = "u1at " + changed;
      stream.requests(UNTIL_FOLLOWED);
      assertThat(stream.events()).contains(event);
    }
  }

  @Test
  void findsChangesOfAnOutageInWhichTheClockIsSetBack() {
    stream().reconciles(Duration.ofDays(1)).restart().requests(10);
    stream.datesAhead(Duration.ofHours(-5));
    changed = now().minus(Duration.ofHours(5));
    stream.time.sleep(Duration.ofHours(3).toMillis());
    stream.restart().passes(LOOKBACK.plus(INTERVAL.multipliedBy(2)));
    assertThat(stream.events()).contains("u1at " + changed);
  }

  @Test
  void findsEveryChangeAmongOddDates() {
    RandomCases.check(200, this::checkHistory);
  }

  private void checkHistory(RandomGenerator random) {
    reaches.clear();
    changed = Instant.MIN;
    stream().requests(5);
    boolean odd = false;
    for (int i = 0; i < 40; i++) {
      // Not twice in a row, since the location is asked who it is as well.
      odd = !odd && random.nextInt(3) == 0;
      stream.datesAhead(odd ? Duration.ofHours(random.nextLong(-9_000, 9_000)) : Duration.ZERO);
      if (random.nextBoolean()) {
        changed = now();
      }
      stream.requests(1);
    }
    stream.datesAhead(Duration.ZERO);
    stream.requests(3);
    assertThat(stream.events()).endsWith(changed.equals(Instant.MIN) ? "r1a" : "u1at " + changed);
    Duration longest = LOOKBACK.plus(Duration.ofMinutes(30)).plus(INTERVAL.multipliedBy(4));
    assertThat(reaches).allMatch(reach -> reach.compareTo(longest) < 0);
  }
}
