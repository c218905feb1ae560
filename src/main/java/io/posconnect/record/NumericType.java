package io.posconnect.record;

import io.posconnect.json.JsonNumber;
import io.posconnect.json.JsonText;
import io.posconnect.record.RowSchema.DecimalMode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** Converts JSON numbers, exactly where the type can. */
sealed interface NumericType extends FieldType {

  @Nullable Object read(BigDecimal number, Conversion conversion);

  @Override
  default @Nullable Object read(JsonText json, Conversion conversion) {
    Optional<BigDecimal> number = JsonNumber.of(json);
    return number.isPresent() ? read(number.get(), conversion) : conversion.typeMismatch();
  }

  /** Avro's {@code int} and {@code long}: any spelling of a whole number within the range. */
  record WholeNumber(boolean wide) implements NumericType, Identifying {

    @Override
    public SchemaBuilder builder() {
      return wide ? SchemaBuilder.int64() : SchemaBuilder.int32();
    }

    @Override
    public @Nullable Object read(BigDecimal number, Conversion conversion) {
      try {
        // Looks at the exponent before it expands it.
        return of(wide ? number.longValueExact() : number.intValueExact());
      } catch (ArithmeticException e) {
        return conversion.typeMismatch();
      }
    }

    Object of(long value) {
      return wide ? (Object) value : (Object) (int) value;
    }

    @Override
    public String canonical(Object value) {
      return value.toString();
    }
  }

  /** Avro's {@code float} and {@code double}: the nearest one; beyond the range does not fit. */
  record FloatingPoint(boolean wide) implements NumericType {

    /** A double stands for each decimal of so many digits exactly. */
    private static final int SAFE_DIGITS = 15;

    @Override
    public SchemaBuilder builder() {
      return wide ? SchemaBuilder.float64() : SchemaBuilder.float32();
    }

    @Override
    public @Nullable Object read(BigDecimal number, Conversion conversion) {
      Number nearest = wide ? (Number) number.doubleValue() : (Number) number.floatValue();
      if (Double.isInfinite(nearest.doubleValue())) {
        return conversion.typeMismatch();
      }
      if (!isSafe(number) && new BigDecimal(nearest.toString()).compareTo(number) != 0) {
        conversion.inexact();
      }
      return nearest;
    }

    private boolean isSafe(BigDecimal number) {
      return wide
          && number.precision() <= SAFE_DIGITS
          && Math.abs((long) number.scale()) <= SAFE_DIGITS;
    }
  }

  /**
   * Avro's {@code decimal}: more digits behind the point than declared are rounded half-even, more
   * before it do not fit. As a string it is never rounded.
   */
  record DecimalNumber(int precision, int scale, DecimalMode mode)
      implements NumericType, Identifying {

    /** The parameter from which converters take the precision, which Connect's Decimal lacks. */
    static final String PRECISION = "connect.decimal.precision";

    @Override
    public SchemaBuilder builder() {
      return switch (mode) {
        case PRECISE -> Decimal.builder(scale).parameter(PRECISION, Integer.toString(precision));
        case STRING -> SchemaBuilder.string();
        case DOUBLE -> SchemaBuilder.float64();
      };
    }

    /** A decimal that is a string in Kafka is spelled as a number, and no other string is. */
    @Override
    public String keyType() {
      String type = Identifying.super.keyType();
      return switch (mode) {
        case PRECISE -> type + "(" + precision + "." + scale + ")";
        case STRING -> type + "(decimal)";
        case DOUBLE -> type;
      };
    }

    @Override
    public @Nullable Object read(BigDecimal number, Conversion conversion) {
      if (integerDigits(number) > precision - scale) {
        return conversion.typeMismatch();
      }
      return switch (mode) {
        case PRECISE -> rounded(number, conversion);
        case STRING -> string(number, conversion);
        case DOUBLE -> new FloatingPoint(true).read(number, conversion);
      };
    }

    /** Digits before the point; negative for as many zeros behind it. */
    private static long integerDigits(BigDecimal number) {
      return number.signum() == 0 ? 0 : (long) number.precision() - number.scale();
    }

    private @Nullable Object string(BigDecimal number, Conversion conversion) {
      BigDecimal written = JsonNumber.isPlain(number) ? number : rounded(number, conversion);
      return written == null ? null : written.toPlainString();
    }

    private @Nullable BigDecimal rounded(BigDecimal number, Conversion conversion) {
      if (number.signum() == 0) {
        return BigDecimal.ZERO.setScale(scale);
      }
      if (integerDigits(number) < -scale) {
        conversion.inexact(); // less than half of the last digit, and perhaps a billion zeros
        return BigDecimal.ZERO.setScale(scale);
      }
      BigDecimal rounded = number.setScale(scale, RoundingMode.HALF_EVEN);
      if (rounded.precision() > precision) {
        conversion.typeMismatch();
        return null;
      }
      if (rounded.compareTo(number) != 0) {
        conversion.inexact();
      }
      return rounded;
    }

    @Override
    public String canonical(Object value) {
      return JsonNumber.canonical(
          value instanceof BigDecimal number ? number : new BigDecimal(value.toString()));
    }
  }
}
