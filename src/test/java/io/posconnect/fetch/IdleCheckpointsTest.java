package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** While no broker answers, checkpoints of reads that found nothing do not pile up in the heap. */
class IdleCheckpointsTest {

  private final List<String> rows = new ArrayList<>(List.of(row(1, "a")));
  private final DrivenStream stream = DrivenStream.list(() -> List.copyOf(rows));

  @Test
  void doNotPileUpBehindARecordThatIsNotWritten() {
    stream.checkpointsAtMostEvery(Duration.ofMinutes(1)).start().passes(Duration.ofMinutes(10));
    int before = stream.checkpoints();
    stream.hold();
    rows.set(0, row(1, "b"));
    stream.passes(Duration.ofHours(8));
    stream.write();

    assertThat(stream.events()).containsExactly("r1a", "u1b");
    assertThat(stream.checkpoints() - before).isLessThan(3);
    stream.passes(Duration.ofMinutes(10));
    assertThat(stream.checkpoints() - before).isGreaterThan(5);
  }
}
