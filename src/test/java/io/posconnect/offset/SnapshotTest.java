package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.offset.Snapshot.State;
import org.junit.jupiter.api.Test;

class SnapshotTest {

  private static Snapshot named(String name, int generation) {
    return new Snapshot(name, generation, State.RUNNING);
  }

  @Test
  void firstHasNoNumber() {
    assertThat(named("june", 1).id()).isEqualTo("june");
    assertThat(named("", 1).id()).isEmpty();
    assertThat(named("", 2).id()).isEqualTo("#2");
  }

  @Test
  void isReadBackThoughItsNameMayLookNumbered() {
    for (String name : new String[] {"", "june", "2026-01-01"}) {
      for (int generation : new int[] {1, 2, Integer.MAX_VALUE}) {
        for (State state : State.values()) {
          Snapshot snapshot = new Snapshot(name, generation, state);
          assertThat(Snapshot.parse(snapshot.id(), state)).isEqualTo(snapshot);
        }
      }
    }
    assertThat(Snapshot.parse("june#", State.RUNNING)).isEqualTo(named("june#", 1));
    assertThat(Snapshot.parse("june#x", State.RUNNING)).isEqualTo(named("june#x", 1));
  }

  @Test
  void nextIsLaterUnderAnyName() {
    Snapshot first = Snapshot.first("june");

    assertThat(first.next("june").id()).isEqualTo("june#2");
    assertThat(first.next("july").next("june").id()).isEqualTo("june#3");
    assertThat(first.next("july").isAfter(first)).isTrue();
    assertThat(first.isAfter(first)).isFalse();
    assertThat(first.in(State.COMPLETED).isSameAs(first)).isTrue();
    assertThat(first.in(State.COMPLETED).next("june").runs()).isTrue();
  }
}
