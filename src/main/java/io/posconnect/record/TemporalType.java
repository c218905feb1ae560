package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Optional;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.jspecify.annotations.Nullable;

/** Dates and times, read from strings. What is finer than the type is cut off. */
@SuppressWarnings("JavaUtilDate") // what Connect's logical types are made of
sealed interface TemporalType extends Type.Identifying {

  @Nullable Object read(String text, Fit fit);

  @Override
  default @Nullable Object read(JsonText json, Fit fit) {
    return json.kind() == Row.Kind.STRING ? read(json.value(), fit) : fit.typeMismatch();
  }

  /** Avro's {@code date}. */
  record Day() implements TemporalType {
    @Override
    public SchemaBuilder builder() {
      return org.apache.kafka.connect.data.Date.builder();
    }

    @Override
    public @Nullable Object read(String text, Fit fit) {
      Optional<Moment> moment = Moment.parse(text);
      if (moment.isEmpty()) {
        return fit.typeMismatch();
      }
      Instant day = moment.get().utc().toLocalDate().atStartOfDay().toInstant(ZoneOffset.UTC);
      if (moment.get().offset() || !moment.get().utc().toLocalTime().equals(LocalTime.MIDNIGHT)) {
        fit.inexact();
      }
      return Instants.date(day).<@Nullable Object>map(d -> d).orElseGet(fit::typeMismatch);
    }

    @Override
    public String canonical(Object value) {
      return '"'
          + ((Date) value).toInstant().atOffset(ZoneOffset.UTC).toLocalDate().toString()
          + '"';
    }
  }

  /** Avro's {@code time-millis}. */
  record TimeOfDay() implements TemporalType {
    @Override
    public SchemaBuilder builder() {
      return Time.builder();
    }

    @Override
    public @Nullable Object read(String text, Fit fit) {
      LocalTime time;
      try {
        time = LocalTime.parse(text);
      } catch (DateTimeException e) {
        return fit.typeMismatch();
      }
      LocalTime millis = time.truncatedTo(ChronoUnit.MILLIS);
      if (!millis.equals(time)) {
        fit.inexact();
      }
      return new Date(millis.toNanoOfDay() / 1_000_000);
    }

    @Override
    public String canonical(Object value) {
      return '"' + LocalTime.ofNanoOfDay(((Date) value).getTime() * 1_000_000).toString() + '"';
    }
  }

  /** Avro's {@code timestamp-millis} and {@code timestamp-micros}. */
  record PointInTime(boolean micros) implements TemporalType {
    @Override
    public SchemaBuilder builder() {
      return micros ? Semantics.microTimestamp() : Timestamp.builder();
    }

    @Override
    public @Nullable Object read(String text, Fit fit) {
      Optional<Moment> moment = Moment.parse(text);
      if (moment.isEmpty()) {
        return fit.typeMismatch();
      }
      Instant exact = moment.get().utc().toInstant(ZoneOffset.UTC);
      Instant cut = exact.truncatedTo(micros ? ChronoUnit.MICROS : ChronoUnit.MILLIS);
      if (moment.get().offset() || !cut.equals(exact)) {
        fit.inexact();
      }
      Optional<?> value = micros ? Instants.micros(cut) : Instants.date(cut);
      return value.<@Nullable Object>map(v -> v).orElseGet(fit::typeMismatch);
    }

    @Override
    public String canonical(Object value) {
      Instant instant =
          value instanceof Date date
              ? date.toInstant()
              : Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS);
      return '"' + instant.toString() + '"';
    }
  }

  /** Instants as far as their numbers reach. */
  final class Instants {
    private Instants() {}

    static Optional<Date> date(Instant instant) {
      try {
        return Optional.of(new Date(instant.toEpochMilli()));
      } catch (ArithmeticException e) {
        return Optional.empty();
      }
    }

    static Optional<Long> micros(Instant instant) {
      try {
        return Optional.of(ChronoUnit.MICROS.between(Instant.EPOCH, instant));
      } catch (ArithmeticException e) {
        return Optional.empty();
      }
    }
  }
}
