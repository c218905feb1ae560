package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.DateRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A date range begins where it began at first, whatever follows. */
class StartFromTest {

  private static final Instant START = Instant.ofEpochMilli(SimulatedTime.START);

  /** When each row was written; its number is its key. */
  private final List<Instant> rows =
      new ArrayList<>(
          List.of(
              START.minus(Duration.ofDays(3)),
              START.minus(Duration.ofHours(30)),
              START.minus(Duration.ofMinutes(5)),
              START.minusSeconds(30)));

  private final List<Instant> windows = new ArrayList<>();
  private Duration answerTakes = Duration.ZERO;
  private DrivenStream stream;

  private DrivenStream startFrom(String start) {
    stream =
        new DrivenStream(new DateRange("from", "to"), this::answer)
            .reconciles(Duration.ofHours(2))
            .startsFrom(start);
    return stream.start();
  }

  private Answer answer(Request request) {
    Instant from = Instant.parse(request.parameter("from", ""));
    String to = request.parameter("to", "");
    Instant end = to.isEmpty() ? Instant.MAX : Instant.parse(to);
    windows.add(from);
    stream.time.sleep(answerTakes.toMillis());
    return Answer.of(
        IntStream.range(0, rows.size())
            .filter(i -> !rows.get(i).isBefore(from) && !rows.get(i).isAfter(end))
            .mapToObj(i -> row(i, "a"))
            .toList());
  }

  private void write() {
    rows.add(Instant.ofEpochMilli(stream.time.server()));
  }

  @Test
  void nowStaysMomentOfFirstStartAcrossRestarts() {
    startFrom("now").passes(Duration.ofMinutes(10));
    write();
    stream.passes(Duration.ofMinutes(10));
    assertThat(stream.events()).containsExactly("c4a");
    for (int i = 0; i < 3; i++) {
      stream.start().passes(Duration.ofHours(5));
    }
    assertThat(stream.events()).containsExactly("c4a");
  }

  @Test
  void durationReachesBackFromFirstStart() {
    startFrom("P2D").passes(Duration.ofHours(5));
    assertThat(stream.events()).containsExactly("r1a", "r2a", "r3a");
    stream.start().passes(Duration.ofHours(5));
    assertThat(stream.events()).hasSize(3);
  }

  @Test
  void durationReachesBackFromServicesTimeWhereItsClockIsBehind() {
    stream =
        new DrivenStream(
                new DateRange("from", "to"),
                this::answer,
                new SimulatedTime(Duration.ofHours(3).toMillis()))
            .reconciles(Duration.ofHours(2))
            .startsFrom("PT1H");
    stream.start().passes(Duration.ofHours(5));
    assertThat(stream.events()).containsExactly("r2a", "r3a");
    stream.start().passes(Duration.ofHours(5));
    assertThat(stream.events()).hasSize(2);
  }

  /** Else a stop costs all that was read since the first window, and it may never catch up. */
  @Test
  void stopDuringLongCatchUpGoesOnWithTheLatestWindow() {
    answerTakes = Duration.ofDays(20);
    startFrom("P1D").requests(6);
    stream.restart().requests(1);
    assertThat(windows).hasSize(7).isSorted();
    assertThat(windows.get(6)).isAfter(windows.get(5).plus(Duration.ofDays(7)));
  }
}
