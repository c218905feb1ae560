package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static io.posconnect.fetch.DrivenStream.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.TaskLog;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream reports each thing once: in the log, in metrics, and in the status topic. */
class StreamReporterTest {

  private static final String ABSENT = "PRIVATE_FIELD_ABSENT";

  private final ApiException noIdentity =
      new Unavailable(Problem.SERVICE_FAILED, "downtown/locations: GET /whoami 503", "it is down");

  private final ApiException forbidden =
      new Refused(Problem.PERMISSION_MISSING, "downtown/locations: GET /whoami 403", "no", 403);

  private final List<String> rows = new ArrayList<>(List.of(row(1, "a")));
  private ApiException failure =
      new Unavailable(Problem.SERVICE_FAILED, "default/things: GET /things 503", "it is down");
  private boolean down;
  private Problem reason = Problem.PATH_UNKNOWN;
  private int requests;

  private DrivenStream stream() {
    return stream(Duration.ZERO);
  }

  private DrivenStream stream(Duration checkpointInterval) {
    return new DrivenStream(
            new Full(false),
            request -> {
              requests++;
              if (down) {
                throw failure;
              }
              return Answer.of(rows);
            })
        .checkpointsAtMostEvery(checkpointInterval)
        .start();
  }

  @Test
  void logsStartAndEndOfSnapshotAndThenNothing() {
    DrivenStream stream = stream();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.requests(50);
      assertThat(log.lines())
          .satisfiesExactly(
              line -> assertThat(line).contains("INFO", "downtown/things: the snapshot begins"),
              line -> assertThat(line).contains("INFO", "is complete, 1 row in"));
    }
  }

  @Test
  void showsWatermarkOnceRecordsBeforeItAreWritten() {
    DrivenStream stream = stream().requests(3);
    stream.hold();
    rows.set(0, row(1, "b"));
    stream.passes(Duration.ofMinutes(30));
    assertThat(stream.metric("watermark-lag-ms")).isGreaterThan(Duration.ofMinutes(25).toMillis());

    stream.write();
    assertThat(stream.metric("watermark-lag-ms")).isLessThan(Duration.ofMinutes(5).toMillis());
  }

  @Test
  void logsTwoLinesForOutageThenOneAnHourAndOneForItsEnd() {
    DrivenStream stream = stream().requests(3);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      down = true;
      stream.passes(Duration.ofMinutes(59));
      assertThat(requests).isGreaterThan(13);
      assertThat(log.lines()).hasSize(2);
      assertThat(log.lines().get(0)).startsWith("WARN").contains("POS-402", "Attempt 2 follows in");
      assertThat(log.lines().get(1)).startsWith("ERROR").contains("POS-402", "is suspended");

      down = false;
      stream.passes(Duration.ofMinutes(10));
      assertThat(log.lines()).hasSize(3);
      assertThat(log.lines().get(2))
          .startsWith("INFO")
          .contains("answers again", "failures in 6")
          .doesNotContain("POS-402");
      down = true;
      stream.passes(Duration.ofHours(8));
      assertThat(log.lines()).hasSizeBetween(11, 13);
      assertThat(log.lines().get(8)).startsWith("ERROR").contains("failures since the last line");
    }
  }

  @Test
  void logsWhenTheLimitAllowsTheNextAttempt() {
    DrivenStream stream = stream().requests(3);
    failure = new Throttled("default/things: GET /things 429", null, OptionalInt.of(30));
    down = true;
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.requests(1);
      assertThat(log.lines()).last().asString().endsWith("Attempt 2 follows in 60 s.");
      long before = stream.time.nanoseconds();
      stream.requests(1);
      assertThat(Duration.ofNanos(stream.time.nanoseconds() - before).toSeconds()).isEqualTo(60);
    }
  }

  @Test
  void logsEndOfOutageForEachStreamOfLocation() {
    DrivenStream products = stream().requests(3);
    DrivenStream customers = products.neighbour().passes(Duration.ofMinutes(3));
    try (TaskLog log = TaskLog.listenAtInfo()) {
      down = true;
      products.whoamiFails(noIdentity);
      products.passes(Duration.ofMinutes(59), customers);
      assertThat(log.lines()).hasSize(4);
      down = false;
      products.whoamiAnswers();
      products.passes(Duration.ofMinutes(20), customers);
      assertThat(log.lines().subList(4, log.lines().size()))
          .hasSize(2)
          .allMatch(line -> line.contains("answers again"));
    }
  }

  @Test
  void logsOneLineAnHourWhileIdentityIsUnknown() {
    DrivenStream stream = stream().requests(3);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.whoamiFails(noIdentity);
      stream.passes(Duration.ofHours(8));
      assertThat(log.lines())
          .hasSizeBetween(7, 9)
          .allMatch(line -> line.startsWith("WARN POS-402 "))
          .allMatch(line -> line.contains("Nothing of downtown/things is deleted until"));
      down = true;
      stream.passes(Duration.ofMinutes(50));
      down = false;
      stream.passes(Duration.ofMinutes(9));
      assertThat(log.lines().stream().filter(line -> line.startsWith("INFO"))).hasSize(1);
    }
  }

  @Test
  void logsFewLinesWhenServiceFailsEveryOtherTime() {
    DrivenStream stream = stream().requests(3);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      for (int turn = 0; turn < 40; turn++) {
        down = !down;
        stream.requests(1);
      }
      assertThat(log.lines()).hasSizeBetween(2, 8);
    }
  }

  /** A stream that is refused and read in turns, each some thirty seconds. */
  private DrivenStream refusedInTurns(boolean[] refuses) {
    return new DrivenStream(
            new Full(false),
            request -> {
              requests++;
              if (down || (refuses[0] && requests % 2 == 0)) {
                throw new Refused(reason, "GET /things", "no", 404);
              }
              return Answer.of(rows);
            })
        .polls(Duration.ofSeconds(1))
        .start();
  }

  @Test
  void reportsFewOfTheTurnsOfStreamThatIsRefusedEveryOtherTime() {
    boolean[] refuses = {true};
    DrivenStream stream = refusedInTurns(refuses);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofHours(8));
      assertThat(requests).isGreaterThan(1_500);
      assertThat(log.lines().size()).isLessThan(2 + 2 * 8 * 6 + 2);
      assertThat(stream.turns()).hasSizeBetween(80, 2 * 8 * 6 + 2);
      assertThat(log.lines()).filteredOn(line -> line.startsWith("ERROR")).hasSizeGreaterThan(40);
    }
  }

  @Test
  void showsSuspensionThatLastsAfterManyTurns() {
    boolean[] refuses = {true};
    DrivenStream stream = refusedInTurns(refuses).passes(Duration.ofMinutes(64));
    down = true;
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofMinutes(30));
      assertThat(stream.turns()).endsWith("SUSPENDED");
      assertThat(log.lines()).last().asString().startsWith("ERROR");
      down = false;
      refuses[0] = false;
      stream.passes(Duration.ofMinutes(30));
      assertThat(log.lines()).last().asString().contains("answers again");
    }
    List<String> turns = stream.turns();
    assertThat(turns).endsWith("RESUMED");
    for (int i = 0; i < turns.size(); i++) {
      assertThat(turns.get(i)).isEqualTo(i % 2 == 0 ? "SUSPENDED" : "RESUMED");
    }
  }

  @Test
  void reportsSuspensionForAnotherReasonThoughOneEndedJustNow() {
    DrivenStream stream = refusedInTurns(new boolean[1]).requests(3);
    down = true;
    stream.requests(1);
    down = false;
    stream.requests(3);
    assertThat(stream.turns()).containsExactly("SUSPENDED", "RESUMED");
    down = true;
    reason = Problem.PERMISSION_MISSING;
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.requests(1);
      assertThat(log.lines()).singleElement().asString().startsWith("ERROR POS-202");
    }
    assertThat(stream.turns()).containsExactly("SUSPENDED", "RESUMED", "SUSPENDED");
    assertThat(stream.latestStatus().getString("additional_data")).contains("POS-202");
  }

  @Test
  void reportsFewOfTheHoldsOfListThatIsShortEveryOtherTime() {
    List<String> all = rows(0, 40);
    DrivenStream stream =
        DrivenStream.list(() -> ++requests % 2 == 0 ? all.subList(0, 10) : all).start();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofHours(8));
      assertThat(requests).isGreaterThan(400);
      assertThat(stream.statuses())
          .filteredOn(type -> type.startsWith("DELETES_"))
          .hasSizeBetween(40, 2 * 8 * 6 + 2);
      assertThat(log.lines().size()).isLessThan(2 + 2 * 8 * 6 + 2);
      assertThat(stream.events()).noneMatch(event -> event.startsWith("d"));
    }
  }

  @Test
  void reportsThatTooManyVanishedAtOnceThoughAnotherHoldEndedJustNow() {
    rows.addAll(rows(2, 41));
    DrivenStream stream = stream().passes(Duration.ofMinutes(3));
    rows.set(0, "{\"name\": \"no key\"}");
    stream.passes(Duration.ofMinutes(2));
    assertThat(stream.latestStatus().getString("additional_data")).contains("POS-504");
    rows.subList(0, 20).clear();
    stream.passes(Duration.ofMinutes(2));
    assertThat(stream.statuses()).endsWith("DELETES_HELD");
    assertThat(stream.latestStatus().getString("additional_data")).contains("POS-502");
  }

  @Test
  void reportsRenamedStoreOnceAnHourWhileItsNameAlternates() {
    DrivenStream stream = stream().requests(3);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      for (int turn = 0; turn < 100; turn++) {
        stream.storeIsNamed(turn % 2 == 0 ? "Uptown" : "Downtown");
        stream.passes(Duration.ofMinutes(3));
      }
      assertThat(log.lines()).filteredOn(line -> line.contains("was renamed")).hasSizeBetween(4, 6);
    }
  }

  @Test
  void claimsNothingOfSingleObjectThatCannotBeCompared() {
    DrivenStream stream = DrivenStream.list(new Full(true), () -> rows).start().requests(3);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.storeIsNamed("Uptown");
      rows.set(0, row(1, "another"));
      stream.passes(Duration.ofMinutes(3));
      assertThat(stream.events()).endsWith("u1another");
      assertThat(log.lines()).noneMatch(line -> line.contains("its rows are those of before"));
    }
  }

  @Test
  void reportsFewOfTheEndsOfListWhoseLengthAlternates() {
    rows.addAll(List.of(row(2, "b"), row(3, "c"), row(4, "d")));
    DrivenStream stream =
        new DrivenStream(
                new Pages("page", "size", 1, 2),
                request -> {
                  requests += Answer.beginsList(request) ? 1 : 0;
                  return orRefused(Answer.page(request, rows.subList(0, 2 + requests / 8 % 2 * 2)));
                })
            .start()
            .passes(Duration.ofHours(8));
    assertThat(stream.statuses()).filteredOn("LIST_ENDED"::equals).hasSizeBetween(2, 9);
  }

  @Test
  void countsEveryFetchWithOrWithoutCheckpoint() {
    rows.add(row(2, "b"));
    DrivenStream stream = stream(Duration.ofHours(1)).requests(39);

    assertThat(stream.checkpoints()).isLessThan(5);
    assertThat(stream.metric("fetches-total")).isEqualTo(39);
    assertThat(stream.metric("rows-received-total")).isEqualTo(78);
  }

  @Test
  void countsEachRowOnceWhileIncrementsTakeTurnsWithPages() {
    int[] sent = {0};
    rows.addAll(rows(2, 21));
    rows.add(0, "{\"c\":\"no key\"}");
    DrivenStream stream =
        new DrivenStream(
                new ModifiedSince("from", "", new Pages("page", "size", 1, 2)),
                request -> {
                  Answer answer = Answer.page(request, rows);
                  sent[0] += answer.rows().size();
                  return answer;
                })
            .polls(Duration.ofMillis(300))
            .reconciles(Duration.ofMinutes(2))
            .start()
            .passes(Duration.ofMinutes(5));

    assertThat(stream.metric("rows-received-total")).isEqualTo(sent[0]);
    assertThat(stream.metric("events-read-total")).isEqualTo(20);
    assertThat(stream.metric("dead-letters-total")).isEqualTo(stream.deadLetters().size());
  }

  @Test
  void advisesNoPermissionForWhoamiThatNeedsNone() {
    DrivenStream stream = stream().requests(3);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.whoamiFails(forbidden);
      stream.passes(Duration.ofMinutes(5));
      assertThat(log.lines().get(0)).contains("POS-202", "GET /whoami 403", "needs no permission");
    }
  }

  @Test
  void logsLengthAndStartOfWindowThatIsTooLong() {
    DrivenStream stream =
        new DrivenStream(
                new DateRange("from", "to"),
                request -> {
                  if (requests++ == 0) {
                    throw new Refused(Problem.REQUEST_REFUSED, "GET /things 400", "no", 400);
                  }
                  return Answer.of(rows);
                })
            .startsFrom("2019-01-01T00:00:00Z")
            .start();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.requests(2);
      assertThat(log.lines().get(0))
          .endsWith(
              "POS-207 GET /things 400: no; a window shorter than 24 h follows, from"
                  + " 2019-01-01T00:00:00Z on");
    }
  }

  @Test
  void countsTimeForWhichTheLimitKeepsEachRequestWaiting() {
    // The slot of /whoami comes after 10 ms, and that of the list 89 ms after its answer.
    assertThat(stream().requests(1).metric("limit-wait-ms-total")).isEqualTo(10 + 89);
  }

  /** Another read must confirm the delete of a list in pages. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reportsDeletesThatWaitForIdentityIfTheyWaitLong(boolean inPages) {
    rows.addAll(List.of(row(2, "b"), row(3, "c")));
    DrivenStream stream =
        DrivenStream.list(inPages ? new Pages("page", "size", 1, 2) : new Full(false), () -> rows)
            .start()
            .passes(Duration.ofMinutes(5));
    stream.whoamiFails(forbidden);
    rows.remove(2);
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.events()).containsExactly("r1a", "r2b", "r3c");
    assertThat(stream.metric("deletes-pending")).isZero();
    stream.whoamiAnswers();
    stream.passes(Duration.ofMinutes(15));
    assertThat(stream.events()).containsExactly("r1a", "r2b", "r3c", "d3");
    assertThat(stream.statuses()).doesNotContain("DELETES_HELD");
    stream.whoamiFails(forbidden);
    rows.remove(0);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofMinutes(50));
      assertThat(stream.events()).containsExactly("r1a", "r2b", "r3c", "d3");
      assertThat(stream.metric("deletes-pending")).isEqualTo(1);
      assertThat(stream.statuses()).endsWith("DELETES_HELD").containsOnlyOnce("DELETES_HELD");
      assertThat(log.lines()).filteredOn(line -> line.contains("POS-503")).hasSize(1);
    }
    stream.whoamiAnswers();
    stream.passes(Duration.ofMinutes(20));
    assertThat(stream.events()).containsExactly("r1a", "r2b", "r3c", "d3", "d1");
    assertThat(stream.metric("deletes-pending")).isZero();
    assertThat(stream.statuses()).endsWith("DELETES_RELEASED");
    assertThat(stream.latestStatus().getString("additional_data")).isEqualTo("{\"deleted\":\"1\"}");
  }

  @Test
  void reportsSnapshotWhileItsListArrives() {
    List<String> seen = new ArrayList<>();
    IntConsumer[] arrives = {row -> {}};
    DrivenStream stream =
        DrivenStream.list(() -> slowly(900, row -> arrives[0].accept(row))).start();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      arrives[0] =
          row -> {
            stream.time.sleep(100);
            if (row % 400 == 0) {
              seen.add(log.lines().size() + " " + stream.metric("snapshot-running"));
            }
          };
      stream.requests(1);
      assertThat(seen).containsExactly("1 1", "2 1", "3 1");
      assertThat(log.lines().get(0)).contains("the snapshot begins");
      assertThat(log.lines().get(1)).contains("the snapshot continues", "rows in 30 s");
      assertThat(log.lines()).last().asString().contains("is complete, 900 rows in 90 s");
    }
    assertThat(stream.statuses())
        .startsWith("SNAPSHOT_STARTED", "SNAPSHOT_IN_PROGRESS")
        .endsWith("SNAPSHOT_COMPLETED");
    assertThat(stream.metric("snapshot-running")).isZero();
  }

  @Test
  void showsNoSnapshotThatRunsBeforeTheServiceAnswers() {
    down = true;
    DrivenStream stream = stream();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofMinutes(30));
      assertThat(log.lines()).isNotEmpty().noneMatch(line -> line.contains("the snapshot"));
      assertThat(stream.statuses()).startsWith("SNAPSHOT_STARTED", "SUSPENDED");
      assertThat(stream.metric("snapshot-running")).isZero();
      down = false;
      stream.passes(Duration.ofMinutes(11));
      assertThat(log.lines()).filteredOn(line -> line.contains("the snapshot begins")).hasSize(1);
      assertThat(stream.statuses()).containsOnlyOnce("SNAPSHOT_STARTED", "SNAPSHOT_COMPLETED");
    }
  }

  @Test
  void reportsNoProgressOfSnapshotThatMakesNone() {
    DrivenStream stream =
        new DrivenStream(
                new Pages("page", "size", 1, 1),
                request -> {
                  if (request.parameter("page", "1").equals("2")) {
                    throw new Unavailable(Problem.SERVICE_FAILED, "GET /things 503", "it is down");
                  }
                  return Answer.page(request, List.of(row(1, "a"), row(2, "b")));
                })
            .start();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofHours(3));
      assertThat(linesWith(log, "the snapshot continues")).isLessThan(2);
      assertThat(stream.statuses()).filteredOn("SNAPSHOT_IN_PROGRESS"::equals).hasSizeLessThan(2);
    }
  }

  @Test
  void reportsProgressOfLongSnapshotLessAndLessOften() {
    DrivenStream[] stream = new DrivenStream[1];
    List<String> endless = slowly(Integer.MAX_VALUE, row -> stream[0].time.sleep(10_000));
    stream[0] = DrivenStream.list(new Pages("page", "size", 1, 1), () -> endless).start();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream[0].passes(Duration.ofHours(8));
      assertThat(linesWith(log, "the snapshot continues")).isBetween(12L, 18L);
      assertThat(stream[0].statuses())
          .filteredOn("SNAPSHOT_IN_PROGRESS"::equals)
          .hasSizeBetween(12, 18);
    }
  }

  private static long linesWith(TaskLog log, String part) {
    return log.lines().stream().filter(line -> line.contains(part)).count();
  }

  /** Rows of which each does something before it arrives. */
  private static List<String> slowly(int size, IntConsumer before) {
    return new AbstractList<>() {
      @Override
      public String get(int index) {
        before.accept(index);
        return row(index, "a");
      }

      @Override
      public int size() {
        return size;
      }
    };
  }

  @Test
  void reportsRejectedRowsAtOnceAndThenOnceAnHour() {
    IntStream.range(0, 11).forEach(i -> rows.add("{\"c\":\"" + i + "\"}"));
    DrivenStream stream =
        new DrivenStream(
                new Full(false),
                request -> {
                  rows.add("{\"c\":\"later " + rows.size() + "\"}");
                  return Answer.of(rows);
                })
            .start();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofMinutes(150));
      List<String> lines = log.lines().stream().filter(l -> l.contains("POS-501")).toList();
      assertThat(lines).hasSize(3);
      assertThat(lines.get(0))
          .startsWith("WARN")
          .contains(
              "downtown/things: 12 rows cannot become events (the last: no key: id). Correct");
      assertThat(lines.get(2)).contains("60 rows");
      assertThat(stream.statuses()).filteredOn("ROWS_REJECTED"::equals).hasSize(3);
    }
    assertThat(stream.metric("dead-letters-total")).isEqualTo(stream.deadLetters().size());
  }

  @Test
  void countsDeadLetterOfListThatBreaksOff() {
    rows.add("{\"c\":\"no key\"}");
    DrivenStream stream =
        new DrivenStream(
                new Full(false),
                request -> requests++ == 0 ? Answer.of(rows).breakingOff() : Answer.of(rows))
            .start()
            .requests(5);
    assertThat(stream.deadLetters()).hasSize(1);
    assertThat(stream.metric("dead-letters-total")).isEqualTo(1);
  }

  @Test
  void showsRowsOfListWithoutThoseOfAttemptsThatBrokeOff() {
    rows.addAll(List.of(row(2, "a"), row(3, "a")));
    DrivenStream stream =
        new DrivenStream(
                new Pages("page", "size", 1, 2),
                request -> {
                  Answer page = Answer.page(request, rows);
                  return requests++ % 2 == 0 ? page.breakingOff() : page;
                })
            .start()
            .requests(20);
    assertThat(stream.checkpoints()).isPositive();
    assertThat(stream.metric("last-fetch-rows")).isEqualTo(3);
  }

  @Test
  void reportsOncePrivateFieldThatNoRowHas() {
    rows.clear();
    DrivenStream stream = stream().hides("c", "email").requests(3);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      assertThat(stream.statuses()).as("no row shows no name").doesNotContain(ABSENT);
      rows.add(row(1, "a"));
      stream.requests(3);
      assertThat(stream.statuses()).containsOnlyOnce(ABSENT);
      assertThat(log.lines())
          .filteredOn(line -> line.contains("POS-115"))
          .singleElement()
          .asString()
          .contains("downtown/things: no row of a full read has the field email. ");

      rows.set(0, "{\"id\":1}");
      stream.requests(3);
      assertThat(stream.statuses()).as("the other one is gone too").endsWith(ABSENT);
      assertThat(log.lines().get(log.lines().size() - 1)).contains("has the field c. ");
    }
  }

  @Test
  void asksOnlyFullReadsForPrivateFields() {
    List<String> answers = new ArrayList<>(List.of(row(1, "a"), "{\"id\":1,\"d\":2}"));
    DrivenStream increments =
        new DrivenStream(
                new ModifiedSince("from"),
                request ->
                    Answer.of(List.of(answers.size() > 1 ? answers.remove(0) : answers.get(0))))
            .hides("c")
            .start()
            .requests(5);
    assertThat(increments.events()).contains("r1a");
    assertThat(increments.statuses()).doesNotContain(ABSENT);

    DrivenStream backfill =
        DrivenStream.list(new DateRange("from", "to"), () -> List.of(row(1, "a")))
            .hides("email")
            .start()
            .requests(10);
    assertThat(backfill.statuses())
        .containsSubsequence("SNAPSHOT_COMPLETED", ABSENT)
        .containsOnlyOnce(ABSENT);
  }

  @Test
  void wakesStreamsOfLocationOnceItsKeyIsGood() {
    Refused refused = new Refused(Problem.KEY_REFUSED, "downtown: GET /whoami 401", "no", 401);
    DrivenStream products = stream().requests(3);
    products.whoamiFails(refused);
    products.passes(Duration.ofHours(2));
    assertThat(products.statuses()).endsWith("SUSPENDED");
    // Probed sooner than its neighbour, whose pauses have grown to ten minutes.
    DrivenStream customers = products.neighbour();
    customers.whoamiFails(refused);
    products.passes(Duration.ofSeconds(20), customers);
    assertThat(customers.statuses()).endsWith("SUSPENDED");
    customers.whoamiAnswers();
    products.whoamiAnswers();
    int before = products.requests();
    products.passes(Duration.ofSeconds(45), customers);
    assertThat(customers.statuses()).contains("RESUMED");
    assertThat(products.statuses()).endsWith("RESUMED");
    assertThat(products.requests()).isGreaterThan(before);
  }

  private static Answer orRefused(Answer page) throws Refused {
    if (page.rows().isEmpty()) {
      throw new Refused(Problem.PATH_UNKNOWN, "GET /things 404", "no", 404);
    }
    return page;
  }

  @Test
  void reportsEndOfPagesByMissingPageOnceAndWhenItMoves() {
    List<String> pages = new ArrayList<>(List.of(row(1, "a"), row(2, "b")));
    DrivenStream stream =
        new DrivenStream(
                new Pages("page", "size", 1, 2), request -> orRefused(Answer.page(request, pages)))
            .start();
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofMinutes(30));
      assertThat(log.lines()).filteredOn(line -> line.contains("the list ends")).hasSize(1);
      assertThat(stream.statuses()).containsOnlyOnce("LIST_ENDED");
      pages.add(row(3, "c"));
      stream.passes(Duration.ofMinutes(30));
      assertThat(stream.statuses()).containsOnlyOnce("LIST_ENDED");
      pages.add(row(4, "d"));
      stream.passes(Duration.ofMinutes(30));
      assertThat(log.lines()).filteredOn(line -> line.contains("the list ends")).hasSize(2);
      assertThat(stream.statuses()).filteredOn("LIST_ENDED"::equals).hasSize(2);
    }
  }

  @Test
  void reportsEndOfPagesOnceWhileIncrementsEndAtOtherPages() {
    rows.addAll(rows(2, 7));
    Pages pages = new Pages("page", "size", 1, 2);
    DrivenStream stream =
        new DrivenStream(
                new ModifiedSince("from", "", pages, pages),
                request -> {
                  boolean isIncrement = !request.parameter("from", "").isEmpty();
                  List<String> list =
                      isIncrement ? rows.subList(0, 2 * (++requests % 2) + 1) : rows;
                  return orRefused(Answer.page(request, list));
                })
            .reconciles(Duration.ofMinutes(20))
            .start()
            .passes(Duration.ofHours(5));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.statuses()).filteredOn("LIST_ENDED"::equals).hasSizeLessThan(3);
  }
}
