package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static io.posconnect.fetch.DrivenStream.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.fetch.DrivenStream.Service;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pass rules on broken rows and on rows that share a key. */
class PassTest {

  private static final Pages PAGES = new Pages("page", "size", 1, 3);

  private final List<String> rows = new ArrayList<>();

  private void fill(int count) {
    rows.addAll(rows(0, count));
  }

  private static String withTextId(int id) {
    return "{\"id\":\"no " + id + "\",\"c\":\"a\"}";
  }

  private DrivenStream full() {
    return DrivenStream.list(() -> rows).start().fetches(2, 10);
  }

  /** Lists show the rows, and increments what has changed. */
  private DrivenStream incremental(List<String> changed) {
    return incremental(new ModifiedSince("from"), changed, request -> Answer.of(List.copyOf(rows)));
  }

  private static DrivenStream incremental(
      Retrieval retrieval, List<String> changed, Function<Request, Answer> list) {
    return new DrivenStream(
        retrieval,
        request ->
            request.parameter("from", "").isEmpty()
                ? list.apply(request)
                : Answer.of(List.copyOf(changed)));
  }

  /** Each second answer with the second page is whole. */
  private DrivenStream breakingOff(int[] attempts) {
    return new DrivenStream(
            PAGES,
            request -> {
              Answer page = Answer.page(request, rows);
              boolean isSecond = request.parameter("page", "").equals("2");
              return isSecond && attempts[0]++ % 2 == 0 ? page.breakingOff() : page;
            })
        .start();
  }

  private DrivenStream paged(Retrieval retrieval) {
    return DrivenStream.list(retrieval, () -> rows).start();
  }

  /** Ids of 40 of 100 rows come as text, and later as numbers again. */
  @Test
  void deletesNoRowWhoseKeyCannotBeRead() {
    fill(100);
    DrivenStream stream = full();
    stream.events().clear();
    List<String> before = List.copyOf(rows);
    IntStream.range(0, 40).forEach(id -> rows.set(id, withTextId(id)));
    stream.passes(Duration.ofHours(2));
    assertThat(stream.events()).isEmpty();
    assertThat(stream.deadLetters()).hasSize(40);
    assertThat(stream.statuses()).contains("DELETES_HELD");
    assertThat(stream.metric("deletes-pending")).isEqualTo(40);
    assertThat(stream.metric("deletes-uncertain")).isEqualTo(40);
    assertThat(stream.metric("unreadable-rows")).isEqualTo(40);

    Collections.copy(rows, before);
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.events()).isEmpty();
    assertThat(stream.statuses()).endsWith("DELETES_RELEASED");
    assertThat(stream.latestStatus().get("additional_data").toString())
        .contains("\"deleted\":\"0\"");
  }

  /**
   * Also before a start. The row of a key that was held then goes on to hold it, and one that could
   * be read for a moment may be its key.
   */
  @Test
  void deletesBesideARowThatWasBrokenBefore() {
    fill(30);
    rows.add(withTextId(99));
    DrivenStream stream = full();
    stream.events().clear();
    rows.remove(5);
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.events()).containsExactly("d5");
    rows.set(0, withTextId(0));
    stream.passes(Duration.ofMinutes(5));
    rows.remove(1);
    stream.restart().passes(Duration.ofMinutes(5));
    assertThat(stream.events()).containsExactly("d5", "d1");
    rows.remove(0);
    stream.restart().passes(Duration.ofMinutes(5));
    assertThat(stream.events()).containsExactly("d5", "d1", "d0");
    rows.set(rows.size() - 1, row(99, "a"));
    stream.hold();
    stream.requests(1).stop(1);
    rows.set(rows.size() - 1, withTextId(99));
    stream.restart();
    assertThat(stream.passes(Duration.ofMinutes(5)).events()).endsWith("d0", "c99a");
  }

  /** Others may have moved between the pages of the increment that showed it. */
  @Test
  void readsATimeAgainInWhichARowOfAnEarlierSnapshotCame() {
    fill(30);
    List<String> changed = new ArrayList<>();
    List<String> since = new ArrayList<>();
    ModifiedSince inPages = new ModifiedSince("from", "", new Full(false), PAGES);
    DrivenStream stream =
        new DrivenStream(
                inPages,
                request -> {
                  String from = request.parameter("from", "");
                  since.add(from);
                  return Answer.page(request, from.isEmpty() ? rows : changed);
                })
            .start()
            .fetches(3, 10);
    rows.set(5, withTextId(5));
    stream.comparesAs("c").restart().fetches(4, 10);
    since.clear();
    changed.add(row(5, "a"));
    stream.requests(3);
    assertThat(stream.events()).endsWith("r5a");
    assertThat(since).hasSize(3).containsOnly(since.get(0));
  }

  /** A list lacks the key, the next one shows the row as readable, and then it breaks again. */
  @Test
  void holdsAKeyThatWentAndCameBackJustBeforeAStop() {
    fill(30);
    rows.add(withTextId(99));
    rows.add(row(99, "a"));
    DrivenStream stream = full();
    rows.remove(31);
    stopBehindEvents(stream);
    rows.set(30, row(99, "a"));
    stopBehindEvents(stream);
    rows.set(30, withTextId(99));
    assertThat(stream.passes(Duration.ofMinutes(5)).events()).endsWith("d99", "c99a");
  }

  /** Reads for a while, commits what that emits without a checkpoint, and starts again. */
  private static void stopBehindEvents(DrivenStream stream) {
    stream.hold();
    stream.passes(Duration.ofMinutes(5)).stop(99);
    stream.restart();
  }

  /**
   * Only an increment shows that a row became readable; the next list shows it as broken as ever.
   */
  @Test
  void holdsARowThatBecameReadableBetweenTwoListsAndBrokeAgain() {
    fill(30);
    rows.add(withTextId(99));
    List<String> changed = new ArrayList<>();
    DrivenStream stream = incremental(changed).reconciles(Duration.ofHours(1)).start();
    stream.passes(Duration.ofMinutes(30));
    stream.events().clear();
    changed.add(row(99, "a"));
    stream.passes(Duration.ofMinutes(5));
    changed.set(0, withTextId(99));
    stream.passes(Duration.ofHours(5));
    assertThat(stream.events()).containsExactly("c99a");
    assertThat(stream.metric("deletes-uncertain")).isEqualTo(1);

    rows.remove(5);
    stream.passes(Duration.ofHours(5));
    assertThat(stream.events()).as("others are not held").containsExactly("c99a", "d5");

    changed.clear();
    rows.set(29, row(99, "a"));
    rows.set(6, withTextId(99));
    stream.passes(Duration.ofHours(5));
    assertThat(stream.events()).as("another has its text").containsExactly("c99a", "d5");

    rows.removeAll(List.of(row(99, "a"), withTextId(99)));
    stream.passes(Duration.ofHours(5));
    assertThat(stream.events()).containsExactly("c99a", "d5", "d7", "d99");
  }

  /** While the second list is read, a row of its first page goes, and row 3 slips to that page. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void readsSnapshotInPagesAgainWhenTheListBeforeWasShorter(int shown) {
    fill(9);
    int[] lists = {0};
    DrivenStream stream =
        incremental(
                new ModifiedSince("from", "/all", PAGES),
                List.of(),
                request -> {
                  boolean first = request.parameter("page", "").equals("1");
                  lists[0] += first ? 1 : 0;
                  if (lists[0] == 1) {
                    return Answer.page(request, rows.subList(0, shown));
                  }
                  Answer answer = Answer.page(request, rows);
                  if (first && lists[0] == 2) {
                    rows.remove(0);
                  }
                  return answer;
                })
            .start();
    assertThat(stream.passes(Duration.ofMinutes(5)).events()).contains("r3a");
  }

  /** The same between two pages of one list, after the page with the broken row. */
  @Test
  void holdsARowThatBecameReadableBetweenTwoPagesAndBrokeAgain() {
    rows.add(withTextId(999));
    fill(300);
    List<String> changed = new ArrayList<>();
    int[] lists = {0};
    DrivenStream stream =
        incremental(
                new ModifiedSince("from", "/all", PAGES),
                changed,
                request -> {
                  int page = Integer.parseInt(request.parameter("page", "1"));
                  lists[0] += page == 1 ? 1 : 0;
                  changed.clear();
                  if (lists[0] == 4 && page > 1) {
                    changed.add(page < 60 ? row(999, "a") : withTextId(999));
                  }
                  return Answer.page(request, rows);
                })
            .polls(Duration.ofSeconds(5))
            .reconciles(Duration.ofHours(1))
            .start();
    stream.passes(Duration.ofHours(9));
    assertThat(lists[0]).isGreaterThan(5);
    assertThat(stream.events()).hasSize(301).endsWith("c999a");
    assertThat(stream.metric("deletes-uncertain")).isEqualTo(1);
  }

  /** More rows appear beside it than are known by name. */
  @Test
  void holdsARowThatBecameReadableAmongTooManyNewRows() {
    fill(30);
    rows.add(withTextId(99));
    List<String> changed = new ArrayList<>();
    DrivenStream stream =
        incremental(changed).maxKeys(100_000).reconciles(Duration.ofHours(1)).start();
    stream.passes(Duration.ofMinutes(30));
    changed.add(row(99, "a"));
    changed.addAll(rows(1_000, 1_000 + UnreadableRows.MOST_APPEARED));
    rows.addAll(changed.subList(1, changed.size()));
    stream.passes(Duration.ofMinutes(5));
    changed.clear();
    stream.passes(Duration.ofHours(5));
    assertThat(stream.events()).hasSize(31 + UnreadableRows.MOST_APPEARED).contains("c99a");
    assertThat(stream.metric("deletes-uncertain")).isEqualTo(1);

    rows.remove(5);
    stream.passes(Duration.ofHours(5));
    assertThat(stream.events()).as("others are not held").endsWith("d5");
    assertThat(stream.metric("deletes-uncertain")).isEqualTo(1);
  }

  /**
   * A service makes the same of each row that it cannot show, and that is another one each time.
   */
  @Test
  void holdsRowsThatBreakIntoTheTextOfAnother() {
    fill(30);
    rows.add("{}");
    DrivenStream stream = full();
    for (int row = 5; row < 9; row++) {
      rows.remove(34 - row);
      rows.set(row, "{}");
      assertThat(stream.requests(1).events()).as("each may be the row").hasSize(30);
      rows.set(row, row(row, "a"));
    }
    rows.remove(7);
    assertThat(stream.requests(2).events()).hasSize(35).contains("d7", "d26", "d29");
  }

  /** Each list knows nothing yet of what the increment before it returned. */
  @Test
  void deletesBesideABrokenRowThoughEachListLacksAnotherKey() {
    fill(30);
    List<String> changed = new ArrayList<>();
    int[] reads = {0};
    DrivenStream stream =
        incremental(
                new ModifiedSince("from"),
                changed,
                request -> {
                  String late = row(10 + reads[0]++ % 2, "a");
                  changed.clear();
                  changed.add(row(10 + reads[0] % 2, "a"));
                  return Answer.of(rows.stream().filter(row -> !row.equals(late)).toList());
                })
            .reconciles(Duration.ofHours(1))
            .start();
    stream.passes(Duration.ofHours(2));
    rows.add("{}");
    stream.passes(Duration.ofHours(3));
    rows.remove(5);
    assertThat(stream.passes(Duration.ofHours(3)).events()).hasSize(31).endsWith("d5");
  }

  /** No read had news since the position; the dead letter of the second row may be written. */
  @ParameterizedTest
  @ValueSource(strings = {"SKIP", "DEAD_LETTER"})
  void holdsAfterAStopARowThatTookTheTextOfOneThatWent(String errors) {
    fill(30);
    rows.add("{}");
    DrivenStream stream = DrivenStream.list(() -> rows).rowErrors(RowErrors.valueOf(errors));
    stream.start().fetches(2, 10).checkpointsAtMostEvery(Duration.ofDays(1)).restart();
    boolean isWritten = errors.equals("DEAD_LETTER");
    if (isWritten) {
      stream.hold();
    }
    stream.requests(1);
    rows.remove(30);
    stream.requests(1).hold();
    rows.set(5, "{}");
    stream.requests(1).stop(isWritten ? 2 : 0);
    assertThat(stream.deadLetters()).hasSize(isWritten ? 2 : 0);
    assertThat(stream.restart().requests(5).events()).hasSize(30);
  }

  /** Only an increment shows it readable, while nothing says which store it is. */
  @Test
  void holdsARowThatBreaksAgainThoughTheLocationWasSilent() {
    fill(30);
    List<String> changed = new ArrayList<>();
    DrivenStream stream = incremental(changed).reconciles(Duration.ofHours(1)).start();
    stream.passes(Duration.ofHours(2));
    stream.whoamiFails(new Unavailable(Problem.SERVICE_FAILED, "GET /whoami", "fails"));
    stream.passes(Duration.ofMinutes(5));
    rows.set(9, withTextId(9));
    stream.passes(Duration.ofHours(2));
    changed.add(row(9, "b"));
    stream.passes(Duration.ofMinutes(1));
    changed.clear();
    stream.whoamiAnswers();
    assertThat(stream.passes(Duration.ofHours(5)).events()).hasSize(31).endsWith("u9b");
  }

  /** A key comes and goes between its pages, and may be that row; no other may. */
  @Test
  void deletesBesideABrokenRowThatOneKeyMayBe() {
    rows.add(withTextId(999));
    fill(30);
    DrivenStream stream = paged(PAGES).passes(Duration.ofHours(1));
    rows.add(row(99, "a"));
    stream.passes(Duration.ofMinutes(1));
    rows.removeAll(List.of(row(99, "a"), row(5, "a")));
    stream.passes(Duration.ofHours(1));
    assertThat(stream.events()).hasSize(32).endsWith("c99a", "d5");
    assertThat(stream.metric("deletes-uncertain")).isEqualTo(1);

    rows.remove(0);
    assertThat(stream.passes(Duration.ofHours(1)).events()).endsWith("d99");
  }

  /** Increments show a new row break, of which an older list knows nothing yet. */
  @Test
  void holdsARowThatOnlyIncrementsShowUnreadable() {
    fill(30);
    List<String> changed = new ArrayList<>();
    DrivenStream stream = incremental(changed).reconciles(Duration.ofHours(1)).start();
    stream.passes(Duration.ofMinutes(90));
    changed.add(row(99, "a"));
    stream.passes(Duration.ofMinutes(5));
    changed.set(0, withTextId(99));
    stream.passes(Duration.ofMinutes(60));
    changed.clear();
    rows.add(withTextId(99));
    stream.passes(Duration.ofHours(5));
    assertThat(stream.events()).hasSize(31).endsWith("c99a");
    assertThat(stream.metric("deletes-uncertain")).isEqualTo(1);
  }

  /** A replica answers: the list that follows a delete is older than the one that showed it. */
  @Test
  void bringsNoRowBackThatAListLacked() {
    fill(30);
    Deque<List<String>> lists = new ArrayDeque<>(List.of(rows));
    DrivenStream stream =
        incremental(
                new ModifiedSince("from"),
                List.of(),
                request -> Answer.of(lists.size() > 1 ? lists.remove() : lists.element()))
            .reconciles(Duration.ofMinutes(5))
            .start();
    stream.passes(Duration.ofMinutes(60));
    stream.events().clear();
    lists.addAll(List.of(rows.subList(1, 30), rows, rows.subList(1, 30)));
    stream.passes(Duration.ofMinutes(50));
    assertThat(stream.events()).containsExactly("d0");

    lists.add(rows);
    stream.passes(Duration.ofMinutes(30));
    assertThat(stream.events()).as("it came back to stay").containsExactly("d0", "c0a");
  }

  /** Its row changed while it was made, and the answers after it are a little older. */
  @Test
  void revertsNothingThatAnIncrementSlowerThanTheLookbackReturned() {
    SimulatedTime time = new SimulatedTime(0);
    Service slow =
        request -> {
          boolean isIncrement = !request.parameter("from", "").isEmpty();
          if (isIncrement && rows.size() > 1) {
            time.sleep(Duration.ofMinutes(20).toMillis());
            return Answer.of(List.of(rows.remove(1)));
          }
          return Answer.of(isIncrement ? List.of() : List.copyOf(rows));
        };
    rows.add(row(1, "a"));
    DrivenStream stream = new DrivenStream(new ModifiedSince("from"), slow, time);
    stream.reconciles(Duration.ofMinutes(30)).start().passes(Duration.ofMinutes(25));
    rows.add(row(1, "b"));
    assertThat(stream.requests(3).events()).containsExactly("r1a", "u1b");
  }

  /** One response of each list breaks off, in front of the page with the broken row. */
  @Test
  void deletesBesideABrokenRowThoughEachListBreaksOff() {
    fill(30);
    rows.add(withTextId(99));
    DrivenStream stream = breakingOff(new int[1]);
    stream.passes(Duration.ofMinutes(30));
    stream.events().clear();
    rows.remove(5);
    stream.passes(Duration.ofMinutes(30));
    assertThat(stream.events()).containsExactly("d5");
  }

  /** The text of a broken row differs at each read in a field that is ignored. */
  @Test
  void emitsABrokenRowOnceWhateverItsIgnoredFields() {
    int[] read = {0};
    DrivenStream stream =
        DrivenStream.list(
                () -> List.of(row(1, "a"), "{\"id\":\"x\",\"c\":\"a\",\"v\":" + read[0]++ + "}"))
            .ignores("v")
            .start();
    stream.passes(Duration.ofDays(1));
    assertThat(read[0]).isGreaterThan(1_000);
    assertThat(stream.deadLetters()).hasSize(1);
    assertThat(stream.metric("dead-letters-total")).isEqualTo(1);
  }

  /** One list lacks most of its rows, and has another row without a key. */
  @Test
  void emitsADeadLetterOnceThoughAListLacksItAndMostRows() {
    fill(40);
    rows.add(withTextId(98));
    DrivenStream stream = full();
    List<String> before = List.copyOf(rows);
    rows.subList(10, rows.size()).clear();
    rows.add(withTextId(99));
    stream.fetches(1, 10);
    rows.clear();
    rows.addAll(before);
    stream.passes(Duration.ofHours(1));
    assertThat(stream.deadLetters()).hasSize(2);
  }

  private void rowChangesBesideFew(DrivenStream stream, Runnable read) {
    rows.subList(10, rows.size()).clear();
    for (int id = 100; id < 300; id++) {
      rows.add(withTextId(id));
      read.run();
      rows.remove(10);
    }
    assertThat(stream.statuses()).doesNotContain("SUSPENDED");
  }

  /** A list lacks most of its rows for good, and a row without a key changes all the time. */
  @Test
  void forgetsTheDeadLettersOfARowThatChangesWhateverTheListLacks() {
    fill(40);
    DrivenStream stream = DrivenStream.list(() -> rows).maxKeys(100).start();
    stream.fetches(2, 10);
    rowChangesBesideFew(stream, () -> stream.fetches(1, 10));
    assertThat(stream.deadLetters()).hasSize(200);
  }

  /** Increments show most rows for ever, and the lists never do. */
  @Test
  void forgetsTheDeadLettersOfARowThatChangesWhateverTheListLeavesToIncrements() {
    fill(40);
    List<String> changed = List.copyOf(rows);
    DrivenStream stream =
        incremental(changed).reconciles(Duration.ofMinutes(20)).maxKeys(100).start();
    stream.passes(Duration.ofHours(1));
    rowChangesBesideFew(stream, () -> stream.passes(Duration.ofMinutes(20)));
    assertThat(stream.deadLetters()).hasSizeGreaterThan(150);
  }

  /** Two rows of one key stand on two pages, and both become b. */
  @Test
  void emitsWhatTwoRowsOfAKeyAgreeOn() {
    fill(7);
    rows.add(row(0, "twin"));
    DrivenStream stream = paged(PAGES);
    stream.passes(Duration.ofMinutes(30));
    rows.set(0, row(0, "b"));
    rows.set(7, row(0, "b"));
    stream.passes(Duration.ofMinutes(30));
    assertThat(stream.events().stream().filter(event -> event.contains("0")).toList())
        .endsWith("u0b");
  }

  /** Two rows of one key stand on two pages, and each first answer with the second breaks off. */
  @Test
  void decidesNothingAtASecondAttemptEither() {
    fill(4);
    rows.add(row(0, "twin"));
    int[] attempts = {0};
    DrivenStream stream = breakingOff(attempts);
    stream.passes(Duration.ofHours(1));
    assertThat(attempts[0]).isGreaterThan(4);
    assertThat(stream.events()).containsExactly("r0a", "r1a", "r2a", "r3a");
    assertThat(stream.deadLetters()).hasSize(1);
  }

  /** Two rows of one key come in each increment, in varying order; on two pages, one is broken. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void staysQuietAboutTwinsInIncrements(boolean inPages) {
    Retrieval read = inPages ? PAGES : new Full(false);
    rows.addAll(DrivenStream.rows(1, 4));
    rows.add(row(1, inPages ? "b".repeat(300) : "b"));
    DrivenStream stream =
        new DrivenStream(
                new ModifiedSince("from", "", read, read),
                request -> {
                  Collections.rotate(rows, Answer.beginsList(request) ? 3 : 0);
                  return Answer.page(request, rows);
                })
            .eventsOfAtMost(300)
            .start();
    assertThat(stream.passes(Duration.ofDays(2)).events()).hasSize(3);
    assertThat(stream.deadLetters()).hasSize(1);
  }

  @Test
  void emitsAnUpdateOfATwinInAnIncrement() {
    List<String> twins = new ArrayList<>(List.of(row(1, "a"), row(1, "b")));
    DrivenStream stream = DrivenStream.list(new ModifiedSince("from"), () -> twins).start();
    stream.passes(Duration.ofHours(1));
    twins.set(0, row(1, "c"));
    assertThat(stream.passes(Duration.ofHours(1)).events()).containsExactly("r1a", "u1c");
  }

  /** A row that changes while pages are read is no twin, though an answer breaks off behind it. */
  @Test
  void emitsARowThatMovedToALaterPageWhileItChanged() {
    fill(9);
    int[] requests = {0};
    DrivenStream stream =
        new DrivenStream(
                PAGES,
                request -> {
                  if (++requests[0] == 18) {
                    rows.remove(1);
                    rows.add(row(1, "b"));
                  }
                  Answer answer = Answer.page(request, rows);
                  if (requests[0] == 23) {
                    rows.set(8, row(1, "c"));
                    return answer.breakingOff();
                  }
                  return answer;
                })
            .start();
    assertThat(stream.passes(Duration.ofHours(1)).events()).endsWith("r8a", "u1c");
    assertThat(requests[0]).isGreaterThan(30);
    assertThat(stream.deadLetters()).isEmpty();
  }

  /** Each page begins with the last row of the one before; that row changes in each pass. */
  @Test
  void readsSnapshotAgainWhileARowHasTwoContents() {
    fill(5);
    List<String> changed = new ArrayList<>();
    int[] requests = {0};
    DrivenStream stream =
        incremental(
                new ModifiedSince("from", "/all", PAGES),
                changed,
                request -> {
                  int page = Integer.parseInt(request.parameter("page", ""));
                  Answer answer =
                      Answer.of(List.copyOf(rows.subList(2 * page - 2, Math.min(2 * page + 1, 5))));
                  if (++requests[0] == 1) {
                    rows.set(2, row(2, "b"));
                  } else if (requests[0] == 4) {
                    rows.set(2, row(2, "c"));
                    changed.add(row(2, "c"));
                  }
                  return answer;
                })
            .start();
    assertThat(stream.passes(Duration.ofMinutes(30)).events()).endsWith("u2b", "u2c");
  }

  @Test
  void remembersTwinsOverARestart() {
    fill(5);
    rows.add(row(2, "twin"));
    DrivenStream stream = paged(PAGES);
    stream.passes(Duration.ofMinutes(30));
    int events = stream.events().size();
    int deadLetters = stream.deadLetters().size();
    Collections.reverse(rows);
    assertThat(stream.start().passes(Duration.ofHours(1)).events()).hasSize(events);
    assertThat(stream.deadLetters()).hasSize(deadLetters).hasSize(1);
  }

  /** Nothing of a skipped row is published, so nothing of it may be stored. */
  @Test
  void storesNothingOfSkippedRows() {
    int[] read = {0};
    fill(3);
    DrivenStream stream =
        new DrivenStream(
                new Full(false),
                request -> {
                  read[0]++;
                  List<String> shown = new ArrayList<>(rows);
                  IntStream.range(0, 20)
                      .forEach(
                          i -> shown.add("{\"id\":\"x\",\"c\":\"" + read[0] + "-" + i + "\"}"));
                  return Answer.of(shown);
                })
            .rowErrors(RowErrors.SKIP)
            .start();
    stream.passes(Duration.ofDays(1));
    rows.set(0, row(0, "b"));
    stream.passes(Duration.ofMinutes(5));
    assertThat(read[0]).isGreaterThan(1_000);
    assertThat(stream.events()).endsWith("u0b");
    assertThat(stream.deadLetters()).isEmpty();
    assertThat(stream.segments()).isLessThan(5);
    assertThat(stream.metric("dead-letters-total")).as("each is counted").isEqualTo(20L * read[0]);
  }

  /** A dead letter stands in its topic, whatever follows from other broken rows meanwhile. */
  @Test
  void remembersDeadLettersWhileBrokenRowsAreSkipped() {
    fill(3);
    rows.add("{\"c\":\"no key\"}");
    rows.add(row(0, "twin"));
    DrivenStream stream = full();
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.deadLetters()).hasSize(2);

    stream.rowErrors(RowErrors.SKIP).start();
    rows.add("{\"c\":\"nor here\"}");
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.deadLetters()).hasSize(2);
    assertThat(stream.metric("dead-letters-total")).isEqualTo(1L);

    stream.rowErrors(RowErrors.DEAD_LETTER).start();
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.deadLetters()).hasSize(3);
    assertThat(stream.events()).hasSize(3);
  }

  /** Both losses are real: each is held, reported and released by itself. */
  @Test
  void reportsTwoMassDeletesWithinAnHour() {
    fill(300);
    DrivenStream stream = full();
    rows.subList(0, 150).clear();
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.statuses()).endsWith("DELETES_HELD");
    assertThat(stream.latestStatus().toString()).contains("150 keys vanished");
    stream.passes(Duration.ofMinutes(10));
    assertThat(stream.statuses()).endsWith("DELETES_HELD", "DELETES_RELEASED");
    assertThat(stream.events()).hasSize(300 + 150);

    rows.subList(0, 70).clear();
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.statuses()).endsWith("DELETES_RELEASED", "DELETES_HELD");
    assertThat(stream.latestStatus().toString()).contains("70 keys vanished");
    assertThat(stream.events()).hasSize(300 + 150);
    stream.passes(Duration.ofMinutes(10));
    assertThat(stream.statuses()).endsWith("DELETES_HELD", "DELETES_RELEASED");
    assertThat(stream.events()).hasSize(300 + 150 + 70);
  }

  /** A row that is mended and breaks again is a dead letter again, even with the same text. */
  @Test
  void sameTextIsADeadLetterEachTimeItBreaks() {
    String broken = row(1, "x".repeat(1_000_000));
    String[] shown = {""};
    for (Retrieval retrieval : List.of(new Full(false), new ModifiedSince("from"))) {
      shown[0] = row(1, "a");
      DrivenStream stream =
          DrivenStream.list(retrieval, () -> List.of(shown[0], row(2, "b"))).start();
      stream.requests(2);

      shown[0] = broken;
      stream.requests(3);
      assertThat(stream.deadLetters()).as("broken, %s", retrieval).hasSize(1);

      shown[0] = row(1, "a");
      stream.requests(3);
      shown[0] = broken;
      stream.requests(3);
      assertThat(stream.deadLetters()).as("broken again, %s", retrieval).hasSize(2);
      assertThat(stream.events()).hasSize(2);
    }
  }

  /** More are broken at once than are known by their keys. */
  @Test
  void sameTextIsADeadLetterEachTimeItBreaksBesideManyBrokenRows() {
    String broken = "x".repeat(1_000);
    IntStream.range(0, 10_000).forEach(id -> rows.add(row(id, broken)));
    List<String> changed = new ArrayList<>(List.of(row(20_000, "a")));
    DrivenStream stream = incremental(changed).reconciles(Duration.ofHours(1)).maxKeys(100_000);
    stream.eventsOfAtMost(900).start().passes(Duration.ofMinutes(30));
    for (int id : new int[] {9_999, 10_000}) {
      for (String content : List.of("other" + broken, "a", "other" + broken)) {
        changed.set(0, row(id, content));
        stream.passes(Duration.ofMinutes(3));
      }
      assertThat(stream.deadLetters())
          .filteredOn(letter -> letter.contains(id + ",\"c\":\"other"))
          .hasSize(2);
      rows.clear();
      stream.passes(Duration.ofHours(3));
    }
  }
}
