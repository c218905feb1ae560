package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.math.BigDecimal;
import java.util.Optional;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** Avro's {@code float} and {@code double}: the nearest one; beyond the range does not fit. */
record FloatingType(boolean wide) implements Type {

  @Override
  public SchemaBuilder builder() {
    return wide ? SchemaBuilder.float64() : SchemaBuilder.float32();
  }

  @Override
  public @Nullable Object read(JsonText json, Fit fit) {
    if (json.kind() != Row.Kind.NUMBER) {
      return fit.typeMismatch();
    }
    Optional<BigDecimal> number = Numbers.parse(json.value());
    if (number.isEmpty()) {
      return fit.typeMismatch();
    }
    Number nearest = wide ? (Number) Double.valueOf(json.value()) : Float.valueOf(json.value());
    if (Double.isInfinite(nearest.doubleValue())) {
      return fit.typeMismatch();
    }
    if (new BigDecimal(nearest.toString()).compareTo(number.get()) != 0) {
      fit.inexact();
    }
    return nearest;
  }
}
