package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.RowSchema.DecimalMode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Converts JSON numbers, exactly where the type can, at a cost that their text cannot drive up:
 * {@code 1e999999999} is eleven characters that must not become a gigabyte.
 */
sealed interface NumericType extends FieldType {

  /** No declared type holds more; longer texts take quadratic time to read. */
  int MAX_TEXT = 400;

  /** The digits of so many characters always fit a long. */
  int SAFE_LENGTH = 18;

  /** Digits that a canonical text may have before or behind its point. */
  int MAX_DIGITS = 400;

  @Nullable Object read(String text, Conversion conversion);

  @Override
  default @Nullable Object read(JsonText json, Conversion conversion) {
    return json.kind() == Row.Kind.NUMBER
        ? read(json.value(), conversion)
        : conversion.typeMismatch();
  }

  /** The number, unless its text or exponent is absurd. */
  static Optional<BigDecimal> parse(String text) {
    if (text.length() > MAX_TEXT) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      return Optional.empty(); // an exponent beyond 32 bits
    }
  }

  /**
   * A number of few digits without exponent, as most are, read without a text of its own; null for
   * any other.
   */
  static @Nullable BigDecimal small(JsonText json) {
    if (json.kind() != Row.Kind.NUMBER || json.end() - json.start() > SAFE_LENGTH) {
      return null;
    }
    long digits = 0;
    int point = json.end() - 1;
    for (int i = json.start(); i < json.end(); i++) {
      byte c = json.bytes()[i];
      if (c == '.') {
        point = i;
      } else if (c >= '0' && c <= '9') {
        digits = digits * 10 + (c - '0');
      } else if (c != '-' || i > json.start()) {
        return null;
      }
    }
    return BigDecimal.valueOf(
        json.bytes()[json.start()] == '-' ? -digits : digits, json.end() - 1 - point);
  }

  /** Digits before the point; negative for as many zeros behind it. */
  private static long integerDigits(BigDecimal number) {
    return number.signum() == 0 ? 0 : (long) number.precision() - number.scale();
  }

  /** Returns whether the plain notation has a sane length. */
  static boolean plain(BigDecimal number) {
    return integerDigits(number) <= MAX_DIGITS && Math.abs((long) number.scale()) <= MAX_DIGITS;
  }

  /**
   * The one spelling of a {@link #plain} number: no exponent, no trailing zeros behind the point,
   * no negative zero. Part of persisted keys.
   */
  static String canonical(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  /** Avro's {@code int} and {@code long}: any spelling of a whole number within the range. */
  record WholeNumber(boolean wide) implements NumericType, Identifying {

    @Override
    public SchemaBuilder builder() {
      return wide ? SchemaBuilder.int64() : SchemaBuilder.int32();
    }

    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      BigDecimal small = small(json);
      return small == null || small.scale() > 0
          ? NumericType.super.read(json, conversion)
          : fitting(small.longValue(), conversion);
    }

    @Override
    public @Nullable Object read(String text, Conversion conversion) {
      try {
        // Looks at the exponent before it expands it.
        Optional<Long> number = parse(text).map(BigDecimal::longValueExact);
        return number.isPresent() ? fitting(number.get(), conversion) : conversion.typeMismatch();
      } catch (ArithmeticException e) {
        return conversion.typeMismatch();
      }
    }

    private @Nullable Object fitting(long value, Conversion conversion) {
      return wide || value == (int) value ? of(value) : conversion.typeMismatch();
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
    public @Nullable Object read(JsonText json, Conversion conversion) {
      BigDecimal small = wide ? small(json) : null;
      return small != null && small.signum() != 0 && small.precision() <= SAFE_DIGITS
          ? (Object) small.doubleValue()
          : NumericType.super.read(json, conversion);
    }

    @Override
    public @Nullable Object read(String text, Conversion conversion) {
      Optional<BigDecimal> number = parse(text);
      if (number.isEmpty()) {
        return conversion.typeMismatch();
      }
      Number nearest = wide ? (Number) Double.valueOf(text) : Float.valueOf(text);
      if (Double.isInfinite(nearest.doubleValue())) {
        return conversion.typeMismatch();
      }
      if (new BigDecimal(nearest.toString()).compareTo(number.get()) != 0) {
        conversion.inexact();
      }
      return nearest;
    }
  }

  /**
   * Avro's {@code decimal}: more digits behind the point than declared are rounded half-even, more
   * before it do not fit. As a string it is never rounded.
   */
  record DecimalNumber(int precision, int scale, DecimalMode mode)
      implements NumericType, Identifying {

    /** The parameter from which converters take the precision, which Connect's Decimal lacks. */
    private static final String PRECISION = "connect.decimal.precision";

    @Override
    public SchemaBuilder builder() {
      return switch (mode) {
        case PRECISE -> Decimal.builder(scale).parameter(PRECISION, Integer.toString(precision));
        case STRING -> SchemaBuilder.string();
        case DOUBLE -> SchemaBuilder.float64();
      };
    }

    @Override
    public String keyType() {
      String type = Identifying.super.keyType();
      return mode == DecimalMode.PRECISE ? type + "(" + precision + "." + scale + ")" : type;
    }

    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      BigDecimal small = mode == DecimalMode.PRECISE ? small(json) : null;
      return small == null ? NumericType.super.read(json, conversion) : precise(small, conversion);
    }

    @Override
    public @Nullable Object read(String text, Conversion conversion) {
      Optional<BigDecimal> number = parse(text);
      if (number.isEmpty() || !fits(number.get())) {
        return conversion.typeMismatch();
      }
      return switch (mode) {
        case PRECISE -> rounded(number.get(), conversion);
        case STRING -> string(number.get(), conversion);
        case DOUBLE -> new FloatingPoint(true).read(text, conversion);
      };
    }

    private @Nullable Object precise(BigDecimal number, Conversion conversion) {
      return fits(number) ? rounded(number, conversion) : conversion.typeMismatch();
    }

    private boolean fits(BigDecimal number) {
      return integerDigits(number) <= precision - scale;
    }

    private @Nullable Object string(BigDecimal number, Conversion conversion) {
      BigDecimal written = plain(number) ? number : rounded(number, conversion);
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
      return NumericType.canonical(
          value instanceof BigDecimal number ? number : new BigDecimal(value.toString()));
    }
  }
}
