package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Key;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnreadableRowsTest {

  /** A body of such rows must not fill the heap, and no key is deleted that one of them may be. */
  @Test
  void onlyRowsBeyondThoseThatAreKnownHoldKeysThatVanishLater() {
    assertThat(newest(UnreadableRows.MOST_ROWS)).isZero();
    assertThat(newest(UnreadableRows.MOST_ROWS + 1)).isEqualTo(1);
  }

  /** Its page broke off, and was read again. */
  @Test
  void aRowThatAPageShowsAgainIsNoOther() {
    UnreadableRows rows = new UnreadableRows();
    rows.shows(Key.of(1));
    rows.passEnded(0, false, PassEnd.NONE, key -> false);
    rows.passBegins();
    rows.responseBegins();
    rows.shows(Key.of(1));
    rows.rollBack();
    rows.shows(Key.of(1));
    assertThat(rows.newest(1)).isZero();
  }

  /** Read for ever, however long. */
  @Test
  void suspectsAreReadAsTheyAreWritten() {
    String text = "rows " + "!5f:2,".repeat(50_000) + "!60:1, keys 3d:0,61:3,";
    assertThat(Suspects.parse(text)).hasToString(text);
  }

  /** Those whose dead letters came behind the position are new, and no keys. */
  @Test
  void suspectsAreStoredIfThereAreFew() {
    UnreadableRows rows = new UnreadableRows();
    rows.resume(
        Suspects.parse("rows !5f:2,!60:1, keys "),
        known -> known.accept(Key.deadLetter(0x60), false));
    assertThat(rows.suspects(1)).isEqualTo("rows !5f:2, keys ");
    IntStream.range(1, Suspects.MOST).forEach(id -> rows.appears(Key.of(id)));
    assertThat(rows.suspects(1)).isNotEmpty();
    rows.appears(Key.of(0));
    assertThat(rows.suspects(1)).isEmpty();
  }

  /** The latest pass since which a key is held that the second of two passes lacks. */
  private static long newest(int shown) {
    UnreadableRows rows = new UnreadableRows();
    long newest = 0;
    for (long pass = 0; pass < 2; pass++) {
      rows.passBegins();
      IntStream.range(0, shown).forEach(id -> rows.shows(Key.of(id)));
      assertThat(rows.size()).isEqualTo(UnreadableRows.MOST_ROWS);
      newest = rows.newest(pass);
      rows.passEnded(pass, false, PassEnd.NONE, key -> false);
    }
    return newest;
  }
}
