package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest.Known;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.fetch.Twins.Twin;
import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Twins, rows that share a key, cause no endless updates; a row that changes is always emitted. */
class TwinsTest {

  private static final Pages PAGES = new Pages("page", "size", 1, 3);
  static final List<Retrieval> RETRIEVALS =
      List.of(
          new Full(false),
          PAGES,
          new ModifiedSince("from"),
          new ModifiedSince("from", "/pages", PAGES),
          new DateRange("from", "to"));

  /** A row of the list; its time decides in which windows it is. */
  private record Listed(int id, String content, long modified) {}

  /** The rows of the service; some of them are twins. */
  private static final class Listing implements DrivenStream.Service {
    private final List<Listed> rows = new ArrayList<>();
    private final RandomGenerator random;
    private boolean shuffles;

    Listing(RandomGenerator random) {
      this.random = random;
    }

    void add(int id, String content, Duration age) {
      rows.add(new Listed(id, content, SimulatedTime.START - age.toMillis()));
    }

    @Override
    public Answer answer(Request request) {
      String from = request.parameter("from", "");
      String to = request.parameter("to", "");
      if (shuffles && request.parameter("page", "1").equals("1")) {
        Collections.shuffle(rows, new Random(random.nextLong()));
      }
      List<String> found =
          rows.stream()
              .filter(r -> from.isEmpty() || r.modified() >= millis(from))
              .filter(r -> to.isEmpty() || r.modified() <= millis(to))
              .map(r -> row(r.id(), r.content()))
              .toList();
      return Answer.page(request, found);
    }

    private static long millis(String instant) {
      return Instant.parse(instant).toEpochMilli();
    }
  }

  private static Listing listing(RandomGenerator random) {
    Listing listing = new Listing(random);
    for (int id = 0; id < 9; id++) {
      listing.add(id, "a", Duration.ofHours(3 + random.nextInt(60)));
    }
    listing.shuffles = random.nextBoolean();
    return listing;
  }

  private static Listing listingWithTwin(RandomGenerator random) {
    Listing listing = listing(random);
    listing.add(4, "twin", Duration.ofHours(3 + random.nextInt(60)));
    return listing;
  }

  private static DrivenStream stream(Retrieval retrieval, Listing listing) {
    return new DrivenStream(retrieval, listing).reconciles(Duration.ofHours(1)).start();
  }

  /** Runs that many passes over the whole list, whatever its retrieval. */
  private static void passes(DrivenStream stream, int count) {
    long end = stream.time.milliseconds() + Duration.ofMinutes(61).toMillis() * count;
    while (stream.time.milliseconds() < end) {
      stream.requests(1);
    }
  }

  @ParameterizedTest
  @FieldSource("RETRIEVALS")
  void emitsTwinsInFirstPassesOnlyAndTheOneThatRemains(Retrieval retrieval) {
    RandomCases.check(
        3,
        random -> {
          Listing listing = listingWithTwin(random);
          DrivenStream stream = stream(retrieval, listing);
          passes(stream, 6);
          assertThat(stream.events().stream().filter(e -> e.contains("4")))
              .as("%s %s", retrieval, stream.events())
              .hasSizeLessThanOrEqualTo(4);
          assertThat(stream.deadLetters()).hasSizeBetween(1, 2);
          int emitted = stream.events().size();
          passes(stream, 5);
          assertThat(stream.events()).as("%s", retrieval).hasSize(emitted);
          assertThat(stream.deadLetters()).hasSizeBetween(1, 2);
          String remains = random.nextBoolean() ? "a" : "twin";
          listing.rows.removeIf(r -> r.id() == 4 && !r.content().equals(remains));
          passes(stream, 4);
          assertThat(last(stream, "4")).as("%s", retrieval).endsWith("4" + remains);
        });
  }

  /** Two rows of a key come after the snapshot, on two pages, each time in the other order. */
  @Test
  void emitsTwinsOfTwoPagesOnce() {
    List<String> rows = new ArrayList<>(DrivenStream.rows(0, 9));
    DrivenStream stream =
        new DrivenStream(
                new ModifiedSince("from", "/pages", PAGES),
                request -> {
                  if (request.parameter("page", "").equals("1")) {
                    Collections.reverse(rows);
                  }
                  boolean isList = request.parameter("from", "").isEmpty();
                  return isList ? Answer.page(request, rows) : Answer.of(List.of());
                })
            .reconciles(Duration.ofHours(1))
            .start();
    passes(stream, 2);
    rows.add(0, DrivenStream.row(99, "a"));
    rows.add(DrivenStream.row(99, "b"));
    passes(stream, 20);
    assertThat(stream.events()).hasSizeLessThanOrEqualTo(9 + 2);
    assertThat(stream.deadLetters()).hasSizeBetween(1, 2);
  }

  private static String last(DrivenStream stream, String id) {
    return stream.events().stream()
        .filter(event -> event.substring(1).startsWith(id))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** The row that was emitted last is there, though only the other one found room. */
  @Test
  void emitsNoOtherRowWhileThatOfTheLatestEventIsThere() {
    Twins twins = new Twins();
    Row large = Row.parse("\"" + "x".repeat(9 << 20) + "\"");
    assertThat(twins.setAside(new Twin(Key.of(1), 7, large), false)).isTrue();
    assertThat(twins.setAside(new Twin(Key.of(1), 8, large), true)).isTrue();
    assertThat(twins.setAside(new Twin(Key.of(1), 9, large), false)).isFalse();
    assertThat(twins.resolutions(key -> new Known(true, true, 8, 1)).get(0).emitted()).isEmpty();
  }

  /** Two rows of a key that both change with every increment would fill the memory. */
  @Test
  void forgetsTheOldestOfManyRejectedContents() {
    Twins twins = new Twins();
    for (int content = 0; content <= Twins.MOST_REJECTED; content++) {
      twins.reject(Key.of(1), content);
    }
    twins.reject(Key.of(2), 0);

    assertThat(twins.isRejected(Key.of(1), 0)).isFalse();
    assertThat(twins.isRejected(Key.of(1), 1)).isTrue();
    assertThat(twins.isRejected(Key.of(1), Twins.MOST_REJECTED)).isTrue();
    assertThat(twins.isRejected(Key.of(2), 0)).isTrue();
  }

  /** A wrong key field gives every row a twin. */
  @Test
  void remembersSoManyConflictsAndNoMore() {
    Twins twins = new Twins();
    for (long id = 0; id < Twins.MOST_REMEMBERED; id++) {
      twins.reject(Key.of(id), id);
      twins.reject(Key.of(id % 9), id);
    }
    assertThat(twins.remembered()).isEqualTo(Twins.MOST_REMEMBERED);
    twins.passBegins();
    twins.passEnded(List.of(), key -> true);
    assertThat(twins.remembered()).isZero();
  }
}
