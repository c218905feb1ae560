package io.posconnect.resource;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The span of modification times that a fetch asks for; either end may be open.
 *
 * @param from where it begins, {@link Instant#MIN} when it is open
 * @param to where it ends, {@link Instant#MAX} when it is open
 */
public record Window(Instant from, Instant to) {

  /** No bounds: every row. */
  public static final Window ALL = new Window(Instant.MIN, Instant.MAX);

  public Window {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("window is empty: " + from + " to " + to);
    }
  }

  public static Window since(Instant from) {
    return new Window(from, Instant.MAX);
  }

  public boolean hasFrom() {
    return !from.equals(Instant.MIN);
  }

  public boolean hasTo() {
    return !to.equals(Instant.MAX);
  }

  /** From one end to the other; of a window with both. */
  public Duration length() {
    return Duration.between(from, to);
  }

  /** Returns whether nothing before that moment lies behind its end. */
  public boolean reaches(Instant moment) {
    return !to.isBefore(moment);
  }

  /** This window without what lies behind that moment, where it has an end and more than that. */
  public Window notBeyond(Instant moment) {
    return hasTo() && reaches(moment) && from.isBefore(moment) ? new Window(from, moment) : this;
  }

  /**
   * Its beginning as the service takes times: whole seconds, UTC, a trailing Z; bounds widen, never
   * narrow.
   */
  String fromText() {
    return from.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Its end as the service takes times. */
  String toText() {
    Instant floor = to.truncatedTo(ChronoUnit.SECONDS);
    return (floor.equals(to) ? floor : floor.plusSeconds(1)).toString();
  }
}
