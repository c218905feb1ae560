package io.posconnect.resource;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Where a date range begins: at a fixed instant, or so long before the stream's first start.
 *
 * <p>The position keeps the instant that it stood for at first, so that a restart changes nothing.
 */
public sealed interface StartFrom {

  /** The beginning of a date range at a stream's first start. */
  Instant resolve(Instant now);

  /**
   * The beginning of a new snapshot that a person has asked for.
   *
   * @param kept the beginning of the snapshot before
   */
  Instant again(Instant kept, Instant now);

  record Fixed(Instant instant) implements StartFrom {

    @Override
    public Instant resolve(Instant now) {
      return instant;
    }

    @Override
    public Instant again(Instant kept, Instant now) {
      return instant;
    }
  }

  /** So long before the first start; it reaches further back later only when it was made longer. */
  record Back(Duration duration) implements StartFrom {

    @Override
    public Instant resolve(Instant now) {
      return now.minus(duration).truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public Instant again(Instant kept, Instant now) {
      Instant resolved = resolve(now);
      return resolved.isBefore(kept) ? resolved : kept;
    }
  }

  /**
   * Reads {@code earliest}, {@code now}, an instant, or a duration such as {@code P30D}.
   *
   * @throws IllegalArgumentException for another text; the message states what is allowed
   */
  static StartFrom of(String text) {
    try {
      return switch (text) {
        case "earliest" -> new Fixed(Instant.parse("2000-01-01T00:00:00Z"));
        case "now" -> new Back(Duration.ZERO);
        default ->
            text.startsWith("P")
                ? new Back(Duration.parse(text))
                : new Fixed(Instant.parse(text).truncatedTo(ChronoUnit.MILLIS));
      };
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "must be earliest, now, a past instant such as 2024-01-31T00:00:00Z, or a duration back"
              + " from now such as P30D",
          e);
    }
  }

  /**
   * Checks that a text is a beginning between 1970 and now.
   *
   * @throws IllegalArgumentException when it is not; the message states what is allowed
   */
  static void check(String text, Instant now) {
    StartFrom start = of(text);
    Duration back =
        start instanceof Fixed fixed
            ? Duration.between(fixed.instant(), now)
            : ((Back) start).duration();
    if (back.isNegative()) {
      throw new IllegalArgumentException(
          "must not lie in the future (now begins with what is added from now on)");
    }
    if (back.compareTo(Duration.between(Instant.EPOCH, now)) > 0) {
      throw new IllegalArgumentException("must not reach back to before 1970");
    }
  }
}
