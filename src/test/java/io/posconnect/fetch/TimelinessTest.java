package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static io.posconnect.fetch.DrivenStream.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What must happen in time happens, however polls, limits, answers and mass changes fall. */
class TimelinessTest {

  private static final Duration DAY = Duration.ofDays(1);

  /** A store of rows with times of modification. */
  private static final class Store {

    private record Item(String json, Instant modified) {}

    private final TreeMap<Integer, Item> items = new TreeMap<>();
    private DrivenStream stream;
    private Duration answerTime = Duration.ZERO;
    private boolean textIds;
    private int emptyLists;
    private int lists;
    private List<String> oldList = List.of();
    private int oldLists;
    private String latestFrom = "";

    Answer answer(Request request) {
      stream.time.sleep(answerTime.toMillis());
      String from = request.parameter("from", "");
      String to = request.parameter("to", "");
      latestFrom = from;
      boolean isPart = !request.parameter("page", "1").equals("1");
      if (isPart) {
        return Answer.of(List.of());
      }
      Instant now = Instant.ofEpochMilli(stream.time.server());
      Instant first = from.isEmpty() ? Instant.MIN : Instant.parse(from);
      Instant last = to.isEmpty() ? Instant.MAX : Instant.parse(to);
      if (first.isBefore(now.minus(Duration.ofDays(2)))) {
        lists++;
        if (!oldList.isEmpty()) {
          stream.datesAhead(oldLists > 0 ? Duration.ofHours(-3) : Duration.ZERO);
        }
        if (oldLists > 0) {
          oldLists--;
          return Answer.of(oldList);
        }
        if (emptyLists > 0) {
          emptyLists--;
          return Answer.of(List.of());
        }
      }
      return Answer.of(
          items.values().stream()
              .filter(item -> !item.modified().isBefore(first) && !item.modified().isAfter(last))
              .map(Item::json)
              .toList());
    }

    DrivenStream reads(Retrieval retrieval) {
      stream = new DrivenStream(retrieval, this::answer);
      return stream;
    }

    void put(int id, String content) {
      Instant now = Instant.ofEpochMilli(stream.time.server());
      String json = row(id, content);
      items.put(
          id, new Item(textIds ? json.replace(":" + id + ",", ":\"" + id + "\",") : json, now));
    }

    void fill(int from, int to, String content) {
      IntStream.range(from, to).forEach(id -> put(id, content));
    }

    void writesIdsAsText(int rows) {
      textIds = true;
      fill(0, rows, "a");
      textIds = false;
    }

    long deletes() {
      return stream.events().stream().filter(event -> event.startsWith("d")).count();
    }
  }

  private final Store store = new Store();

  static Stream<Arguments> filtered() {
    return Stream.of(new ModifiedSince("from"), new DateRange("from", "to"))
        .flatMap(retrieval -> Stream.of(60_000, 90, 1).map(poll -> Arguments.of(retrieval, poll)));
  }

  @ParameterizedTest
  @MethodSource("filtered")
  void reconcilesHoweverShortThePollInterval(Retrieval retrieval, int pollMillis) {
    DrivenStream stream =
        store
            .reads(retrieval)
            .polls(Duration.ofMillis(pollMillis))
            .reconciles(Duration.ofMinutes(4));
    store.fill(0, 10, "a");
    stream.start().passes(Duration.ofMinutes(10));
    store.lists = 0;
    stream.passes(Duration.ofMinutes(12));
    assertThat(store.lists).isBetween(3, 6);
  }

  @Test
  void readsTimeOfAnIncrementInPagesAgainWhileItBringsNews() {
    Retrieval pages =
        new ModifiedSince("from", "", new Full(false), new Pages("page", "size", 1, 50));
    DrivenStream stream = store.reads(pages);
    store.fill(0, 10, "a");
    stream.start().passes(Duration.ofMinutes(20));
    Duration poll = Duration.ofMinutes(1);
    Set<String> quiet = new HashSet<>();
    Set<String> busy = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      stream.passes(poll);
      quiet.add(store.latestFrom);
    }
    for (String content : List.of("b", "c", "d")) {
      store.put(1, content);
      stream.passes(poll);
      busy.add(store.latestFrom);
    }
    assertThat(quiet).hasSize(3);
    assertThat(busy).as("a row may have slipped between pages").hasSize(1);
    stream.passes(Duration.ofMinutes(4));
    assertThat(busy).doesNotContain(store.latestFrom);
  }

  @Test
  void reconcilesAtItsIntervalThoughVanishedKeysWaitForALaterRead() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(Duration.ofMinutes(2));
    store.fill(0, 40, "a");
    stream.start().passes(Duration.ofMinutes(50));
    store.items.headMap(30).clear();
    stream.passes(Duration.ofMinutes(3));
    assertThat(stream.statuses()).endsWith("DELETES_HELD");
    store.lists = 0;
    stream.passes(Duration.ofMinutes(5));
    assertThat(store.deletes()).isZero();
    assertThat(store.lists).isBetween(2, 3);
    stream.passes(Duration.ofMinutes(5));
    assertThat(store.deletes()).isEqualTo(30);
  }

  @Test
  void reconcilesHoweverLongThePollInterval() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(Duration.ofHours(1));
    store.fill(0, 10, "a");
    stream.polls(DAY).start().requests(6);
    store.items.remove(7);
    long since = stream.time.server();
    for (long due = stream.work(); store.deletes() == 0; due = stream.work()) {
      stream.sleepUntil(due);
    }
    assertThat(Duration.ofMillis(stream.time.server() - since)).isLessThan(Duration.ofMinutes(61));
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 70, 120})
  void reconcilesHoweverSlowTheAnswers(int seconds) {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(DAY);
    store.fill(0, 10, "a");
    stream.start().fetches(2, 10);
    store.answerTime = Duration.ofSeconds(seconds);
    store.items.remove(7);
    stream.passes(Duration.ofDays(2));
    assertThat(stream.events()).contains("d7");
  }

  @Test
  void makesRoomAtTheCeilingOnceRowsAreGone() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(DAY).maxKeys(100);
    store.fill(0, 100, "a");
    stream.start().passes(Duration.ofHours(1));
    store.put(100, "a");
    stream.passes(DAY);
    assertThat(stream.suspended()).isPresent();

    IntStream.range(0, 10).forEach(store.items::remove);
    stream.passes(Duration.ofHours(2));

    assertThat(store.deletes()).isEqualTo(10);
    assertThat(stream.events()).contains("c100a");
    assertThat(stream.suspended()).isEmpty();
  }

  /** The row that found no room goes after a reconciliation that made none. */
  @Test
  void resumesOnceNoRowWaitsForRoom() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(DAY).maxKeys(100);
    store.fill(0, 100, "a");
    stream.start().passes(Duration.ofHours(1));
    store.put(100, "a");
    for (int before = store.lists; store.lists == before; ) {
      stream.requests(1);
    }
    store.items.remove(100);
    stream.passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void staysSuspendedAtTheCeilingWithGrowingPauses() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).maxKeys(100);
    stream.polls(Duration.ofSeconds(30)).reconciles(DAY);
    store.fill(0, 100, "a");
    stream.start().passes(Duration.ofHours(1));
    store.put(100, "a");
    store.lists = 0;
    int before = stream.statuses().size();

    stream.passes(DAY);

    assertThat(stream.statuses().subList(before, stream.statuses().size()))
        .containsExactly("SUSPENDED");
    assertThat(store.lists).isLessThan(200);
  }

  /** Rows are edited and deleted in bulk right before a reconciliation. */
  @Test
  void deletesAfterABulkChangeBeforeAReconciliation() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(DAY);
    store.fill(0, 100, "a");
    stream.start().passes(DAY.minusMinutes(2));
    store.fill(0, 40, "b");
    IntStream.range(40, 75).forEach(store.items::remove);
    stream.passes(Duration.ofMinutes(5));
    IntStream.range(0, 40).forEach(store.items::remove);

    stream.passes(Duration.ofHours(1));

    assertThat(store.deletes()).isEqualTo(75);
    assertThat(stream.statuses()).endsWith("DELETES_RELEASED");
    store.lists = 0;
    stream.passes(Duration.ofDays(2));
    assertThat(store.lists).isEqualTo(2);
  }

  @Test
  void reconcilesAgainAfterAnOutageOfTheList() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(DAY);
    store.fill(0, 100, "a");
    stream.start().passes(DAY.minusMinutes(2));
    store.fill(0, 40, "b");
    store.emptyLists = 3;
    stream.passes(Duration.ofDays(2));
    stream.events().clear();
    store.items.remove(7);
    stream.passes(Duration.ofDays(1));
    assertThat(stream.events()).containsExactly("d7");
  }

  static Stream<Arguments> lists() {
    return Stream.of(
            new Full(false), new Pages("page", "size", 1, 1_000), new ModifiedSince("from"))
        .flatMap(
            retrieval -> Stream.of(10, 60, 75, 100).map(rows -> Arguments.of(retrieval, rows)));
  }

  /** Ids come as text for hours, and then the list is empty once, or twice where pages shift. */
  @ParameterizedTest
  @MethodSource("lists")
  void deletesNothingForOneEmptyListAfterAHold(Retrieval retrieval, int unreadable) {
    DrivenStream stream = store.reads(retrieval).reconciles(Duration.ofMinutes(30));
    store.fill(0, 100, "a");
    stream.start().passes(Duration.ofHours(2));
    store.writesIdsAsText(unreadable);
    stream.passes(Duration.ofHours(5));
    int letters = stream.deadLetters().size();
    store.emptyLists = retrieval.shifting() ? 2 : 1;
    stream.passes(Duration.ofHours(2));

    assertThat(store.deletes()).isZero();
    assertThat(stream.deadLetters()).hasSize(letters);
    store.fill(0, 100, "a");
    stream.passes(Duration.ofHours(1));
    assertThat(stream.metric("deletes-pending")).isZero();
  }

  /** An increment shows the row readable between two lists that do not. */
  @Test
  void holdsARowThatBreaksTwiceInTheSameWay() {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(Duration.ofHours(1));
    store.fill(0, 100, "a");
    stream.start().passes(Duration.ofMinutes(10));
    store.writesIdsAsText(5);
    stream.passes(Duration.ofMinutes(70));
    store.fill(0, 5, "a");
    stream.passes(Duration.ofMinutes(5));
    store.writesIdsAsText(5);
    stream.passes(Duration.ofHours(3));
    assertThat(store.deletes()).isZero();
  }

  /** Its key comes back between two spells, while nothing says which store it is. */
  @Test
  void holdsARowThatBreaksAgainThoughTheLocationWasSilent() {
    DrivenStream stream = store.reads(new Cursor("key", "size", 5));
    store.put(0, "a");
    stream.start().passes(Duration.ofMinutes(5));
    stream.whoamiFails(new Unavailable(Problem.SERVICE_FAILED, "GET /whoami", "fails"));
    stream.passes(Duration.ofMinutes(5));
    store.writesIdsAsText(1);
    stream.requests(2);
    store.put(0, "a");
    stream.requests(1);
    store.writesIdsAsText(1);
    stream.whoamiAnswers();
    stream.passes(Duration.ofHours(1));
    assertThat(store.deletes()).isZero();
  }

  /** Rows without a key come every day, and no list ever shows them to be gone. */
  @Test
  void forgetsOldDeadLettersOfADateRange() {
    DrivenStream stream = store.reads(new DateRange("from", "to")).reconciles(DAY).maxKeys(300);
    stream.polls(Duration.ofMinutes(10)).start();
    for (int day = 0; day < 40; day++) {
      store.fill(day * 4, day * 4 + 4, "a");
      store.textIds = true;
      store.fill(10_000 + day * 10, 10_010 + day * 10, "a");
      store.textIds = false;
      stream.passes(DAY);
    }
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.deadLetters()).hasSize(400);
    int checkpoints = stream.checkpoints();
    stream.passes(DAY);
    assertThat(stream.checkpoints()).isGreaterThan(checkpoints);
  }

  static Stream<Retrieval> pages() {
    Pages pages = new Pages("page", "size", 1, 1_000);
    return Stream.of(pages, new ModifiedSince("from", "", pages));
  }

  /** A row goes before each read of the list. */
  @ParameterizedTest
  @MethodSource("pages")
  void readsListsAtTheirIntervalThoughRowsGoAllTheTime(Retrieval retrieval) {
    DrivenStream stream =
        new DrivenStream(
                retrieval,
                request -> {
                  if (request.parameter("from", "").isEmpty()) {
                    store.items.pollFirstEntry();
                  }
                  return store.answer(request);
                })
            .reconciles(Duration.ofHours(1));
    store.stream = stream;
    store.fill(0, 1_000, "a");
    stream.start().requests(100);
    long since = stream.time.server();
    stream.requests(200);
    assertThat(stream.time.server() - since).isGreaterThan(Duration.ofMinutes(10).toMillis());
    assertThat(stream.metric("reconciliation-age-ms"))
        .isLessThan(Duration.ofMinutes(65).toMillis());
    assertThat(store.deletes()).isPositive();
  }

  /** A row with a new number comes before each read of the list. */
  @Test
  void readsAtItsIntervalThoughIdenticalKeysComeAllTheTime() {
    List<String> rows = new ArrayList<>(List.of(row(7, "0")));
    DrivenStream stream =
        new DrivenStream(
                new Cursor("key", "size", 100),
                request -> {
                  rows.add(row(7, Integer.toString(rows.size())));
                  return Answer.of(List.copyOf(rows), "");
                })
            .withOccurrences()
            .start()
            .requests(20);
    assertThat(stream.statuses()).contains("SNAPSHOT_COMPLETED");
    assertThat(stream.events()).contains("c710");
    assertThat(stream.metric("overdue-ms")).isZero();
    assertThat(stream.time.server() - SimulatedTime.START)
        .isGreaterThan(Duration.ofMinutes(15).toMillis());
  }

  /** A cache serves the list as it was three hours ago, to a reconciliation or twice in a row. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void revertsAndDeletesNothingForAnOldList(int answers) {
    List<String> old = rows(0, 100);
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(DAY);
    store.fill(0, 100, "a");
    stream.start().passes(DAY.minusHours(3));
    store.fill(0, 5, "b");
    store.fill(100, 105, "a");
    stream.passes(Duration.ofHours(3).minusMinutes(1));
    stream.events().clear();
    store.oldList = old;
    store.oldLists = answers;
    stream.passes(DAY);

    assertThat(store.oldLists).isZero();
    assertThat(stream.events()).isEmpty();
    assertThat(stream.suspended()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 9_000})
  void followsAServiceWhoseClockIsSetBack(int hours) {
    DrivenStream stream = store.reads(new ModifiedSince("from")).reconciles(Duration.ofHours(1));
    store.fill(0, 10, "a");
    stream.start().passes(Duration.ofHours(2));
    stream.datesAhead(Duration.ofHours(-hours));
    store.items.remove(7);
    stream.passes(Duration.ofHours(3));
    assertThat(stream.events()).contains("d7");
  }

  static Stream<Retrieval> increments() {
    Pages pages = new Pages("page", "size", 1, 1_000);
    return Stream.of(
        new ModifiedSince("from"),
        new ModifiedSince("from", "", new Full(false), pages),
        new DateRange("from", "to"));
  }

  @ParameterizedTest
  @MethodSource("increments")
  void readsListsAtTheirIntervalAfterAClockThatIsSetBack(Retrieval retrieval) {
    DrivenStream stream = store.reads(retrieval).reconciles(Duration.ofHours(1));
    store.fill(0, 10, "a");
    stream.start().passes(Duration.ofHours(2));
    stream.datesAhead(Duration.ofHours(-5));
    store.lists = 0;
    stream.passes(Duration.ofHours(4));
    assertThat(store.lists).isBetween(2, 12);
  }

  /** A row goes between the two passes of a snapshot, and nothing says which store it is. */
  @Test
  void baselineInPagesEndsWithoutWhoami() {
    DrivenStream stream = store.reads(new Pages("page", "size", 1, 1_000)).withBaseline();
    stream.whoamiFails(new Unavailable(Problem.SERVICE_FAILED, "GET /whoami", "fails"));
    store.fill(0, 30, "a");
    stream.start().requests(2);
    store.items.remove(7);
    stream.passes(Duration.ofHours(1));
    store.put(8, "b");
    stream.passes(Duration.ofHours(1));
    assertThat(stream.events()).containsExactly("u8b");
  }

  @Test
  void listWhoseDeletesAreHeldIsNoAcceptedReconciliation() {
    DrivenStream stream = store.reads(new Full(false));
    store.fill(0, 100, "a");
    stream.start().passes(Duration.ofHours(1));
    store.items.headMap(50).clear();
    stream.passes(Duration.ofMinutes(9));
    assertThat(stream.metric("deletes-pending")).isEqualTo(50);
    assertThat(Duration.ofMillis(stream.metric("reconciliation-age-ms")))
        .isGreaterThan(Duration.ofMinutes(9));
  }
}
