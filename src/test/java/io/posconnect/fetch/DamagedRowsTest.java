package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.TaskLog;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A row that arrives damaged is believed only when it arrives damaged again. */
class DamagedRowsTest {

  private static final String DAMAGED_TEXT = row(2, "" + RowText.BAD_BYTE);
  private static final String NOT_JSON = "{\"id\":2,\"c\":~}";
  private static final String WITHOUT_KEY = "{\"id\":~,\"c\":\"a\"}";

  private final List<String> rows = new ArrayList<>(List.of(row(1, "a"), row(2, "a"), row(3, "a")));
  private int requests;

  static List<Retrieval> retrievals() {
    return List.of(
        new Full(false),
        new ModifiedSince("from"),
        new DateRange("from", "to"),
        new Pages("page", "size", 1, 2),
        new Cursor("key", "size", 2),
        new ModifiedSince("from", "/pages", new Pages("page", "size", 1, 2)));
  }

  private List<String> with(String damaged) {
    List<String> shown = new ArrayList<>(rows);
    shown.set(1, damaged);
    return shown;
  }

  /** Damages row 2 in the first request of that number or later that returns it. */
  private DrivenStream damagedOnce(Retrieval retrieval, int number, String damaged) {
    boolean[] done = {false};
    return new DrivenStream(
            retrieval,
            request -> {
              if (++requests < number || done[0]) {
                return Answer.page(request, rows);
              }
              Answer answer = Answer.page(request, with(damaged));
              done[0] = answer.rows().contains(damaged);
              return answer;
            })
        .reconciles(Duration.ofHours(2))
        .start();
  }

  @ParameterizedTest
  @MethodSource("retrievals")
  void emitsNothingOfDamageThatComesOnce(Retrieval retrieval) {
    for (String damaged : List.of(DAMAGED_TEXT, NOT_JSON, WITHOUT_KEY)) {
      for (int number = 1; number < 12; number += 5) {
        requests = 0;
        DrivenStream stream = damagedOnce(retrieval, number, damaged);
        stream.passes(Duration.ofHours(5));
        assertThat(stream.events())
            .as("%s, %s in request %s", retrieval, damaged, number)
            .containsExactlyInAnyOrder("r1a", "r2a", "r3a");
        assertThat(stream.deadLetters()).isEmpty();
        assertThat(stream.metric("replaced-bytes-total")).isZero();
        assertThat(stream.suspended()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("retrievals")
  void emitsDamageThatComesTwice(Retrieval retrieval) {
    DrivenStream stream = DrivenStream.list(retrieval, () -> rows).start().fetches(4, 20);
    rows.set(1, DAMAGED_TEXT);
    stream.reconciles(Duration.ofHours(1)).passes(Duration.ofHours(3));
    assertThat(stream.events())
        .containsExactlyInAnyOrder("r1a", "r2a", "r3a", "u2" + RowText.REPLACED);
    rows.set(1, WITHOUT_KEY);
    stream.passes(Duration.ofHours(3));
    assertThat(stream.deadLetters()).hasSize(1);
    assertThat(stream.events()).hasSize(4);
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void damageOfTheSnapshotConfirmsNoneOfALaterList() {
    DrivenStream stream =
        new DrivenStream(
                new Full(false),
                request -> {
                  boolean damages = ++requests == 1 || requests == 5;
                  rows.set(1, damages ? DAMAGED_TEXT : WITHOUT_KEY);
                  return Answer.of(rows);
                })
            .start()
            .requests(8);
    assertThat(stream.events()).containsExactly("r1a", "r3a");
    assertThat(stream.deadLetters()).hasSize(1);
  }

  @Test
  void readsAgainSoonAndEmitsTheOtherRowsAtOnce() {
    List<Long> times = new ArrayList<>();
    SimulatedTime[] time = new SimulatedTime[1];
    DrivenStream stream =
        new DrivenStream(
                new ModifiedSince("from"),
                request -> {
                  requests++;
                  times.add(time[0] == null ? 0 : time[0].milliseconds());
                  boolean damages = requests == 3;
                  return Answer.of(damages ? with(DAMAGED_TEXT) : rows);
                })
            .start()
            .requests(2);
    time[0] = stream.time;
    rows.set(1, row(2, "b"));
    rows.set(2, row(3, "b"));
    int checkpoints = stream.checkpoints();
    stream.requests(1);
    assertThat(stream.events()).endsWith("r3a", "u3b");
    assertThat(stream.checkpoints()).isEqualTo(checkpoints);
    stream.requests(1);
    assertThat(stream.events()).endsWith("u3b", "u2b");
    assertThat(stream.checkpoints()).isEqualTo(checkpoints + 1);
    assertThat(times.get(3) - times.get(2)).isLessThan(10_000);
  }

  @ParameterizedTest
  @MethodSource("retrievals")
  void readsOnceMoreForARowThatIsDamagedForEver(Retrieval retrieval) {
    rows.add(WITHOUT_KEY);
    rows.set(1, DAMAGED_TEXT);
    DrivenStream stream = DrivenStream.list(retrieval, () -> rows).start().fetches(6, 40);
    assertThat(stream.events()).hasSize(3);
    assertThat(stream.deadLetters()).hasSize(1);
    int requests = stream.requests();
    stream.fetches(12, 100);
    int usual = stream.requests() - requests;
    stream.start();
    int before = stream.requests();
    stream.fetches(12, 100);
    assertThat(stream.requests() - before).isLessThanOrEqualTo(usual + 1);
    assertThat(stream.events()).hasSize(3);
    assertThat(stream.deadLetters()).hasSize(1);
  }

  /** Increments are of another path, which writes the row as it is. */
  @Test
  void readsListOnceMoreThoughIncrementsShowItsDamagedRowWhole() {
    Retrieval lists = new ModifiedSince("from", "/list", new Full(false));
    DrivenStream stream =
        new DrivenStream(
                lists, request -> Answer.of(request.path().equals("/list") ? with(NOT_JSON) : rows))
            .polls(Duration.ofMillis(1))
            .reconciles(Duration.ofMinutes(30))
            .start()
            .passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.statuses()).doesNotContain("SUSPENDED");
  }

  @Test
  void readsOnceMoreAfterAStartWhereBrokenRowsAreSkipped() {
    rows.add(WITHOUT_KEY);
    DrivenStream stream =
        DrivenStream.list(() -> rows).rowErrors(RowErrors.SKIP).start().fetches(1, 10);
    assertThat(stream.requests()).isEqualTo(2);
    stream.fetches(10, 100);
    assertThat(stream.requests()).isEqualTo(12);
  }

  @Test
  void emitsARowWhoseDamageDiffersEachTime() {
    DrivenStream stream =
        DrivenStream.list(() -> with(row(2, RowText.BAD_BYTE + "-" + requests++)))
            .start()
            .fetches(10, 100);
    assertThat(stream.requests()).isEqualTo(11);
    assertThat(stream.events()).hasSize(2 + 10);
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void rejectsARowWithoutKeyWhoseDamageDiffersEachTime() {
    DrivenStream stream =
        DrivenStream.list(() -> with("{\"id\":~,\"c\":\"" + requests++ + "\"}"))
            .start()
            .fetches(10, 100);
    assertThat(stream.requests()).isEqualTo(12);
    assertThat(stream.deadLetters()).hasSize(10);
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void holdsBackARowWithoutKeyRightAfterAnotherWasBelieved() {
    rows.add(WITHOUT_KEY);
    DrivenStream stream = damagedOnce(new Full(false), 3, "{\"id\":~,\"c\":\"once\"}");

    stream.fetches(5, 100);

    assertThat(stream.deadLetters()).hasSize(1);
    assertThat(stream.events()).containsExactlyInAnyOrder("r1a", "r2a", "r3a");
  }

  @Test
  void suspendsWhileOtherRowsAreDamagedInEachRead() {
    IntStream.range(4, 30).forEach(id -> rows.add(row(id, "a")));
    boolean[] calm = {true};
    DrivenStream stream =
        new DrivenStream(
                new Full(false),
                request -> {
                  List<String> shown = new ArrayList<>(rows);
                  int row = requests++ % 20;
                  if (!calm[0]) {
                    shown.set(row, row(row + 1, "" + RowText.BAD_BYTE));
                  }
                  return Answer.of(shown);
                })
            .start()
            .fetches(2, 10);
    calm[0] = false;
    stream.passes(Duration.ofHours(1));
    assertThat(stream.statuses()).contains("SUSPENDED");
    assertThat(stream.events()).hasSize(29);
    calm[0] = true;
    stream.passes(Duration.ofHours(1));
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.events()).hasSize(29);
  }

  @Test
  void believesAtOnceMoreRowsThanAccidentsDamage() {
    rows.clear();
    IntStream.range(0, 25_000).forEach(id -> rows.add(row(id, RowText.BAD_BYTE + "" + id)));
    DrivenStream stream = DrivenStream.list(() -> rows).maxKeys(100_000).start().fetches(1, 10);
    assertThat(stream.requests()).isEqualTo(2);
    assertThat(stream.events()).hasSize(25_000);
  }

  @Test
  void deletesNoRowThatIsDamaged() {
    DrivenStream stream = DrivenStream.list(() -> rows).start().fetches(2, 10);
    rows.set(1, NOT_JSON);
    stream.passes(Duration.ofHours(2));
    assertThat(stream.events()).hasSize(3);
    assertThat(stream.deadLetters()).hasSize(1);
    rows.remove(1);
    stream.passes(Duration.ofHours(2));
    assertThat(stream.events()).hasSize(4).endsWith("d2");
  }

  /** Two lists end too early, and between them a read shows the row, damaged. */
  @Test
  void aRowThatArrivesDamagedIsThere() {
    List<String> cut = List.of(row(1, "a"));
    List<List<String>> lists = new ArrayList<>(List.of(rows, rows, cut, with(NOT_JSON), cut));
    DrivenStream stream =
        DrivenStream.list(
                new Cursor("key", "size", 5), () -> lists.isEmpty() ? rows : lists.remove(0))
            .start()
            .passes(Duration.ofHours(2));
    assertThat(lists).isEmpty();
    assertThat(stream.events()).containsExactly("r1a", "r2a", "r3a");
  }

  @Test
  void warnsOnceThatTextWasReplaced() {
    try (TaskLog log = TaskLog.listen()) {
      DrivenStream.list(() -> with(DAMAGED_TEXT)).start().fetches(3, 10);
      assertThat(log.text()).containsOnlyOnce("POS-409 downtown/things: ");
    }
  }
}
