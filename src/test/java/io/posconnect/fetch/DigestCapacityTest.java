package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A full digest suspends its stream once no pass can make room; a stream below it repeats nothing.
 */
class DigestCapacityTest {

  private final TreeMap<Integer, String> rows = new TreeMap<>();
  private final List<Integer> changed = new ArrayList<>();
  private int lists;
  private boolean serviceFails;

  private void fill(int from, int to, String content) {
    IntStream.range(from, to).forEach(id -> rows.put(id, content));
  }

  private List<String> all() {
    return shown(rows);
  }

  private static List<String> shown(Map<Integer, String> rows) {
    return rows.entrySet().stream()
        .map(row -> DrivenStream.row(row.getKey(), row.getValue()))
        .toList();
  }

  /** A list with increments: they return the rows in {@code changed}. */
  private DrivenStream filtered(int maxKeys) {
    return new DrivenStream(
            new ModifiedSince("from"),
            request -> {
              if (!request.parameter("from", "").isEmpty()) {
                return Answer.of(
                    changed.stream().map(id -> DrivenStream.row(id, rows.get(id))).toList());
              }
              lists++;
              return Answer.of(all());
            })
        .maxKeys(maxKeys)
        .start();
  }

  private DrivenStream full(int maxKeys) {
    return DrivenStream.list(this::all).maxKeys(maxKeys).start();
  }

  @Test
  void repeatsNothingWhenReconciliationsAreEnabledLater() {
    fill(0, 100, "a");
    DrivenStream stream = filtered(1_000).fetches(2, 10);
    stream.time.sleep(Duration.ofDays(3).toMillis());
    stream.requests(3);
    stream.events().clear();

    stream.reconciles(Duration.ofHours(1)).start();
    stream.time.sleep(Duration.ofDays(3).toMillis());
    rows.remove(7);
    stream.requests(8);

    assertThat(stream.events()).containsExactly("d7");
  }

  @Test
  void suspendsStreamWhenChangesExceedCapacity() {
    fill(0, 100, "a");
    DrivenStream stream = filtered(30).fetches(2, 10);
    IntStream.range(0, 100).forEach(changed::add);
    IntStream.range(0, 100).forEach(id -> rows.put(id, "b"));
    stream.events().clear();
    stream.requests(5);

    assertThat(stream.suspended().orElseThrow().incident().code()).startsWith("POS-601");
    assertThat(stream.events()).doesNotHaveDuplicates();
  }

  /** An older list could bring a row back that an earlier process has deleted. */
  @Test
  void readsNoListToMakeRoomBeforeALookbackHasPassedSinceTheStart() {
    fill(0, 30, "a");
    DrivenStream stream = filtered(30).fetches(2, 10).restart();
    Duration lookback = stream.settings().resource().lookback();
    fill(30, 31, "a");
    changed.add(30);
    lists = 0;
    stream.passes(lookback.minusMinutes(2));
    assertThat(lists).isZero();
    stream.passes(Duration.ofMinutes(4));
    assertThat(lists).isPositive();
  }

  @Test
  void followsListThatReplacesRowsAtCeiling() {
    fill(0, 95, "a");
    DrivenStream stream = full(100).fetches(2, 10);
    fill(100, 110, "a");
    IntStream.range(0, 10).forEach(rows::remove);
    stream.events().clear();
    stream.requests(5);

    assertThat(stream.events()).hasSize(20);
    assertThat(stream.events().stream().filter(event -> event.startsWith("d"))).hasSize(10);
    assertThat(stream.events().stream().filter(event -> event.startsWith("c"))).hasSize(10);
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void showsThatTheDigestIsFullWhileAStreamWaitsForRoom() {
    fill(0, 100, "a");
    DrivenStream stream = full(30).requests(3);
    assertThat(stream.suspended()).isPresent();
    assertThat(stream.metric("digest-keys")).isEqualTo(30);

    IntStream.range(0, 90).forEach(rows::remove);
    stream.passes(Duration.ofHours(2));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.metric("digest-keys")).isEqualTo(10);
  }

  @Test
  void suspendsStreamAboveCeilingUntilListShrinks() {
    fill(0, 100, "a");
    DrivenStream stream = full(100).fetches(2, 10);
    fill(100, 103, "a");
    stream.events().clear();
    stream.requests(3);
    assertThat(stream.suspended().orElseThrow().incident().code()).startsWith("POS-601");
    assertThat(stream.events()).isEmpty();

    IntStream.range(0, 5).forEach(rows::remove);
    stream.requests(4);
    assertThat(stream.events()).hasSize(8);
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void staysSuspendedWhileARowThatGoesMakesTooLittleRoom() {
    fill(0, 105, "a");
    DrivenStream stream = full(100).passes(Duration.ofHours(1));
    rows.remove(7);
    stream.passes(Duration.ofHours(1));
    assertThat(stream.events()).hasSize(102);
    assertThat(stream.turns()).containsExactly("SUSPENDED");
  }

  static List<Retrieval> lists() {
    return List.of(new Full(false), new ModifiedSince("from"));
  }

  /** A row goes and another one comes before each read, so that each pass makes room. */
  @ParameterizedTest
  @MethodSource("lists")
  void suspendsStreamAboveCeilingThoughRowsGoAllTheTime(Retrieval retrieval) {
    fill(0, 100, "a");
    DrivenStream stream =
        new DrivenStream(
                retrieval,
                request -> {
                  if (!request.parameter("from", "").isEmpty()) {
                    return Answer.of(List.of());
                  }
                  rows.pollFirstEntry();
                  rows.put(rows.lastKey() + 1, "a");
                  return Answer.of(all());
                })
            .reconciles(Duration.ofHours(1))
            .maxKeys(100)
            .start()
            .fetches(2, 10);
    rows.put(rows.lastKey() + 1, "a");
    rows.put(rows.lastKey() + 1, "a");
    stream.requests(50).requests(50);
    assertThat(stream.suspended()).isPresent();
    assertThat(stream.time.server() - SimulatedTime.START)
        .isGreaterThan(Duration.ofMinutes(10).toMillis());
  }

  @Test
  void suspendsStreamBelowALoweredCeilingOnceANewRowComes() {
    fill(0, 100, "a");
    DrivenStream stream = full(1_000).fetches(2, 10);
    stream.maxKeys(30).restart().passes(Duration.ofMinutes(10));
    assertThat(stream.suspended()).isEmpty();
    rows.remove(7);
    stream.passes(Duration.ofMinutes(10));
    assertThat(stream.events()).endsWith("d7");

    rows.put(100, "a");
    stream.passes(Duration.ofMinutes(10));
    assertThat(stream.suspended().orElseThrow().incident().code()).startsWith("POS-601");
  }

  @Test
  void suspendsStreamWhenIdenticalRowsExceedCapacity() {
    DrivenStream stream =
        DrivenStream.list(() -> Collections.nCopies(500, DrivenStream.row(1, "a")))
            .withOccurrences()
            .maxKeys(50)
            .start()
            .requests(1);

    assertThat(stream.suspended().orElseThrow().incident().code()).startsWith("POS-601");
  }

  @Test
  void readsIdenticalRowsUnderTheHighestCeilingThatCanBeSet() {
    fill(0, 3, "a");
    DrivenStream stream = full(Integer.MAX_VALUE).withOccurrences().start().fetches(2, 10);

    assertThat(stream.events()).hasSize(3);
    assertThat(stream.suspended()).isEmpty();
  }

  /** The rows that are left all come behind the page at which there were too many. */
  @Test
  void readsListOfIdenticalRowsFromItsBeginningOnceItIsShorter() {
    fill(0, 160, "a");
    DrivenStream stream =
        new DrivenStream(
                new Cursor("key", "size", 20),
                request -> {
                  int from = Integer.parseInt(request.parameter("key", "0"));
                  List<Integer> page = rows.tailMap(from).keySet().stream().limit(20).toList();
                  int next = page.isEmpty() ? from : page.get(page.size() - 1) + 1;
                  return Answer.of(
                      page.stream().map(id -> DrivenStream.row(id, rows.get(id))).toList(),
                      rows.tailMap(next).isEmpty() ? "" : Integer.toString(next));
                })
            .withOccurrences()
            .maxKeys(50)
            .start()
            .passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isPresent();

    IntStream.range(0, 120).forEach(rows::remove);
    stream.passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void comparesOldRowsOfDateRangeWithDigest() {
    fill(0, 20, "a");
    List<Integer> returned = new ArrayList<>();
    Instant now = Instant.ofEpochMilli(SimulatedTime.START);
    boolean[] backfilled = {false};
    DrivenStream stream =
        new DrivenStream(
                new DateRange("from", "to"),
                request -> {
                  if (!backfilled[0]) {
                    backfilled[0] = true;
                    return Answer.of(all());
                  }
                  return Answer.of(
                      returned.stream().map(id -> DrivenStream.row(id, rows.get(id))).toList());
                })
            .startsFrom(now.minus(Duration.ofDays(60)).toString())
            .start()
            .requests(100);
    stream.time.sleep(Duration.ofDays(30).toMillis());
    stream.requests(3);
    rows.put(3, "b");
    returned.addAll(List.of(3, 4));
    stream.events().clear();
    stream.requests(3);

    assertThat(stream.events()).containsExactly("u3b");
  }

  /**
   * Transactions of 70 days, 60 a day, each edited three times; the ceiling is 3.6 times what the
   * reconciliation's window of 7 days holds; a restart a day.
   */
  @Test
  void evictsNoRowWithinTheWindowOfReconciliations() {
    Transactions transactions = new Transactions(60);
    DrivenStream stream =
        new DrivenStream(new DateRange("from", "to"), transactions)
            .reconciles(Duration.ofDays(1))
            .startsFrom(
                Instant.ofEpochMilli(SimulatedTime.START).minus(Duration.ofDays(30)).toString())
            .maxKeys((int) (3.6 * 7 * 60))
            .polls(Duration.ofMinutes(5))
            .start();
    transactions.time = stream.time;
    for (int day = 0; day < 40; day++) {
      stream.passes(Duration.ofHours(23)).start();
    }
    assertThat(stream.statuses()).contains("CEILING_REACHED");
    // The digest holds more than twice as many now.
    stream.maxKeys(8 * 60).restart().passes(Duration.ofDays(1));
    assertThat(transactions.createdAgainWithinWindow(stream.events())).isEmpty();
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void suspendsDateRangeWhoseReconciliationsReturnMoreKeys() {
    Transactions transactions = new Transactions(60);
    DrivenStream stream =
        new DrivenStream(new DateRange("from", "to"), transactions)
            .reconciles(Duration.ofDays(1))
            .maxKeys(2 * 60);
    transactions.time = stream.time;
    stream.start().passes(Duration.ofDays(2));
    assertThat(stream.suspended().orElseThrow().incident().code()).startsWith("POS-601");

    stream.maxKeys(10 * 60).restart().passes(Duration.ofDays(2));
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void evictsWhatIncrementsNoLongerReturnWithoutReconciliations() {
    fill(0, 10, "a");
    DrivenStream stream =
        DrivenStream.list(new DateRange("from", "to"), this::all)
            .maxKeys(10)
            .start()
            .passes(Duration.ofHours(1));
    rows.clear();
    fill(20, 23, "b");
    stream.passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.events()).hasSize(13);
  }

  /** The other windows of the reconciliation, each a fetch of its own, have no row that waits. */
  @ParameterizedTest
  @ValueSource(ints = {30, 60})
  void staysSuspendedWhileARowOfOneWindowWaits(int hoursAgo) {
    DrivenStream stream = ofTenHours().reconciles(Duration.ofHours(1)).start();
    stream.passes(Duration.ofHours(3));
    rows.put(hoursAgo, "late");
    stream.passes(Duration.ofHours(3));
    assertThat(stream.turns()).containsExactly("SUSPENDED");

    for (int i = 0; i < Retries.MOST_FAILURES; i++) {
      serviceFails = true; // once, which is no reason to suspend a stream
      stream.passes(Duration.ofMinutes(20));
    }
    assertThat(stream.suspended().orElseThrow().incident().code()).startsWith("POS-601");

    rows.remove(5);
    stream.passes(Duration.ofMinutes(30));
    assertThat(stream.turns()).containsExactly("SUSPENDED", "RESUMED");
    assertThat(stream.events()).hasSize(11).endsWith("c" + hoursAgo + "late");
  }

  /** A larger ceiling comes with a start; the row waits for no reconciliation at its interval. */
  @Test
  void emitsALateRowSoonAfterTheCeilingWasRaised() {
    DrivenStream stream = ofTenHours().reconciles(Duration.ofHours(5)).start();
    stream.passes(Duration.ofHours(6));
    rows.put(60, "late");
    stream.passes(Duration.ofHours(5));
    assertThat(stream.suspended()).isPresent();

    stream.maxKeys(20).restart().passes(Duration.ofMinutes(30));
    assertThat(stream.events()).endsWith("c60late");
  }

  /** The stream was paused for days, and the first of them has more rows than there is room for. */
  @Test
  void resumesOnceRowsOfAnEarlierIncrementHaveRoom() {
    DrivenStream stream = ofTenHours().start();
    stream.passes(Duration.ofHours(1)).time.sleep(Duration.ofDays(4).toMillis());
    fill(-24, -12, "b");
    stream.passes(Duration.ofDays(1));
    assertThat(stream.turns()).containsExactly("SUSPENDED", "RESUMED");
    assertThat(stream.events()).hasSize(22).doesNotHaveDuplicates();
  }

  @Test
  void evictsNoKeyThatTheFirstAnswerAfterAStartShowsWithoutReconciliations() {
    fill(0, 10, "a");
    DrivenStream stream =
        DrivenStream.list(new DateRange("from", "to"), () -> shown(rows.descendingMap()))
            .maxKeys(10)
            .start()
            .passes(Duration.ofHours(1));
    rows.remove(0);
    rows.put(10, "a");
    stream.restart().passes(Duration.ofHours(1));
    assertThat(stream.events()).hasSize(11).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void repeatsNoRowOfABackfillThatHasTooManyInOneWindow(boolean restarts) {
    fill(1, 15, "a");
    DrivenStream stream =
        DrivenStream.list(new DateRange("from", "to"), () -> shown(rows))
            .startsFrom("2020-01-01T00:00:00Z")
            .maxKeys(10)
            .start()
            .passes(Duration.ofHours(1));
    rows.put(0, "a");
    rows.remove(5);
    (restarts ? stream.restart() : stream).passes(Duration.ofHours(1));
    assertThat(stream.suspended().isEmpty()).isEqualTo(restarts);
    rows.keySet().removeIf(id -> id > 5);
    rows.put(15, "a");
    stream.passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.events()).hasSize(restarts ? 16 : 12).doesNotHaveDuplicates();
  }

  /** Rows of so many hours before the beginning as their id says; a request takes a day at most. */
  private DrivenStream ofTenHours() {
    fill(1, 11, "a");
    return new DrivenStream(
            new DateRange("from", "to"),
            request -> {
              int from = hoursAgo(request.parameter("from", ""));
              if (serviceFails && from > 24) {
                serviceFails = false;
                throw new Unavailable(Problem.SERVICE_FAILED, "GET", "fails");
              }
              int to = hoursAgo(request.parameter("to", ""));
              if (from - to > 24) {
                throw new Refused(Problem.REQUEST_REFUSED, "GET", "too long", 400);
              }
              return Answer.of(shown(rows.subMap(to, true, from, true)));
            })
        .maxKeys(10);
  }

  private static int hoursAgo(String instant) {
    Instant start = Instant.ofEpochMilli(SimulatedTime.START);
    return (int) Duration.between(Instant.parse(instant), start).toHours();
  }

  /** What it searched for in vain before it finds once the keys are older. */
  @Test
  void evictsAgainOnceReconciliationsReturnFewerKeys() {
    fill(0, 200, "a");
    DrivenStream stream =
        DrivenStream.list(new DateRange("from", "to"), this::all)
            .reconciles(Duration.ofHours(1))
            .maxKeys(100)
            .start()
            .passes(Duration.ofHours(3));
    assertThat(stream.suspended()).isPresent();

    rows.clear();
    fill(300, 350, "a");
    stream.passes(Duration.ofHours(3));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.events()).hasSize(150);
  }

  /**
   * Rows that come at an even pace for ever, and are edited three times in their first quarter of
   * an hour.
   */
  private static final class Transactions implements DrivenStream.Service {
    private static final long FIRST =
        SimulatedTime.START - Duration.ofDays(30).toMillis() + Duration.ofHours(1).toMillis();
    private final long apart;
    private SimulatedTime time;

    Transactions(int perDay) {
      apart = Duration.ofDays(1).toMillis() / perDay;
    }

    @Override
    public Answer answer(io.posconnect.resource.Request request) {
      long now = time == null ? SimulatedTime.START : time.server();
      long from = Instant.parse(request.parameter("from", "")).toEpochMilli();
      String end = request.parameter("to", "");
      long to = end.isEmpty() ? now : Math.min(now, Instant.parse(end).toEpochMilli());
      List<String> found = new ArrayList<>();
      for (long id = Math.max(0, (from - FIRST) / apart); FIRST + id * apart <= to; id++) {
        long made = FIRST + id * apart;
        if (made >= from) {
          found.add(DrivenStream.row((int) id, "v" + edits(now - made)));
        }
      }
      return Answer.of(found);
    }

    private static int edits(long age) {
      return (int) Math.min(3, Duration.ofMillis(age).toMinutes() / 4);
    }

    /** The keys that came as new though they had been published within the last week. */
    List<String> createdAgainWithinWindow(List<String> events) {
      List<String> again = new ArrayList<>();
      java.util.Set<String> known = new java.util.HashSet<>();
      for (String event : events) {
        String key = event.substring(1, event.indexOf('v'));
        // All rows of the window were published before: each may be new once.
        if (!known.add(key) && !event.startsWith("u")) {
          again.add(event);
        }
      }
      return again;
    }
  }
}
