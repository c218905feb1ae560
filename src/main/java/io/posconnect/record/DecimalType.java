package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Avro's {@code decimal}: more digits behind the point than declared are rounded half-even, more
 * before it do not fit. As a string it is never rounded.
 */
record DecimalType(int precision, int scale, DecimalMode mode) implements Type.Identifying {

  /** What converters read to write the precision that Connect's own Decimal does not know. */
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
  public @Nullable Object read(JsonText json, Fit fit) {
    Optional<BigDecimal> number =
        json.kind() == Row.Kind.NUMBER ? Numbers.parse(json.value()) : Optional.empty();
    if (number.isEmpty() || Numbers.integerDigits(number.get()) > precision - scale) {
      return fit.typeMismatch();
    }
    return switch (mode) {
      case PRECISE -> rounded(number.get(), fit);
      case STRING -> plain(number.get(), fit);
      case DOUBLE -> new FloatingType(true).read(json, fit);
    };
  }

  private @Nullable Object plain(BigDecimal number, Fit fit) {
    if (Numbers.plain(number)) {
      return number.toPlainString();
    }
    BigDecimal rounded = (BigDecimal) rounded(number, fit);
    return rounded == null ? null : rounded.toPlainString();
  }

  private @Nullable Object rounded(BigDecimal number, Fit fit) {
    if (number.signum() == 0) {
      return BigDecimal.ZERO.setScale(scale);
    }
    if (Numbers.integerDigits(number) < -scale) {
      fit.inexact(); // less than half of the last digit, and perhaps a billion zeros
      return BigDecimal.ZERO.setScale(scale);
    }
    BigDecimal rounded = number.setScale(scale, RoundingMode.HALF_EVEN);
    if (rounded.precision() > precision) {
      return fit.typeMismatch();
    }
    if (rounded.compareTo(number) != 0) {
      fit.inexact();
    }
    return rounded;
  }

  @Override
  public String canonical(Object value) {
    return Numbers.canonical(
        value instanceof BigDecimal number ? number : new BigDecimal(value.toString()));
  }
}
