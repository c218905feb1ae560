package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.TaskLog;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Retrieval.Full;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deletes that wait for the location to say who it is are not forgotten by anybody. */
class UnverifiedDeletesTest {

  private final ApiException forbidden =
      new Refused(Problem.PERMISSION_MISSING, "downtown/locations: GET /whoami 403", "no", 403);

  private final List<String> rows = new ArrayList<>(List.of(row(1, "a"), row(2, "b")));
  private final DrivenStream stream =
      new DrivenStream(new Full(false), request -> Answer.of(rows)).start();

  @Test
  void whatWaitsForLongIsHeldAndReleasedByName() {
    stream.requests(3);
    stream.whoamiFails(forbidden);
    rows.remove(0);
    try (TaskLog log = TaskLog.listenAtInfo()) {
      stream.passes(Duration.ofMinutes(50));
      assertThat(stream.events()).containsExactly("r1a", "r2b");
      assertThat(stream.metric("deletes-pending")).isEqualTo(1);
      assertThat(stream.statuses()).endsWith("DELETES_HELD").containsOnlyOnce("DELETES_HELD");
      assertThat(log.lines()).filteredOn(line -> line.contains("POS-503")).hasSize(1);
    }
    stream.whoamiAnswers();
    stream.passes(Duration.ofMinutes(20));
    assertThat(stream.events()).containsExactly("r1a", "r2b", "d1");
    assertThat(stream.metric("deletes-pending")).isZero();
    assertThat(stream.statuses()).endsWith("DELETES_RELEASED");
  }

  @Test
  void aShortSilenceWakesNobody() {
    stream.requests(3);
    stream.whoamiFails(forbidden);
    rows.remove(0);
    stream.passes(Duration.ofMinutes(5));
    assertThat(stream.events()).containsExactly("r1a", "r2b");
    assertThat(stream.metric("deletes-pending")).isZero();
    stream.whoamiAnswers();
    stream.passes(Duration.ofMinutes(15));
    assertThat(stream.events()).containsExactly("r1a", "r2b", "d1");
    assertThat(stream.statuses()).doesNotContain("DELETES_HELD");
  }
}
