package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Window;
import io.posconnect.resource.WindowLength;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A read from the earliest day reaches the first row within a minute of requests. */
class WindowLengthTest {

  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant OPENED = Instant.ofEpochMilli(SimulatedTime.START).minus(days(200));
  private static final int REQUESTS_PER_MINUTE = 54;

  private static Duration days(int days) {
    return Duration.ofDays(days);
  }

  /** A store that opened lately, of a service that refuses longer windows than that. */
  private static final class Store implements DrivenStream.Service {
    private final Duration longest;
    private int status = 400;
    private int refused;
    private int firstRefused;

    Store(Duration longest) {
      this.longest = longest;
    }

    @Override
    public Answer answer(Request request) throws Refused {
      Instant from = Instant.parse(request.parameter("from", ""));
      String until = request.parameter("to", "");
      Instant to =
          until.isEmpty() ? Instant.ofEpochMilli(SimulatedTime.START) : Instant.parse(until);
      if (refused < firstRefused
          || Duration.between(from, to).compareTo(longest.plusSeconds(2)) > 0) {
        refused++;
        throw new Refused(Problem.REQUEST_REFUSED, "GET /things " + status, "too long", status);
      }
      boolean open = from.isBefore(OPENED) && to.isAfter(OPENED);
      return Answer.of(open ? List.of(row(1, "a")) : List.of());
    }
  }

  /** Reads the store from the earliest time on, until its row was emitted. */
  private static DrivenStream read(Store store) {
    DrivenStream stream =
        new DrivenStream(new DateRange("from", "to"), store)
            .startsFrom(EARLIEST.toString())
            .start();
    while (stream.events().isEmpty()) {
      stream.requests(1);
    }
    assertThat(stream.suspended()).isEmpty();
    return stream;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 40})
  void readsFirstRowOfYoungStoreSoonAfterAllLengthsWereRefused(int requests) {
    Store store = new Store(days(10_000));
    store.firstRefused = requests;
    assertThat(read(store).requests()).isLessThanOrEqualTo(REQUESTS_PER_MINUTE + requests);
  }

  @ParameterizedTest
  @CsvSource({"1, 400", "31, 413", "60, 422", "90, 400", "300, 400"})
  void avoidsRefusedLengthsAndUsesAllowedOnes(int longest, int status) {
    Store store = new Store(days(longest));
    store.status = status;
    assertThat(read(store).requests()).isLessThanOrEqualTo((9_300 / longest + 10) * 5 / 4 + 25);
    assertThat(store.refused).isLessThanOrEqualTo(25);
  }

  @Test
  void recoversSoonFromTroubleThatCameAndWent() {
    WindowLength length = new WindowLength(days(365));
    for (int i = 0; i < 2_200; i++) {
      Window window = new Window(EARLIEST, EARLIEST.plus(length.current()));
      if (i < 1_000 && i % 10 == 0) {
        length.refused(window);
      } else {
        length.read(window, 0);
      }
    }
    assertThat(length.current()).isEqualTo(days(365));
  }
}
