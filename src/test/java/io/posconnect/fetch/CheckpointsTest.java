package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.resource.Retrieval.Full;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of fetches, and how often. */
class CheckpointsTest {

  @Test
  void everyFetchIsCountedWhetherItHasACheckpointOrNot() {
    DrivenStream stream =
        new DrivenStream(new Full(false), request -> Answer.of(List.of(row(1, "a"), row(2, "b"))))
            .tellsAtMostEvery(Duration.ofHours(1))
            .start()
            .requests(39);

    assertThat(stream.checkpoints()).isLessThan(5);
    assertThat(stream.metric("fetches-total")).isEqualTo(39);
    assertThat(stream.metric("rows-received-total")).isEqualTo(78);
  }
}
