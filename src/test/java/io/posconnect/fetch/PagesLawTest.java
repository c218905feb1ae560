package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A list in pages is read to its end, or its stream is suspended; never endlessly or in part. */
class PagesLawTest {

  private static final int PAGE = 10;
  private static final Pages PAGES = new Pages("page", "size", 1, PAGE);
  private static final Cursor CURSOR = new Cursor("key", "size", PAGE);

  // How a service refuses a page that lies too deep for it.
  private static final List<Integer> PAST_A_LIMIT = List.of(400, 413, 416, 422);

  /** The ways of serving pages, and which of them lead to the end of the list. */
  private enum Habit {
    HONEST(PAGES, true),
    CLAMPS_NUMBER(PAGES, false),
    IGNORES_NUMBER(PAGES, false),
    CAPS_SIZE(PAGES, true),
    IGNORES_NUMBER_AND_CAPS_SIZE(PAGES, false),
    NOT_FOUND_BEHIND_THE_LAST(PAGES, true),
    BAD_REQUEST_BEHIND_THE_LAST(PAGES, false),
    REFUSES_BEHIND_THE_FIRST(PAGES, false),
    REFUSES_TO_PAGE_DEEPER(PAGES, false),
    HONEST_CURSOR(CURSOR, true),
    CAPPING_CURSOR(CURSOR, true),
    REPEATS_A_CURSOR(CURSOR, false),
    ENDLESS_CURSORS(CURSOR, false),
    ENDLESS_EMPTY_CURSORS(CURSOR, false),
    EXPIRING_CURSORS(CURSOR, false);

    @SuppressWarnings("ImmutableEnumChecker") // Retrievals are records of texts and numbers.
    private final Retrieval retrieval;

    private final boolean leadsToTheEnd;

    Habit(Retrieval retrieval, boolean leadsToTheEnd) {
      this.retrieval = retrieval;
      this.leadsToTheEnd = leadsToTheEnd;
    }
  }

  /** Serves a list of that many rows in that way. */
  private record Paged(Habit habit, int rows, int cap) implements DrivenStream.Service {

    private static int answers;

    @Override
    public Answer answer(Request request) throws ApiException {
      return habit.retrieval == PAGES ? numbered(request) : byKey(request);
    }

    private Answer numbered(Request request) throws ApiException {
      int number = Integer.parseInt(request.parameter("page", ""));
      int size = PAGE;
      int last = Math.max(1, (rows + size - 1) / size);
      switch (habit) {
        case CLAMPS_NUMBER -> number = Math.min(number, last);
        case IGNORES_NUMBER -> {
          List<String> list = new ArrayList<>(slice(0, rows));
          list.add("{\"unreadable\":" + ++answers + "}");
          return Answer.of(list);
        }
        case CAPS_SIZE -> size = cap;
        case IGNORES_NUMBER_AND_CAPS_SIZE -> {
          number = 1;
          size = cap;
        }
        case NOT_FOUND_BEHIND_THE_LAST -> refuse(number > last, 404);
        case BAD_REQUEST_BEHIND_THE_LAST -> refuse(number > last, 400);
        case REFUSES_BEHIND_THE_FIRST -> refuse(number > 1, ++answers % 2 == 0 ? 404 : 422);
        case REFUSES_TO_PAGE_DEEPER -> refuse(number > 2, PAST_A_LIMIT.get(rows % 4));
        default -> {
          // The page as published.
        }
      }
      return Answer.of(slice((number - 1) * size, number * size));
    }

    private Answer byKey(Request request) throws ApiException {
      String key = request.parameter("key", "");
      int at = key.isEmpty() ? 0 : Integer.parseInt(key);
      int size = habit == Habit.CAPPING_CURSOR ? cap : PAGE;
      boolean more = at + size < rows;
      String next = Integer.toString(at + size);
      return switch (habit) {
        case REPEATS_A_CURSOR -> Answer.of(slice(at, at + size), more ? next : "0");
        case ENDLESS_CURSORS -> Answer.of(slice(at % (rows + 1), at % (rows + 1) + size), next);
        case ENDLESS_EMPTY_CURSORS -> Answer.of(slice(at, at + size), next);
        case EXPIRING_CURSORS -> {
          refuse(at > 0, 400);
          yield Answer.of(slice(at, at + size), more ? next : "");
        }
        default -> Answer.of(slice(at, at + size), more ? next : "");
      };
    }

    private static void refuse(boolean refused, int status) throws Refused {
      if (refused) {
        throw new Refused(Problem.REQUEST_REFUSED, "GET /things " + status, "refused", status);
      }
    }

    private List<String> slice(int from, int to) {
      return DrivenStream.rows(Math.min(from, rows), Math.min(to, rows));
    }

    /** The most requests that one read of the list may take. */
    int most() {
      int size = habit == Habit.CAPS_SIZE || habit == Habit.CAPPING_CURSOR ? cap : PAGE;
      return 2 * (rows / size + 3);
    }
  }

  private static Set<String> all(int rows) {
    return IntStream.range(0, rows)
        .mapToObj(id -> "r" + id + "a")
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void readsListInFullOrSuspendsStream() {
    for (Habit habit : Habit.values()) {
      // Every other list ends with a full page.
      RandomCases.check(
          12,
          random ->
              holdsFor(
                  habit,
                  random.nextBoolean() ? random.nextInt(60) : PAGE * random.nextInt(6),
                  1 + random.nextInt(PAGE)));
      for (int rows = 0; habit.leadsToTheEnd && rows <= 3 * PAGE + 1; rows++) {
        holdsFor(habit, rows, 4);
      }
    }
  }

  private static void holdsFor(Habit habit, int rows, int cap) {
    Paged service = new Paged(habit, rows, cap);
    DrivenStream stream = new DrivenStream(habit.retrieval, service).start();
    stream.fetches(1, service.most());
    if (habit.leadsToTheEnd || stream.checkpoints() > 0) {
      assertThat(stream.checkpoints()).as("%s", service).isEqualTo(1);
      assertThat(new TreeSet<>(stream.events())).as("%s", service).isEqualTo(all(rows));
      assertThat(stream.suspended()).as("%s", service).isEmpty();
      return;
    }
    long began = stream.time.milliseconds();
    // A hundred empty pages are followed at each try, and two thousand of nothing but broken rows.
    stream.fetches(1, rows == 0 ? 40_000 : habit == Habit.ENDLESS_EMPTY_CURSORS ? 2_000 : 120);
    assertThat(stream.checkpoints()).as("%s", service).isZero();
    assertThat(stream.suspended()).as("%s", service).isPresent();
    assertThat(stream.time.milliseconds() - began)
        .as("%s: the stream backs off", service)
        .isGreaterThan(60_000);
  }

  @Test
  void readsOnAfterPageIsRefusedOnce() {
    List<String> refused = new ArrayList<>(List.of("2"));
    DrivenStream stream =
        new DrivenStream(
                PAGES,
                request -> {
                  Paged.refuse(refused.remove(request.parameter("page", "")), 404);
                  return new Paged(Habit.HONEST, 25, 0).answer(request);
                })
            .start();
    assertThat(new TreeSet<>(stream.fetches(1, 10).events())).isEqualTo(all(25));
  }

  @Test
  void endsReadWhenRowsMoveBetweenPages() {
    RandomCases.check(
        20,
        random -> {
          List<Integer> list = new ArrayList<>(IntStream.range(0, 35).boxed().toList());
          int[] calm = {0};
          DrivenStream stream =
              new DrivenStream(
                      PAGES,
                      request -> {
                        if (calm[0]++ < 30) {
                          list.add(0, list.remove(random.nextInt(list.size())));
                        }
                        return Answer.page(request, list.stream().map(id -> row(id, "a")).toList());
                      })
                  .start();
          assertThat(stream.requests(100).checkpoints()).isPositive();
          assertThat(stream.events().stream().map(e -> e.substring(1)).collect(Collectors.toSet()))
              .hasSize(35);
        });
  }

  @Test
  void readsPagesOfNothingButSecondRows() {
    List<String> rows = new ArrayList<>();
    // Two pages of keys, one with the same keys as the first, one with some of both.
    IntStream.range(0, 40).forEach(i -> rows.add(i < 20 ? row(i, "a") : row(i / 3 % 10, "z" + i)));
    IntStream.range(20, 30).forEach(i -> rows.set(i, row(i - 20, "z")));
    DrivenStream stream = DrivenStream.list(PAGES, () -> rows).start();
    stream.fetches(3, 40);
    assertThat(stream.events()).hasSize(20);
    assertThat(stream.checkpoints()).isPositive();
  }

  @Test
  void suspendsListWhosePagesAreAllTheFirstWithOtherContents() {
    int[] request = {0};
    DrivenStream stream =
        new DrivenStream(
                PAGES,
                any -> {
                  request[0]++;
                  return Answer.of(
                      IntStream.range(0, PAGE).mapToObj(i -> row(i, "a" + request[0])).toList());
                })
            .start();
    stream.requests(40);
    assertThat(stream.checkpoints()).isZero();
    assertThat(stream.suspended()).isNotEmpty();
  }

  @Test
  void readsListWhosePagesAreEmptyBeforeItsFirstRow() {
    DrivenStream stream =
        new DrivenStream(
                CURSOR,
                request -> {
                  int page = Integer.parseInt(request.parameter("key", "0"));
                  List<String> rows = page % 20 == 19 ? List.of(row(page, "a")) : List.of();
                  return Answer.of(rows, page == 59 ? "" : Integer.toString(page + 1));
                })
            .start()
            .fetches(1, 150);
    assertThat(stream.events()).containsExactly("r19a", "r39a", "r59a");
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void readsIdenticalRowsOnManyPages() {
    List<String> rows = new ArrayList<>();
    IntStream.range(0, 25).forEach(i -> rows.add(row(i < 12 ? i : 1, "a")));
    DrivenStream stream = DrivenStream.list(CURSOR, () -> rows).withOccurrences().start();
    stream.fetches(3, 20);
    assertThat(stream.events()).hasSize(25);
  }

  @Test
  void readsListThatBeginsWithIdenticalRows() {
    List<String> rows = new ArrayList<>();
    IntStream.range(0, 400).forEach(i -> rows.add(row(i < 350 ? 1 : i, "a")));
    DrivenStream stream =
        DrivenStream.list(new Cursor("key", "size", 100), () -> rows).withOccurrences().start();
    stream.fetches(3, 40);
    assertThat(stream.events()).hasSize(400);
    assertThat(stream.suspended()).isEmpty();
  }

  @Test
  void suspendsListWhoseIdenticalRowsNeverEnd() {
    int[] pages = {0};
    DrivenStream stream =
        new DrivenStream(
                new Cursor("key", "size", 2),
                request -> Answer.of(List.of(row(1, "a"), row(1, "a")), "k" + pages[0]++))
            .withOccurrences()
            .maxKeys(1_000_000)
            .start();
    stream.requests(15_000);
    assertThat(stream.suspended().orElseThrow().incident().code()).isEqualTo("POS-408");
    assertThat(stream.checkpoints()).isZero();
  }

  @Test
  void publishesNoCheckpointBeforeIdenticalRowsAreConfirmed() {
    List<String> rows = new ArrayList<>(List.of(row(1, "a"), row(2, "a")));
    DrivenStream stream =
        new DrivenStream(CURSOR, request -> Answer.of(rows, ""))
            .withOccurrences()
            .start()
            .fetches(3, 10);
    stream.timeline().clear();
    rows.add(row(2, "a"));
    stream.requests(4);
    assertThat(stream.timeline()).startsWith("c2a", "checkpoint");
  }

  @Test
  void emitsRowOnceWhenItShiftsOntoPageThatBreaksOff() {
    // Row 2 moves from the first page to the second while they are read, and then back.
    Answer shifted = Answer.of(List.of(row(2, "a"), row(3, "a")));
    List<Answer> second =
        new ArrayList<>(List.of(shifted.breakingOff(), shifted, Answer.of(List.of(row(3, "a")))));
    DrivenStream stream =
        new DrivenStream(
                CURSOR,
                request -> {
                  if (request.parameter("key", "").isEmpty()) {
                    return Answer.of(List.of(row(1, "a"), row(2, "a")), "x");
                  }
                  return second.size() > 1 ? second.remove(0) : second.get(0);
                })
            .withOccurrences()
            .start();
    stream.fetches(4, 20);
    assertThat(stream.events()).containsExactlyInAnyOrder("r1a", "r2a", "r3a");
  }

  @Test
  void suspendsStreamAfterTenFailuresAndResumesWhenDue() {
    boolean[] broken = {true};
    DrivenStream stream =
        new DrivenStream(
                PAGES,
                request -> {
                  if (broken[0] && request.parameter("page", "").equals("2")) {
                    throw new Unavailable(Problem.SERVICE_FAILED, "GET /things 500", "it failed");
                  }
                  return new Paged(Habit.HONEST, 25, 0).answer(request);
                })
            .start();
    stream.requests(1 + Retries.MOST_FAILURES - 1);
    assertThat(stream.suspended()).isEmpty();
    stream.requests(1);
    assertThat(stream.suspended().orElseThrow().incident().toString())
        .startsWith("POS-402 GET /things 500");
    long suspended = stream.time.milliseconds();
    broken[0] = false;
    stream.fetches(1, 10);
    assertThat(stream.suspended()).isEmpty();
    assertThat(stream.time.milliseconds() - suspended).isLessThan(310_000);
  }
}
