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
      Instant midnight = time.utc().truncatedTo(ChronoUnit.DAYS);
      if (time.offset() || !midnight.equals(time.utc())) {
        conversion.inexact();
      }
      // Converters write the number of the day in 32 bits.
      int day = Math.toIntExact(TimeUnit.SECONDS.toDays(midnight.getEpochSecond()));
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
      return micros
          ? SchemaBuilder.int64().name(FieldSchemas.MICRO_TIMESTAMP).version(1)
          : Timestamp.builder();
    }

    @Override
    public Object parse(String text, Conversion conversion) {
      DateAndTime time = DateAndTime.parse(text);
      Instant cut = time.utc().truncatedTo(micros ? ChronoUnit.MICROS : ChronoUnit.MILLIS);
      if (time.offset() || !cut.equals(time.utc())) {
        conversion.inexact();
      }
      return micros ? (Object) micros(cut) : new Date(cut.toEpochMilli());
    }

    // ChronoUnit counts nanoseconds on the way, which reach from 1677 to 2262.
    private static long micros(Instant time) {
      return Math.addExact(
          Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000L);
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
  record DateAndTime(Instant utc, boolean offset) {

    private static final int DAY = "2024-05-01".length();
    private static final int SECOND = "2024-05-01T09:30:00".length();
    private static final int NANO_DIGITS = 9;

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
      DateAndTime usual = usual(text);
      return usual == null ? formatted(text) : usual;
    }

    static DateAndTime formatted(String text) {
      DateTimeFormatter format = text.indexOf('/') < 0 ? ISO : AMERICAN;
      TemporalAccessor parsed =
          format.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
      if (parsed instanceof OffsetDateTime time) {
        return new DateAndTime(time.toInstant(), time.getOffset().getTotalSeconds() != 0);
      }
      LocalDateTime time =
          parsed instanceof LocalDateTime local ? local : LocalDate.from(parsed).atStartOfDay();
      return ofUtc(time);
    }

    private static DateAndTime ofUtc(LocalDateTime time) {
      return new DateAndTime(time.toInstant(ZoneOffset.UTC), false);
    }

    /**
     * Reads a date, or a time such as {@code 2024-05-01T09:30:00.125Z}, with or without fraction
     * and {@code Z}: what a formatter reads as well, for a twentieth of its time. Null for any
     * other spelling.
     */
    static @Nullable DateAndTime usual(String text) {
      if (text.length() < DAY || text.charAt(4) != '-' || text.charAt(7) != '-') {
        return null;
      }
      int year = number(text, 0, 4);
      int month = number(text, 5, 7);
      int day = number(text, 8, DAY);
      if ((year | month | day) < 0) {
        return null;
      }
      LocalDate date = LocalDate.of(year, month, day);
      return text.length() == DAY ? ofUtc(date.atStartOfDay()) : at(date, text);
    }

    private static @Nullable DateAndTime at(LocalDate date, String text) {
      if (text.length() < SECOND
          || text.charAt(DAY) != 'T'
          || text.charAt(13) != ':'
          || text.charAt(16) != ':') {
        return null;
      }
      int hour = number(text, 11, 13);
      int minute = number(text, 14, 16);
      int second = number(text, 17, SECOND);
      int nano = nano(text, text.length() - (text.endsWith("Z") ? 1 : 0));
      return (hour | minute | second | nano) < 0
          ? null
          : ofUtc(date.atTime(hour, minute, second, nano));
    }

    /** The digits behind the second; negative when that is no fraction. */
    private static int nano(String text, int end) {
      if (end <= SECOND) {
        return end - SECOND;
      }
      int digits = end - SECOND - 1;
      if (text.charAt(SECOND) != '.' || digits < 1 || digits > NANO_DIGITS) {
        return -1;
      }
      int nano = number(text, SECOND + 1, end);
      for (int i = digits; i < NANO_DIGITS; i++) {
        nano *= 10;
      }
      return nano;
    }

    /** The number of the digits there; negative when one is no digit. */
    private static int number(String text, int from, int to) {
      int number = 0;
      for (int i = from; i < to; i++) {
        int digit = text.charAt(i) - '0';
        if (digit < 0 || digit > 9) {
          return -1;
        }
        number = number * 10 + digit;
      }
      return number;
    }
  }
}
