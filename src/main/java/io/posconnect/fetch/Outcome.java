package io.posconnect.fetch;

import io.posconnect.fetch.ServerTime.Moment;
import java.util.List;

/** What came of a {@link Step}: one of the consequences that {@link StreamCycle} can draw. */
@FunctionalInterface
interface Outcome {

  /** Changes the stream's state accordingly; returns what has to be reported. */
  List<Report> applyTo(StreamCycle cycle, Moment now);

  /** Nothing was done, and nothing is to be done before that monotonic time. */
  static Outcome delayed(long untilNanos) {
    return (cycle, now) -> {
      cycle.retries().delayed(untilNanos);
      return List.of();
    };
  }
}
