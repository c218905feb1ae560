package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** Avro's {@code boolean}. */
record BooleanType() implements Type.Identifying {

  @Override
  public SchemaBuilder builder() {
    return SchemaBuilder.bool();
  }

  @Override
  public @Nullable Object read(JsonText json, Fit fit) {
    return json.kind() == Row.Kind.BOOLEAN ? Boolean.valueOf(json.value()) : fit.typeMismatch();
  }

  @Override
  public String canonical(Object value) {
    return value.toString();
  }
}
