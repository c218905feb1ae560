package io.posconnect.record;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;

/**
 * A point in time in one of the spellings that such services mix in one field: ISO 8601 with or
 * without fraction, {@code Z} or offset, a date alone, and {@code MM/dd/yyyy HH:mm:ss}.
 *
 * @param utc what it says; without an offset it says UTC
 * @param offset whether it said so by an offset other than zero
 */
record Moment(LocalDateTime utc, boolean offset) {

  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .toFormatter()
          .withResolverStyle(ResolverStyle.STRICT)
          .withChronology(IsoChronology.INSTANCE);

  private static final DateTimeFormatter AMERICAN =
      DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss").withResolverStyle(ResolverStyle.STRICT);

  static Optional<Moment> parse(String text) {
    DateTimeFormatter format = text.indexOf('/') < 0 ? ISO : AMERICAN;
    try {
      return Optional.of(
          of(format.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Moment of(TemporalAccessor parsed) {
    if (parsed instanceof OffsetDateTime time) {
      LocalDateTime utc = time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
      return new Moment(utc, time.getOffset().getTotalSeconds() != 0);
    }
    if (parsed instanceof LocalDateTime time) {
      return new Moment(time, false);
    }
    return new Moment(LocalDate.from(parsed).atStartOfDay(), false);
  }
}
