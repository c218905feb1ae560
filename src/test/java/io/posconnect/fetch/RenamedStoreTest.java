package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.TaskLog;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A renamed store is soon read as before; rows of another store never delete those of the first.
 */
class RenamedStoreTest {

  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final int PAGE = 50;

  /** A row's content, and when it was changed last. */
  private record Thing(String content, Instant modified) {}

  /** Happens when a request for rows arrives. */
  private interface AtRequest {
    void run() throws ApiException;
  }

  private final Map<Integer, Thing> things = new TreeMap<>();
  private DrivenStream stream;
  private int lastPage;
  private Duration answerTakes = Duration.ZERO;
  private Duration longestRange = Duration.ofSeconds(Long.MAX_VALUE);
  private AtRequest atRequest = () -> {};

  static List<Retrieval> retrievals() {
    return List.of(
        new Full(false),
        new ModifiedSince("from"),
        new ModifiedSince("from", "/pages", new Pages("page", "size", 1, PAGE)),
        new Pages("page", "size", 1, PAGE),
        new Cursor("key", "size", PAGE));
  }

  static List<Retrieval> allRetrievals() {
    List<Retrieval> all = new ArrayList<>(retrievals());
    all.add(new DateRange("from", "to"));
    return all;
  }

  private DrivenStream start(Retrieval retrieval) {
    stream = new DrivenStream(retrieval, this::answer).reconciles(Duration.ofHours(6));
    return stream;
  }

  private Answer answer(Request request) throws ApiException {
    stream.time.sleep(answerTakes.toMillis());
    atRequest.run();
    List<String> rows = new ArrayList<>();
    Instant from = Instant.parse(request.parameter("from", "2000-01-01T00:00:00Z"));
    Instant to = Instant.parse(request.parameter("to", "2999-01-01T00:00:00Z"));
    if (Duration.between(from, to).compareTo(longestRange) > 0) {
      throw new Refused(Problem.REQUEST_REFUSED, "GET /things 400", "it is too long", 400);
    }
    Predicate<Thing> asked =
        thing -> !thing.modified().isBefore(from) && !thing.modified().isAfter(to);
    things.forEach(
        (id, thing) -> {
          if (asked.test(thing)) {
            rows.add(row(id, thing.content()));
          }
        });
    // The newest first.
    Collections.reverse(rows);
    String key = request.parameter("key", "");
    lastPage =
        key.isEmpty()
            ? Integer.parseInt(request.parameter("page", "1")) - 1
            : Integer.parseInt(key) / PAGE;
    return Answer.page(request, rows);
  }

  private void put(int from, int to, String content) {
    Instant now = Instant.ofEpochMilli(stream.time.server());
    for (int id = from; id <= to; id++) {
      things.put(id, new Thing(content, now));
    }
  }

  /** Returns the rows before. */
  private Map<Integer, Thing> replace(int from, int to, String content) {
    Map<Integer, Thing> before = new TreeMap<>(things);
    things.clear();
    put(from, to, content);
    return before;
  }

  private void restore(Map<Integer, Thing> before) {
    things.clear();
    things.putAll(before);
  }

  /** The key opens the store of that name, which has these rows; returns the rows before. */
  private Map<Integer, Thing> appears(String name, int from, int to, String content) {
    stream.storeIsNamed(name);
    return replace(from, to, content);
  }

  /** Reads a store of so many rows for an hour. */
  private void read(Retrieval retrieval, int rows) {
    start(retrieval);
    put(1, rows, "a");
    stream.start().passes(Duration.ofHours(1));
  }

  private long count(String operation) {
    return stream.events().stream().filter(event -> event.startsWith(operation)).count();
  }

  private boolean isOtherStore() {
    return stream
        .suspended()
        .filter(each -> each.incident().problem() == Problem.OTHER_STORE)
        .isPresent();
  }

  @ParameterizedTest
  @MethodSource("retrievals")
  void renamedStoreWithFewKeysDeletesAgain(Retrieval retrieval) {
    read(retrieval, 10);
    stream.storeIsNamed("Uptown");
    stream.passes(Duration.ofHours(1));
    put(11, 500, "a");
    stream.passes(Duration.ofHours(1));
    things.remove(1);
    things.remove(100);
    stream.passes(Duration.ofHours(8));
    assertThat(stream.events()).contains("d1", "d100").hasSize(502);
    assertThat(stream.suspended()).isEmpty();
  }

  /** The key opens another store before a second answer could show whose the first rows are. */
  @ParameterizedTest
  @ValueSource(ints = {20, 40, 400})
  void anotherStoreRightAfterTheStartDeletesNothing(int rows) {
    start(new Full(false)).polls(Duration.ofSeconds(5));
    put(1, 40, "a");
    stream.start().passes(Duration.ofSeconds(12));
    appears("Elsewhere", 1_001, 1_000 + rows, "b");
    stream.passes(Duration.ofHours(3));
    assertThat(count("d")).isZero();
    assertThat(isOtherStore()).isTrue();
  }

  @Test
  void doubtIsStoredThoughTheCheckpointBeforeItIsWrittenLater() {
    read(new Full(false), 30);
    put(1, 1, "b");
    stream.hold();
    stream.requests(1);
    appears("Uptown", 101, 130, "z");
    atRequest = stream::write;
    while (!isOtherStore()) {
      stream.sleepUntil(stream.work());
    }
    assertThat(stream.position().orElseThrow().context().identity()).contains("?");
  }

  @Test
  void storeWhoseIdentifiersComeInAnyOrderIsTheSame() {
    List<String> answers =
        new ArrayList<>(List.of("{\"id\":7,\"locationId\":8}", "{\"locationId\":8,\"id\":7}"));
    stream =
        new DrivenStream(
                new Full(false),
                new DrivenStream.Service() {
                  @Override
                  public Answer answer(Request request) throws ApiException {
                    return RenamedStoreTest.this.answer(request);
                  }

                  @Override
                  public String whoami(String storeName) {
                    Collections.reverse(answers);
                    return answers.get(0);
                  }
                })
            .polls(TEN_MINUTES);
    put(1, 30, "a");
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.start().passes(Duration.ofHours(3));
      assertThat(log.lines()).noneMatch(line -> line.contains("renamed"));
    }
    assertThat(stream.requests()).isLessThan(20);
  }

  @ParameterizedTest
  @MethodSource("allRetrievals")
  void storeRenamedAfterTimeOfRestIsReadOn(Retrieval retrieval) {
    read(retrieval, 300);
    stream.time.sleep(Duration.ofDays(1).toMillis());
    put(301, 700, "b");
    stream.storeIsNamed("Uptown");
    stream.restart().passes(Duration.ofHours(2));
    assertThat(stream.events()).hasSize(700);
    assertThat(stream.suspended()).isEmpty();
  }

  /** The service refuses a range as long as that which is compared. */
  @Test
  void renamedStoreOfShortRangesIsReadOn() {
    longestRange = Duration.ofHours(6);
    read(new DateRange("from", "to"), 30);
    stream.storeIsNamed("Uptown");
    stream.restart().passes(Duration.ofHours(1));
    put(31, 31, "a");
    stream.passes(Duration.ofHours(1));
    assertThat(stream.events()).contains("c31a");
    assertThat(stream.suspended()).isEmpty();
  }

  /**
   * A comparison that was shortened once, as in an hour of trouble, is no rule for the next one.
   */
  @Test
  void nextComparisonOfADateRangeIsOfADayAgain() {
    longestRange = Duration.ofHours(6);
    read(new DateRange("from", "to"), 30);
    stream.storeIsNamed("Uptown");
    stream.passes(Duration.ofHours(2));
    assertThat(stream.suspended()).isEmpty();
    longestRange = Duration.ofDays(99);
    stream.passes(Duration.ofDays(2));

    Instant halfADayAgo = Instant.ofEpochMilli(stream.time.server()).minus(Duration.ofHours(12));
    things.clear();
    for (int id = 101; id <= 130; id++) {
      things.put(id, new Thing("b", halfADayAgo));
    }
    stream.storeIsNamed("Midtown");
    stream.passes(Duration.ofHours(2));
    assertThat(stream.suspended().orElseThrow().incident().code()).startsWith("POS-203");
  }

  /** A comparison reads a window of its own: that of the fetch has not failed. */
  @Test
  void refusedComparisonShortensNoWindowOfTheFetch() {
    read(new DateRange("from", "to"), 30);
    longestRange = Duration.ZERO;
    stream.storeIsNamed("Uptown");
    int before = stream.requests();
    while (stream.suspended().isEmpty()) {
      stream.work();
      stream.time.sleep(100);
    }
    // Of 24 hours, 12, 6, 3, one and a half, and 45 minutes.
    assertThat(stream.requests() - before).isEqualTo(6);
  }

  /** A path that is gone while a list in pages is in its middle is no end of that list. */
  @Test
  void refusedComparisonEndsNoList() {
    start(new Pages("page", "size", 1, PAGE));
    answerTakes = Duration.ofSeconds(100);
    put(1, 3 * PAGE, "a");
    stream.start();
    readFirstPage(stream);
    stream.storeIsNamed("Uptown");
    atRequest =
        () -> {
          throw new Refused(Problem.PATH_UNKNOWN, "GET /things 404", "it is gone", 404);
        };
    stream.passes(Duration.ofHours(1));
    atRequest = () -> {};
    stream.passes(Duration.ofHours(1));
    assertThat(stream.statuses()).doesNotContain("LIST_ENDED");
    assertThat(stream.events()).hasSize(3 * PAGE);
  }

  @ParameterizedTest
  @MethodSource("allRetrievals")
  void storeRenamedWithOtherIgnoredFieldsIsReadOn(Retrieval retrieval) {
    read(retrieval, 300);
    stream.storeIsNamed("Uptown");
    stream.comparesAs("another").restart().passes(Duration.ofHours(2));
    assertThat(stream.suspended()).isEmpty();
    assertThat(count("r")).isEqualTo(600);
  }

  @ParameterizedTest
  @MethodSource("allRetrievals")
  void renamedStoreWithoutKeysIsReadOn(Retrieval retrieval) {
    start(retrieval).start().passes(Duration.ofHours(1));
    stream.storeIsNamed("Uptown");
    stream.passes(Duration.ofHours(1));
    put(1, 30, "a");
    stream.passes(Duration.ofHours(7));
    assertThat(stream.events()).hasSize(30);
  }

  @Test
  void otherStoreIsRefusedAfterOnePageWasReadOnTheAnswerToAnotherStream() {
    start(new Pages("page", "size", 1, PAGE));
    put(1, 3 * PAGE, "a");
    stream.start();
    readFirstPage(stream);
    DrivenStream second = stream.neighbour("/others");
    readFirstPage(second);
    replace(1_001, 1_000 + 3 * PAGE, "b");
    second.storeIsNamed("Uptown");
    second.restart().passes(Duration.ofMinutes(10));
    assertThat(second.events()).hasSize(PAGE);
    assertThat(second.suspended()).isPresent();
  }

  private static void readFirstPage(DrivenStream each) {
    while (each.events().isEmpty()) {
      each.sleepUntil(each.work());
    }
    assertThat(each.events()).hasSize(PAGE);
  }

  /** Each answer takes longer than the location's name holds. */
  @ParameterizedTest
  @MethodSource("retrievals")
  void storeIsReadOnWhenItIsRenamedAfterAMistakenKeyAndAnswersAreSlow(Retrieval retrieval) {
    start(retrieval).reconciles(Duration.ofMinutes(30));
    answerTakes = Duration.ofSeconds(100);
    put(1, 30, "a");
    stream.start().passes(Duration.ofHours(2));
    Map<Integer, Thing> own = appears("Elsewhere", 1_001, 1_030, "x");
    stream.passes(Duration.ofHours(1));
    assertThat(isOtherStore()).isTrue();
    restore(own);
    put(1, 30, "b");
    stream.storeIsNamed("Downtown");
    stream.passes(Duration.ofHours(6));
    stream.storeIsNamed("Uptown");
    stream.restart().passes(Duration.ofHours(6));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.events()).hasSize(60);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 30})
  void otherStoreIsRefusedAtAnySizeAndAskedAgain(int size) {
    for (Retrieval retrieval : retrievals()) {
      things.clear();
      read(retrieval, size);
      stream.storeIsNamed("");
      stream.restart().passes(Duration.ofHours(8));
      assertThat(stream.suspended()).as("an answer without a name, and the rows known").isEmpty();
      Map<Integer, Thing> own = appears("Elsewhere", 1_001, 1_060, "x");
      stream.restart().passes(Duration.ofHours(12));
      assertThat(isOtherStore()).isTrue();
      assertThat(stream.events()).as("nothing of the other store").hasSize(size);
      restore(own);
      stream.passes(TEN_MINUTES.plusSeconds(1));
      assertThat(stream.suspended()).as("renamed, after all").isEmpty();
      things.remove(1);
      stream.passes(Duration.ofHours(8));
      assertThat(count("d")).isEqualTo(1);
    }
  }

  /**
   * A stop follows before the location is asked again: the next process must not prove the rows.
   */
  @ParameterizedTest
  @MethodSource("retrievals")
  void otherStoreThatAppearsBeforeAStopDeletesNothing(Retrieval retrieval) {
    start(retrieval).polls(Duration.ofSeconds(20));
    put(1, 30, "a");
    stream.start().passes(Duration.ofMinutes(90).plusSeconds(25));
    // The next list has the other store's rows, before the location is asked again.
    appears("Elsewhere", 1_001, 1_600, "x");
    stream.requests(1);
    assertThat(count("c")).as("rows of the other store").isPositive();
    stream.restart().passes(Duration.ofDays(1));
    assertThat(isOtherStore()).isTrue();
    assertThat(count("d")).isZero();
  }

  @ParameterizedTest
  @MethodSource("retrievals")
  void otherStoreThatAppearsWithoutWhoamiDeletesNothing(Retrieval retrieval) {
    start(retrieval);
    put(1, 30, "a");
    stream.start().passes(Duration.ofMinutes(90));
    stream.whoamiFails(new Unavailable(Problem.SERVICE_FAILED, "GET /whoami", "fails"));
    stream.passes(Duration.ofHours(7));
    appears("Elsewhere", 21, 600, "x");
    stream.passes(Duration.ofHours(12));
    stream.restart().passes(Duration.ofHours(7));
    stream.whoamiAnswers();
    stream.passes(Duration.ofDays(1));
    assertThat(count("d")).isZero();
    assertThat(isOtherStore()).isTrue();
  }

  /** What it left in the digest the first time must not speak for it the second time. */
  @ParameterizedTest
  @MethodSource("retrievals")
  void otherStoreThatAppearsTwiceDeletesNothing(Retrieval retrieval) {
    start(retrieval).polls(Duration.ofSeconds(20));
    put(1, 30, "a");
    stream.start().passes(Duration.ofMinutes(90).plusSeconds(25));
    for (int time = 0; time < 2; time++) {
      appears("Elsewhere", 1_001, 1_060, "x");
      stream.passes(Duration.ofHours(12));
      assertThat(isOtherStore()).isTrue();
      appears("Downtown", 1, 30, "a");
      stream.passes(Duration.ofMinutes(2));
      assertThat(stream.suspended()).isEmpty();
    }
    stream.restart().passes(Duration.ofDays(1));
    assertThat(stream.events()).contains("d1001").doesNotContain("d1", "d30");
  }

  /** The rows that a wrong key's name is compared with may be those of the right key. */
  @ParameterizedTest
  @MethodSource("retrievals")
  void keyReplacedDuringComparisonLeavesNameInDoubt(Retrieval retrieval) {
    read(retrieval, 30);
    Map<Integer, Thing> own = replace(1_001, 1_060, "x");
    Map<Integer, Thing> others = new TreeMap<>(things);
    stream.storeIsNamed("Elsewhere");
    atRequest =
        () -> {
          atRequest = () -> {};
          stream.newKey();
          stream.storeIsNamed("Downtown");
          restore(own);
        };
    stream.restart().passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
    restore(others);
    stream.newKey();
    stream.storeIsNamed("Elsewhere");
    stream.passes(Duration.ofDays(1));
    assertThat(isOtherStore()).isTrue();
    assertThat(stream.events()).as("nothing of the other store").hasSize(30);
  }

  /** The right key answers who it is after the wrong one's rows were read. */
  @ParameterizedTest
  @MethodSource("retrievals")
  void rowsOfKeyThatIsReplacedMeanwhileDeleteNothing(Retrieval retrieval) {
    start(retrieval).reconciles(Duration.ofMinutes(30));
    put(1, 10, "a");
    stream.start().passes(Duration.ofHours(1));
    Map<Integer, Thing> own = replace(1_001, 1_010, "x");
    atRequest = stream::newKey;
    stream.passes(Duration.ofHours(1));
    assertThat(count("d")).isZero();
    atRequest = () -> {};
    restore(own);
    stream.passes(Duration.ofHours(2));
    assertThat(count("d")).as("the other store's rows").isEqualTo(count("c"));
  }

  /** The location gives its known name between two pages that are compared. */
  @Test
  void interruptedComparisonBeginsAnew() {
    answerTakes = Duration.ofSeconds(100);
    read(new Pages("page", "size", 1, PAGE), 3 * PAGE);
    stream.storeIsNamed("Uptown");
    stream.requests(1);
    assertThat(lastPage).isZero();
    stream.storeIsNamed("Downtown");
    stream.requests(1);
    stream.storeIsNamed("Uptown");
    stream.requests(1);
    assertThat(lastPage).as("the first page that is compared").isZero();
  }

  /** Pages of another store, read before it gave its name, are no pages of this one's list. */
  @Test
  void listThatOtherStoreBeganIsReadFromItsFirstPage() {
    long begun = 0;
    for (int requests = 1; requests < 5; requests++) {
      things.clear();
      answerTakes = Duration.ofSeconds(25);
      start(new Pages("page", "size", 1, PAGE)).polls(Duration.ofSeconds(20));
      put(1, 200, "a");
      stream.start().passes(Duration.ofHours(1)).requests(requests);
      appears("Elsewhere", 1_001, 1_200, "x");
      while (!isOtherStore()) {
        stream.requests(1);
      }
      begun += count("c");
      appears("Downtown", 1, 200, "a");
      while (isOtherStore()) {
        stream.requests(1);
      }
      assertThat(lastPage).isZero();
    }
    assertThat(begun).as("rows that were read before the name").isPositive();
  }

  @Test
  void storeRenamedWithoutWhoamiDeletesAgain() {
    read(new Full(false), 30);
    stream.whoamiFails(new Unavailable(Problem.SERVICE_FAILED, "GET /whoami", "fails"));
    stream.passes(Duration.ofHours(1));
    put(21, 200, "b");
    stream.storeIsNamed("Uptown");
    stream.restart().passes(Duration.ofHours(1));
    stream.whoamiAnswers();
    things.remove(1);
    stream.passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.events()).contains("d1");
  }

  @Test
  void listOfPagesIsComparedUntilEnoughRowsAreKnown() {
    read(new Cursor("key", "size", PAGE), 300);
    stream.time.sleep(Duration.ofDays(1).toMillis());
    put(301, 700, "b");
    stream.storeIsNamed("Uptown");
    stream.restart().requests(9);
    assertThat(stream.events()).hasSize(300);
    assertThat(lastPage).isEqualTo(8);
  }

  /** The rows that are alike prove nothing, and few keys are missing. */
  @Test
  void fewMissingKeysDecideForTheirStreamWithoutProof() {
    StoreComparison.Result unproven = new StoreComparison.Result(10, 0, 0, 15, true).unproven();
    assertThat(unproven.isSameStore()).isFalse();
    assertThat(unproven.decidesForAll()).isFalse();
  }

  /** What one comparison of rows means for the other streams of its location. */
  @Test
  void streamWithFewKeysFollowsVerdictUntilTheNextOne() {
    long hour = TimeUnit.HOURS.toNanos(1);
    LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);
    identity.judged("a name", false, 0);
    identity.invalidate();
    assertThat(identity.verdict("a name", false, hour)).contains(false);
    assertThat(identity.verdict("a name", true, hour)).as("it compares again").isEmpty();
    assertThat(identity.verdict("a name", false, hour + 1)).as("after an hour").isEmpty();
    assertThat(identity.verdict("another", false, hour)).isEmpty();
    identity.judged("a name", true, 0);
    identity.invalidate();
    assertThat(identity.verdict("a name", false, hour)).contains(true);
    assertThat(identity.verdict("a name", true, hour)).contains(true);
  }
}
