package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.Full;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A resource that answers 401 costs no other stream; a refused key is known to all of them. */
class RefusedResourceTest {

  private static final Duration DAY = Duration.ofHours(24);
  private static final String GOOD = "/things";
  private static final String BAD = "/bad";

  private final Set<String> refused = new HashSet<>();
  private Runnable meanwhile = () -> {};
  private List<String> rows = List.of(row(1, "a"));
  private boolean isAway;
  private int goodReads;
  private int badReads;
  private final DrivenStream good =
      new DrivenStream(new Full(false), this::answer).polls(Duration.ofSeconds(15)).start();

  private Answer answer(Request request) throws ApiException {
    if (isAway) {
      throw away();
    }
    if (refused.contains(request.path())) {
      badReads++;
      throw refusal(request.path());
    }
    goodReads++;
    if (request.path().equals(GOOD)) {
      meanwhile.run();
    }
    return Answer.of(rows);
  }

  private static Refused refusal(String path) {
    return new Refused(Problem.KEY_REFUSED, "store: GET " + path + " 401", "no", 401);
  }

  private static Unavailable away() {
    return new Unavailable(Problem.SERVICE_FAILED, "GET", "fails");
  }

  private void refuseKey() {
    refused.add(GOOD);
    good.whoamiFails(refusal("/whoami"));
    good.passes(Duration.ofSeconds(16));
    assertThat(problem(good)).isEqualTo(Problem.KEY_REFUSED);
  }

  private void assertBothRefused(DrivenStream bad) {
    assertThat(problem(good)).isEqualTo(Problem.KEY_REFUSED);
    assertThat(problem(bad)).isEqualTo(Problem.KEY_REFUSED);
  }

  private void assertBothReadAgainOnceAccepted(DrivenStream bad) {
    refused.clear();
    good.passes(Duration.ofMinutes(11), bad);
    assertThat(good.suspended()).isEmpty();
    assertThat(bad.suspended()).isEmpty();
  }

  private static Problem problem(DrivenStream stream) {
    return stream.suspended().orElseThrow().incident().problem();
  }

  @Test
  void resourceThatAnswers401CostsNoOtherStream() {
    refused.add(BAD);
    DrivenStream bad = good.neighbour(BAD);
    good.passes(DAY, bad);
    assertThat(goodReads).isBetween(5_750, 5_761);
    assertThat(good.statuses()).doesNotContain("SUSPENDED");
    assertThat(badReads).isBetween(100, 200);
    assertThat(bad.turns()).containsExactly("SUSPENDED");
    assertThat(bad.suspended().orElseThrow().incident().toString())
        .startsWith("POS-202 downtown/things: its request is refused");
    refused.clear();
    good.passes(Duration.ofMinutes(11), bad);
    assertThat(bad.turns()).containsExactly("SUSPENDED", "RESUMED");
    assertThat(bad.suspended()).isEmpty();
  }

  @Test
  void resourceThatAnswers401CostsNothingWithoutWhoami() {
    refused.add(BAD);
    DrivenStream bad = good.neighbour(BAD);
    good.passes(Duration.ofMinutes(2), bad);
    good.whoamiFails(away());
    int before = goodReads;
    good.passes(DAY, bad);
    assertThat(goodReads - before).isBetween(5_750, 5_761);
    assertThat(badReads).isBetween(100, 200);
    assertThat(good.statuses()).doesNotContain("SUSPENDED");
    assertThat(bad.turns().size()).isLessThan(3);
  }

  @Test
  void keyRevokedAfterOtherStreamWasReadIsRefusedForBoth() {
    DrivenStream bad = good.neighbour(BAD);
    good.passes(Duration.ofMinutes(5), bad);
    refused.addAll(List.of(GOOD, BAD));
    good.whoamiFails(refusal("/whoami"));
    good.passes(Duration.ofSeconds(16), bad);
    assertBothRefused(bad);
    assertThat(badReads).as("each stream's own read, at most").isLessThan(3);
    badReads = 0;
    good.passes(DAY, bad);
    assertThat(badReads).as("the key is tried at /whoami alone").isZero();
    good.whoamiAnswers();
    assertBothReadAgainOnceAccepted(bad);
    assertThat(good.turns()).containsExactly("SUSPENDED", "RESUMED");
    assertThat(bad.turns()).containsExactly("SUSPENDED", "RESUMED");
  }

  @Test
  void keyIsFoundRefusedWhileOtherStreamIsAnswered() {
    DrivenStream bad = good.neighbour(BAD);
    good.passes(Duration.ofMinutes(5), bad);
    meanwhile =
        () -> {
          meanwhile = () -> {};
          refused.add(BAD);
          good.whoamiFails(refusal("/whoami"));
          bad.passes(Duration.ofMinutes(1));
        };
    good.passes(Duration.ofSeconds(30));
    assertBothRefused(bad);
    good.whoamiAnswers();
    assertBothReadAgainOnceAccepted(bad);
  }

  @Test
  void keyThatWhoamiStillAcceptsIsRefusedWithItsNextProbe() {
    DrivenStream bad = good.neighbour(BAD);
    good.passes(Duration.ofMinutes(5), bad);
    refused.addAll(List.of(GOOD, BAD));
    good.passes(Duration.ofSeconds(20), bad);
    assertThat(problem(good)).isEqualTo(Problem.PERMISSION_MISSING);
    good.whoamiFails(refusal("/whoami"));
    good.passes(Duration.ofSeconds(31), bad);
    assertBothRefused(bad);
  }

  @Test
  void keyThatIsRefusedOnlyByRowsHealsWithoutWhoami() {
    DrivenStream bad = good.neighbour(BAD);
    good.passes(Duration.ofMinutes(5), bad);
    good.whoamiFails(away());
    refused.addAll(List.of(GOOD, BAD));
    good.passes(Duration.ofHours(3), bad);
    assertBothRefused(bad);
    assertBothReadAgainOnceAccepted(bad);
  }

  /** Its keys are missing, so the location is asked, and the list waits for the answer. */
  @Test
  void listFromBeforeTheRefusalDoesNotProveTheKeyGood() {
    meanwhile = () -> good.time.sleep(100);
    rows = List.of(row(1, "a"), row(2, "a"));
    good.passes(Duration.ofMinutes(5));
    rows = List.of(row(1, "a"));
    good.requests(1);
    refuseKey();
    good.whoamiFails(away());
    good.passes(Duration.ofMinutes(11));
    assertThat(good.turns()).containsExactly("SUSPENDED");
  }

  @Test
  void answerThatTheRefusalCrossesDoesNotProveTheKeyGood() {
    DrivenStream bad = good.neighbour(BAD);
    good.passes(Duration.ofMinutes(5), bad);
    refused.addAll(List.of(GOOD, BAD));
    good.whoamiFails(refusal("/whoami"));
    good.passes(Duration.ofSeconds(16), bad);
    refused.remove(GOOD);
    good.whoamiFails(away());
    meanwhile =
        () -> {
          meanwhile = () -> {};
          refused.add(GOOD);
          good.whoamiFails(refusal("/whoami"));
          bad.passes(Duration.ofMinutes(2));
        };
    good.requests(1);
    assertThat(problem(good)).isEqualTo(Problem.KEY_REFUSED);
    good.passes(Duration.ofMinutes(1), bad);
    assertThat(good.turns()).containsExactly("SUSPENDED");
    assertThat(bad.turns()).containsExactly("SUSPENDED");
  }

  /** By then the stream is suspended for the failures, and /whoami never answers again. */
  @Test
  void rowsAfterAnOutageEndTheRefusalOfTheKey() {
    good.passes(Duration.ofMinutes(5));
    refuseKey();
    isAway = true;
    good.whoamiFails(away());
    good.passes(Duration.ofHours(3));
    isAway = false;
    refused.clear();
    good.passes(Duration.ofMinutes(11));
    assertThat(good.suspended()).isEmpty();
  }

  /** A task fails once all of its streams are suspended for long, whatever the reasons were. */
  @Test
  void suspensionCountsFromItsFirstReason() {
    isAway = true;
    good.passes(Duration.ofHours(1));
    long since = good.suspended().orElseThrow().sinceNanos();
    isAway = false;
    refused.add(GOOD);
    good.whoamiFails(refusal("/whoami"));
    good.passes(Duration.ofMinutes(11));
    assertThat(problem(good)).isEqualTo(Problem.KEY_REFUSED);
    assertThat(good.suspended().orElseThrow().sinceNanos()).isEqualTo(since);
  }
}
