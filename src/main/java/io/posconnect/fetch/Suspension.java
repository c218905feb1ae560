package io.posconnect.fetch;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A refused stream's time apart: its first probe comes soon, each later one after twice the pause.
 */
public final class Suspension {

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(30);

  /**
   * Why a stream is suspended.
   *
   * @param reason what to tell the operator
   * @param sinceNanos monotonic time of the first refusal without a success since
   */
  public record Case(String reason, long sinceNanos) {}

  private final Duration maxPause;
  private Duration pause;
  private volatile @Nullable Case current;

  Suspension(Duration maxPause) {
    this.maxPause = maxPause;
    pause = shorter(FIRST_PAUSE, maxPause);
  }

  /** Suspends the stream, or keeps it so; returns the pause until the next probe. */
  Duration refused(String reason, long nowNanos) {
    Case before = current;
    Duration wait = pause;
    pause = shorter(pause.multipliedBy(2), maxPause);
    current = new Case(reason, before == null ? nowNanos : before.sinceNanos());
    return wait;
  }

  /** A request succeeded; true when the stream had been suspended. */
  boolean lift() {
    boolean wasSuspended = current != null;
    current = null;
    pause = shorter(FIRST_PAUSE, maxPause);
    return wasSuspended;
  }

  Optional<Case> current() {
    return Optional.ofNullable(current);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
