package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.TaskLog;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.fetch.DrivenStream.Service;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A location takes longer to say who it is than its lists are polled. */
class SlowIdentityTest {

  private static final String OTHERS = "/others";

  private final List<Integer> ids = new ArrayList<>(IntStream.range(0, 10).boxed().toList());
  private final Map<String, Integer> asked = new HashMap<>();
  private int othersReads;
  private Runnable atWhoami = () -> {};
  private Runnable atList = () -> {};
  private boolean isSlow;

  private final Service service =
      new Service() {
        @Override
        public Answer answer(Request request) {
          othersReads += request.path().equals(OTHERS) ? 1 : 0;
          atList.run();
          return Answer.of(ids.stream().map(id -> row(id, "a")).toList());
        }

        @Override
        public String whoami(String name) throws ApiException {
          asked.merge(name, 1, Integer::sum);
          atWhoami.run();
          if (isSlow) {
            reads.time.sleep(10_000);
            throw new Unavailable(Problem.TOO_SLOW, "GET /whoami", "it is slow");
          }
          return "{\"locationName\":\"" + name + "\"}";
        }
      };

  private final DrivenStream reads =
      new DrivenStream(new Full(false), service).polls(Duration.ofSeconds(2)).start();

  /** While the other stream asks, a row goes, and this stream is polled as before. */
  private void thisOneGoesOn() {
    ids.remove((Integer) 3);
    reads.passes(Duration.ofSeconds(12));
  }

  /** A stream in a task of its own, which shares the limits of the others. */
  private DrivenStream task(String store, Duration interval) {
    DrivenStream task = new DrivenStream(new Full(false), service, reads.time);
    task.limits = reads.limits;
    task.storeIsNamed(store);
    return task.polls(interval).start();
  }

  @Test
  void neitherDeletesNorOtherStreamWaitForEver() {
    reads.passes(Duration.ofMinutes(5));
    DrivenStream asks = reads.neighbour(OTHERS);
    reads.time.sleep(Duration.ofMinutes(2).toMillis());
    atWhoami = this::thisOneGoesOn;
    for (int turn = 0; turn < 100; turn++) {
      reads.sleepUntil(asks.work());
    }
    atWhoami = () -> {};
    reads.passes(Duration.ofMinutes(2));
    assertThat(othersReads).as("reads of the stream that asks").isPositive();
    assertThat(reads.events()).as("what the other one emits").contains("d3");
  }

  /** If it went on without an answer, a hold of its deletes would begin anew each time. */
  @Test
  void onlyPassThatMissesKeysWaitsForRequestOfOtherStream() {
    LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);
    identity.begin(0);
    assertThat(identity.mustBeAsked(6_000_000_000L, true)).isTrue();
    assertThat(identity.mustBeAsked(6_000_000_000L, false)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"true, 3 min", "false, 2 min"})
  void logsWhenItIsAskedAgain(boolean slow, String pause) {
    reads.passes(Duration.ofSeconds(30));
    isSlow = slow;
    if (!slow) {
      reads.whoamiFails(new Throttled("GET /whoami", null, OptionalInt.of(1)));
    }
    try (TaskLog log = TaskLog.listenAtInfo()) {
      reads.passes(Duration.ofMinutes(2));
      assertThat(log.text()).contains("The next request follows in " + pause + ".");
    }
  }

  /** Another stream may ask before the failure is recorded. */
  @Test
  void slowLocationIsLeftAloneThoughAskedAgainAtOnce() {
    LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);
    identity.begin(0);
    identity.end(3_000_000_000L);
    identity.begin(3_000_000_000L);
    assertThat(identity.failed(3_000_000_000L, Duration.ZERO)).hasSeconds(60);
  }

  @Test
  void rowsDoNotWaitForSlotOfIdentity() {
    reads.whoamiFails(new Throttled("GET /whoami", null, OptionalInt.of(30)));
    reads.passes(Duration.ofMinutes(2));
    assertThat(reads.requests()).as("of 60").isGreaterThan(40);
  }

  /** One that is polled all the time would take each slot for which the other comes too late. */
  @Test
  void tasksThatShareALimitAreBothAsked() {
    DrivenStream often = task("often", Duration.ofSeconds(2));
    DrivenStream rarely = task("rarely", Duration.ofSeconds(40));
    often.whoamiFails(new Throttled("GET /whoami", null, OptionalInt.of(1)));
    often.passes(Duration.ofSeconds(5));
    often.whoamiAnswers();
    often.passes(Duration.ofHours(1), rarely);
    assertThat(asked.get("rarely")).as("of 60").isGreaterThan(20);
  }

  /** The name expires during the comparison, and another task was told to pause. */
  @Test
  void nothingOfAnotherStoreIsReadWhileTheLimitHasNoSlot() {
    DrivenStream other = task("Downtown", Duration.ofSeconds(2));
    DrivenStream moves = task("Downtown", Duration.ofSeconds(2)).passes(Duration.ofMinutes(1));
    moves.storeIsNamed("Elsewhere");
    ids.replaceAll(id -> id + 1_000);
    other.whoamiFails(new Throttled("GET /whoami", Duration.ofMinutes(5), OptionalInt.empty()));
    atList =
        () -> {
          atList = () -> {};
          other.passes(Duration.ofSeconds(70));
        };
    moves.restart().passes(Duration.ofMinutes(10));
    assertThat(moves.events()).as("those of before").hasSize(10);
  }

  /** The key opens another store while the location is asked, which then gives its former name. */
  @Test
  void answerDoesNotProveRowsThatCameAfterItsRequest() {
    DrivenStream grows =
        new DrivenStream(new ModifiedSince("from"), service)
            .polls(Duration.ofSeconds(2))
            .reconciles(Duration.ofHours(1))
            .start();
    grows.passes(Duration.ofMinutes(5));
    DrivenStream asks = grows.neighbour(OTHERS);
    grows.time.sleep(Duration.ofMinutes(2).toMillis());
    atWhoami =
        () -> {
          atWhoami = () -> {};
          grows.storeIsNamed("Elsewhere");
          ids.clear();
          IntStream.range(1_000, 1_060).forEach(ids::add);
          grows.passes(Duration.ofSeconds(12));
        };
    asks.work();
    grows.passes(Duration.ofHours(2));
    assertThat(grows.suspended().orElseThrow().incident().problem()).isEqualTo(Problem.OTHER_STORE);
    assertThat(grows.events()).doesNotContain("d3");
  }
}
