package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ApiException.Throttled;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.fetch.DrivenStream.Service;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A location takes longer to say who it is than its lists are polled. */
class SlowIdentityTest {

  private static final String OTHERS = "/others";

  private final List<Integer> ids = new ArrayList<>(IntStream.range(0, 10).boxed().toList());
  private boolean otherOneWorks;
  private int othersReads;
  private Runnable meanwhile = () -> {};

  private final DrivenStream reads =
      new DrivenStream(
              new Full(false),
              new Service() {
                @Override
                public Answer answer(Request request) {
                  othersReads += request.path().equals(OTHERS) ? 1 : 0;
                  return Answer.of(ids.stream().map(id -> row(id, "a")).toList());
                }

                @Override
                public String whoami(String name) {
                  thisOneGoesOn();
                  return "{\"locationName\":\"" + name + "\"}";
                }
              })
          .polls(Duration.ofSeconds(2))
          .start();

  /** While the other stream asks, a row goes, and this stream is polled as before. */
  private void thisOneGoesOn() {
    if (otherOneWorks) {
      ids.remove((Integer) 3);
      reads.passes(Duration.ofSeconds(12));
    }
  }

  @Test
  void neitherDeletesNorOtherStreamWaitForEver() {
    reads.passes(Duration.ofMinutes(5));
    DrivenStream asks = reads.neighbour(OTHERS);
    reads.time.sleep(Duration.ofMinutes(2).toMillis());
    otherOneWorks = true;
    for (int turn = 0; turn < 100; turn++) {
      reads.sleepUntil(asks.work());
    }
    otherOneWorks = false;
    reads.passes(Duration.ofMinutes(2));
    assertThat(othersReads).as("reads of the stream that asks").isPositive();
    assertThat(reads.events()).as("what the other one emits").contains("d3");
  }

  /** If it went on without an answer, a hold of its deletes would begin anew each time. */
  @Test
  void onlyPassThatMissesKeysWaitsForRequestOfOtherStream() {
    LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);
    identity.begin(0);
    long later = Duration.ofSeconds(6).toNanos();
    assertThat(identity.mustBeAsked(later, true)).isTrue();
    assertThat(identity.mustBeAsked(later, false)).isFalse();
  }

  @Test
  void rowsDoNotWaitForSlotOfIdentity() {
    reads.whoamiFails(new Throttled("GET /whoami", null, Set.of(30)));
    reads.passes(Duration.ofMinutes(2));
    assertThat(reads.requests()).as("of 60").isGreaterThan(40);
  }

  /** The key opens another store while the location is asked, which then gives its former name. */
  @Test
  void answerDoesNotProveRowsThatCameAfterItsRequest() {
    DrivenStream grows =
        new DrivenStream(
                new ModifiedSince("from"),
                new Service() {
                  @Override
                  public Answer answer(Request request) {
                    return Answer.of(ids.stream().map(id -> row(id, "a")).toList());
                  }

                  @Override
                  public String whoami(String name) {
                    meanwhile.run();
                    return "{\"locationName\":\"" + name + "\"}";
                  }
                })
            .polls(Duration.ofSeconds(2))
            .reconciles(Duration.ofHours(1))
            .start();
    grows.passes(Duration.ofMinutes(5));
    DrivenStream asks = grows.neighbour(OTHERS);
    grows.time.sleep(Duration.ofMinutes(2).toMillis());
    meanwhile =
        () -> {
          meanwhile = () -> {};
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
