package io.posconnect.config;

import java.time.Instant;
import java.util.Objects;

/**
 * Where the first read of a date range begins.
 *
 * @param latest an instant, or {@link Instant#MAX} for the time of the first read
 */
public record StartFrom(Instant latest) {

  /** Before there was anything: 2000-01-01. */
  public static final StartFrom EARLIEST = new StartFrom(Instant.parse("2000-01-01T00:00:00Z"));

  /** The time of the first read itself: no backfill. */
  public static final StartFrom NOW = new StartFrom(Instant.MAX);

  public StartFrom {
    Objects.requireNonNull(latest, "latest is null");
  }

  /** The beginning, for a first read at {@code now}; never later than that. */
  public Instant at(Instant now) {
    return latest.isBefore(now) ? latest : now;
  }

  /**
   * Reads {@code earliest}, {@code now} or an instant such as {@code 2024-01-31T00:00:00Z}; a
   * {@link java.time.format.DateTimeParseException} for anything else.
   */
  static StartFrom parse(String text) {
    return switch (text) {
      case "earliest" -> EARLIEST;
      case "now" -> NOW;
      default -> new StartFrom(Instant.parse(text));
    };
  }
}
