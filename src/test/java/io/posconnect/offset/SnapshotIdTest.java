package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SnapshotIdTest {

  @Test
  void theFirstHasNoNumber() {
    assertThat(new SnapshotId("june", 1)).hasToString("june");
    assertThat(new SnapshotId("", 1)).hasToString("");
    assertThat(new SnapshotId("", 2)).hasToString("#2");
  }

  @Test
  void isReadBack() {
    for (String name : new String[] {"", "june", "2026-01-01"}) {
      for (int generation : new int[] {1, 2, Integer.MAX_VALUE}) {
        SnapshotId id = new SnapshotId(name, generation);
        assertThat(SnapshotId.parse(id.toString())).isEqualTo(id);
      }
    }
  }

  @Test
  void whatOnlyLooksNumberedIsAName() {
    assertThat(SnapshotId.parse("june#")).isEqualTo(new SnapshotId("june#", 1));
    assertThat(SnapshotId.parse("june#x")).isEqualTo(new SnapshotId("june#x", 1));
  }

  @Test
  void theNextIsLaterUnderWhateverName() {
    SnapshotId first = SnapshotId.parse("june");

    assertThat(first.next("june")).hasToString("june#2");
    assertThat(first.next("july").next("june")).hasToString("june#3");
    assertThat(first.next("july").isAfter(first)).isTrue();
    assertThat(first.isAfter(first)).isFalse();
  }
}
