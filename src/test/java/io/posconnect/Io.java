package io.posconnect;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A step with files or connections whose failure is a failure of the test. */
@FunctionalInterface
public interface Io<T> {

  T call() throws IOException;

  /** Takes the step. */
  static <T> T unchecked(Io<T> step) {
    try {
      return step.call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
