package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.math.BigDecimal;
import java.util.Optional;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** Avro's {@code int} and {@code long}: any spelling of a whole number within the range. */
record WholeType(boolean wide) implements Type.Identifying {

  /** So many characters always fit a long. */
  private static final int SAFE_LENGTH = 18;

  @Override
  public SchemaBuilder builder() {
    return wide ? SchemaBuilder.int64() : SchemaBuilder.int32();
  }

  @Override
  public @Nullable Object read(JsonText json, Fit fit) {
    if (json.kind() != Row.Kind.NUMBER) {
      return fit.typeMismatch();
    }
    Optional<Long> number = whole(json.value());
    if (number.isEmpty()) {
      return fit.typeMismatch();
    }
    long value = number.get();
    if (wide) {
      return value;
    }
    return value == (int) value ? (Object) (int) value : fit.typeMismatch();
  }

  private static Optional<Long> whole(String text) {
    if (text.length() <= SAFE_LENGTH && digits(text)) {
      return Optional.of(Long.parseLong(text));
    }
    return Numbers.parse(text).flatMap(WholeType::exact);
  }

  private static boolean digits(String text) {
    for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static Optional<Long> exact(BigDecimal number) {
    try {
      return Optional.of(number.longValueExact()); // looks at the exponent before it expands it
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  @Override
  public String canonical(Object value) {
    return value.toString();
  }
}
