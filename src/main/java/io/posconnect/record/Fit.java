package io.posconnect.record;

import org.jspecify.annotations.Nullable;

/** How well one value fitted its declared type. */
final class Fit {

  private boolean exact = true;
  private int typeMismatches;

  /** The typed value says less than the original, which therefore has to be kept as well. */
  void inexact() {
    exact = false;
  }

  /** Nothing, in place of a value that does not fit. */
  @Nullable Object typeMismatch() {
    add(1);
    return null;
  }

  void add(int more) {
    if (more > 0) {
      typeMismatches += more;
      exact = false;
    }
  }

  boolean exact() {
    return exact;
  }

  int typeMismatches() {
    return typeMismatches;
  }
}
