package io.posconnect.simulator;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How a response goes out.
 *
 * @param gate opens when the test wants no more delays
 * @param beforeHeaders wait before the first byte
 * @param bytesPerSecond of the body; 0: as fast as it goes
 * @param stop what happens part way through
 * @param stopAt bytes of the body before that; empty: half of it
 * @param sized whether to announce the size of the body instead of sending it in chunks
 */
record Delivery(
    Gate gate,
    Duration beforeHeaders,
    long bytesPerSecond,
    Stop stop,
    OptionalLong stopAt,
    boolean sized) {

  /** What may happen to a response before its end. */
  enum Stop {
    NONE,
    /** Nothing more comes until the gate opens; then the rest. */
    SILENCE,
    /** The connection is closed in good order. */
    CUT,
    /** The connection is reset. */
    RESET,
    /** The connection is reset before anything was sent. */
    RESET_AT_ONCE
  }

  static final Delivery PLAIN =
      new Delivery(new Gate(), Duration.ZERO, 0, Stop.NONE, OptionalLong.empty(), false);

  Delivery delayed(Gate until, Duration delay) {
    return new Delivery(until, delay, bytesPerSecond, stop, stopAt, sized);
  }

  Delivery paced(Gate until, long rate) {
    return new Delivery(until, beforeHeaders, rate, stop, stopAt, sized);
  }

  Delivery stopped(Gate until, Stop how, OptionalLong at) {
    return new Delivery(until, beforeHeaders, bytesPerSecond, how, at, sized);
  }

  Delivery announced() {
    return new Delivery(gate, beforeHeaders, bytesPerSecond, stop, stopAt, true);
  }
}
