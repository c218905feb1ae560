package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.Columns.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Converts values within a value; the only types that read their text a second time. */
sealed interface NestedType extends FieldType {

  /**
   * A value of the element type, where {@code null} is a type mismatch unless elements may be null.
   */
  private static @Nullable Object item(Column element, JsonText json, Conversion conversion) {
    if (json.kind() != Row.Kind.NULL) {
      return element.type().read(json, conversion);
    }
    return element.schema().isOptional() ? null : conversion.typeMismatch();
  }

  /**
   * Avro's record.
   *
   * @param schema name, documentation and fields; within a column also its optionality
   */
  record Fields(Columns columns, Schema schema) implements NestedType {
    @Override
    public SchemaBuilder builder() {
      return columns.struct(schema.name(), schema.doc());
    }

    @Override
    public FieldType within(Schema exact) {
      return new Fields(columns, exact);
    }

    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      if (json.kind() != Row.Kind.OBJECT) {
        return conversion.typeMismatch();
      }
      Struct struct = new CheckedStruct(schema);
      for (boolean represented : columns.fill(struct, json.fields(), conversion)) {
        if (!represented) {
          conversion.inexact();
        }
      }
      for (Column column : columns.list()) {
        if (struct.get(column.name()) == null && !column.schema().isOptional()) {
          return conversion.typeMismatch();
        }
      }
      return struct;
    }
  }

  record Elements(Column element) implements NestedType {
    @Override
    public SchemaBuilder builder() {
      return SchemaBuilder.array(element.schema());
    }

    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      if (json.kind() != Row.Kind.ARRAY) {
        return conversion.typeMismatch();
      }
      List<@Nullable Object> values = new ArrayList<>();
      for (JsonText item : json.items()) {
        Object value = NestedType.item(element, item, conversion);
        if (value == null && !element.schema().isOptional()) {
          return null;
        }
        values.add(value);
      }
      return values;
    }
  }

  /** Avro's map. A null is as good as absent where values may not be null. */
  record Entries(Column element) implements NestedType {
    @Override
    public SchemaBuilder builder() {
      return SchemaBuilder.map(Schema.STRING_SCHEMA, element.schema());
    }

    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      if (json.kind() != Row.Kind.OBJECT) {
        return conversion.typeMismatch();
      }
      Row row = json.fields();
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        if (row.kind(i) != Row.Kind.NULL || element.schema().isOptional()) {
          Object value = NestedType.item(element, JsonText.of(row, i), conversion);
          if (value == null && !element.schema().isOptional()) {
            return null;
          }
          values.put(row.name(i), value);
        }
      }
      if (values.size() < row.size()) {
        conversion.inexact();
      }
      return values;
    }
  }
}
