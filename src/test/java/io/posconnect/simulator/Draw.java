package io.posconnect.simulator;

import java.util.List;

/** A short, repeatable sequence of random choices for one field of one row. */
final class Draw {

  private final RowState row;
  private long state;

  Draw(RowState row, long salt) {
    this.row = row;
    this.state = mix(row.seed() ^ salt);
  }

  RowState row() {
    return row;
  }

  int below(int bound) {
    state = mix(state);
    return (int) Long.remainderUnsigned(state, bound);
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  /** Scatters the bits of a number; equal numbers give equal results on every machine. */
  static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
