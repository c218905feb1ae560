package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Numbering;
import io.posconnect.tool.EventNumbers.Range;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EventNumbersTest {

  private static final long EPOCH = 7;
  private final EventNumbers numbers = new EventNumbers(new Numbering(10, EPOCH));

  private void add(int partition, boolean intact, long... seqs) {
    LongStream.of(seqs).forEach(seq -> numbers.add(partition, new Numbering(seq, EPOCH), intact));
  }

  @Test
  void findsWhatIsMissingUpToTheCheckpoint() {
    add(0, true, 1, 2, 4, 8, 9, 11, 12);

    EventNumbers.Gaps gaps = numbers.gaps(Set.of());
    assertThat(gaps.lost().count()).isEqualTo(5);
    assertThat(gaps.lost().ranges())
        .isEqualTo(List.of(new Range(3, 3), new Range(5, 7), new Range(10, 10)));
  }

  @Test
  void ignoresOtherNumberingsAndAbsurdNumbers() {
    add(0, true, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    numbers.add(0, new Numbering(10, EPOCH - 1), true);
    numbers.add(0, new Numbering(Long.MAX_VALUE, EPOCH), true);
    numbers.add(0, new Numbering(-3, EPOCH), true);

    assertThat(numbers.gaps(Set.of()).lost().ranges()).isEqualTo(List.of(new Range(10, 10)));
  }

  @Test
  void calledLostOnlyWhereNoPartitionWasCleaned() {
    add(0, false, 1);
    add(0, true, 5, 9, 10);
    add(1, false, 2);
    add(1, true, 6);

    EventNumbers.Gaps gaps = numbers.gaps(Set.of(0, 1));
    assertThat(gaps.removed()).isEqualTo(2);
    assertThat(gaps.lost().ranges()).isEqualTo(List.of(new Range(7, 8)));
  }

  @Test
  void callsNothingLostInPartitionThatMayBeCleanedWhole() {
    add(0, true, 1, 10);
    add(1, false, 2);

    assertThat(numbers.gaps(Set.of(0, 1)).lost().count()).isZero();
    assertThat(numbers.gaps(Set.of(0, 1)).removed()).isEqualTo(7);
  }

  @Test
  void streamWithoutAnEventIsComplete() {
    assertThat(new EventNumbers(Numbering.beginningAt(EPOCH)).gaps(Set.of()).lost().count())
        .isZero();
  }
}
