package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.jspecify.annotations.Nullable;

/** Converts strings to dates and times. What is finer than the type is cut off. */
@SuppressWarnings("JavaUtilDate") // what Connect's logical types are made of
sealed interface TemporalType extends FieldType.Identifying {

  /**
   * The value of the text.
   *
   * @throws DateTimeException when it is no date or time
   * @throws ArithmeticException when it lies beyond what the type can count
   */
  Object parse(String text, Conversion conversion);

  @Override
  default @Nullable Object read(JsonText json, Conversion conversion) {
    if (json.kind() != Row.Kind.STRING) {
      return conversion.typeMismatch();
    }
    try {
      return parse(json.value(), conversion);
    } catch (DateTimeException | ArithmeticException e) {
      return conversion.typeMismatch();
    }
  }

  record Day() implements TemporalType {
    @Override
    public SchemaBuilder builder() {
      return org.apache.kafka.connect.data.Date.builder();
    }

    @Override
    public Object parse(String text, Conversion conversion) {
      DateAndTime time = DateAndTime.parse(text);
      LocalDateTime midnight = time.utc().truncatedTo(ChronoUnit.DAYS);
      if (time.offset() || !midnight.equals(time.utc())) {
        conversion.inexact();
      }
      // Converters write the number of the day in 32 bits.
      int day = Math.toIntExact(midnight.toLocalDate().toEpochDay());
      return new Date(TimeUnit.DAYS.toMillis(day));
    }

    @Override
    public String canonical(Object value) {
      return "\"" + ((Date) value).toInstant().atOffset(ZoneOffset.UTC).toLocalDate() + '"';
    }
  }

  record TimeOfDay() implements TemporalType {
    @Override
    public SchemaBuilder builder() {
      return Time.builder();
    }

    @Override
    public Object parse(String text, Conversion conversion) {
      LocalTime time = LocalTime.parse(text);
      LocalTime millis = time.truncatedTo(ChronoUnit.MILLIS);
      if (!millis.equals(time)) {
        conversion.inexact();
      }
      return new Date(millis.toNanoOfDay() / 1_000_000);
    }

    @Override
    public String canonical(Object value) {
      return "\"" + LocalTime.ofNanoOfDay(((Date) value).getTime() * 1_000_000) + '"';
    }
  }

  /** Avro's {@code timestamp-millis} and {@code timestamp-micros}. */
  record PointInTime(boolean micros) implements TemporalType {
    @Override
    public SchemaBuilder builder() {
      return micros ? FieldSchemas.microTimestamp() : Timestamp.builder();
    }

    @Override
    public Object parse(String text, Conversion conversion) {
      DateAndTime time = DateAndTime.parse(text);
      Instant exact = time.utc().toInstant(ZoneOffset.UTC);
      Instant cut = exact.truncatedTo(micros ? ChronoUnit.MICROS : ChronoUnit.MILLIS);
      if (time.offset() || !cut.equals(exact)) {
        conversion.inexact();
      }
      return micros
          ? (Object) ChronoUnit.MICROS.between(Instant.EPOCH, cut)
          : new Date(cut.toEpochMilli());
    }

    @Override
    public String canonical(Object value) {
      Instant instant =
          value instanceof Date date
              ? date.toInstant()
              : Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS);
      return "\"" + instant + '"';
    }
  }

  /**
   * A point in time in one of the spellings that such services mix in one field: ISO 8601 with or
   * without fraction, {@code Z} or offset, a date alone, and {@code MM/dd/yyyy HH:mm:ss}.
   *
   * @param utc the time in UTC, which a text without an offset is in
   * @param offset whether the text has an offset other than zero
   */
  record DateAndTime(LocalDateTime utc, boolean offset) {

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

    static DateAndTime parse(String text) {
      DateTimeFormatter format = text.indexOf('/') < 0 ? ISO : AMERICAN;
      TemporalAccessor parsed =
          format.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
      if (parsed instanceof OffsetDateTime time) {
        LocalDateTime utc = time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
        return new DateAndTime(utc, time.getOffset().getTotalSeconds() != 0);
      }
      return parsed instanceof LocalDateTime time
          ? new DateAndTime(time, false)
          : new DateAndTime(LocalDate.from(parsed).atStartOfDay(), false);
    }
  }
}
