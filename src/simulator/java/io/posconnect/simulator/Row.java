package io.posconnect.simulator;

import java.util.List;
import java.util.Objects;

/**
 * All that is kept of a row: enough to render its JSON again at any time. Immutable.
 *
 * @param id unique in its table; the row's key where the resource has one
 * @param seed decides every field that no change touches; two rows may share it
 * @param link id of the row of another resource that this one belongs to
 * @param created milliseconds since the epoch
 * @param modified milliseconds since the epoch; what the modified-date filters look at
 * @param revision 1 at first, one more with every real change
 * @param text the row's exact text, or null to render it from the seed
 */
record Row(long id, long seed, long link, long created, long modified, int revision, String text) {

  Row revised(long modifiedMillis, String newText) {
    return new Row(id, seed, link, created, modifiedMillis, revision + 1, newText);
  }

  Row touched(long modifiedMillis, String newText) {
    return new Row(id, seed, link, created, modifiedMillis, revision, newText);
  }

  /** Returns whether both show a client the same content. */
  boolean sameContent(Row other) {
    return id == other.id
        && revision == other.revision
        && modified == other.modified
        && Objects.equals(text, other.text);
  }

  /** Scatters the bits of a number; equal numbers give equal results on every machine. */
  static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A short, repeatable sequence of random choices for one field of a row. */
  static final class Choices {

    private final Row row;
    private long state;

    Choices(Row row, long salt) {
      this.row = row;
      this.state = mix(row.seed() ^ salt);
    }

    Row row() {
      return row;
    }

    int below(int bound) {
      state = mix(state);
      return (int) Long.remainderUnsigned(state, bound);
    }

    <T> T oneOf(List<T> choices) {
      return choices.get(below(choices.size()));
    }
  }
}
