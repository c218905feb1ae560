package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Values within a value; the only types that read their text a second time. */
sealed interface NestedType extends Type {

  /**
   * A value of the element type, where {@code null} is a type mismatch unless elements may be null.
   */
  private static @Nullable Object item(Type type, Schema schema, JsonText json, Fit fit) {
    if (json.kind() != Row.Kind.NULL) {
      return type.read(json, fit);
    }
    return schema.isOptional() ? null : fit.typeMismatch();
  }

  /**
   * Avro's record.
   *
   * @param schema name, documentation and fields; within a column also its optionality
   */
  record Fields(Columns columns, Schema schema) implements NestedType {
    @Override
    public SchemaBuilder builder() {
      SchemaBuilder builder = SchemaBuilder.struct().name(schema.name()).doc(schema.doc());
      for (Column column : columns.list()) {
        builder.field(column.name(), column.schema());
      }
      return builder;
    }

    @Override
    public Type within(Schema exact) {
      return new Fields(columns, exact);
    }

    @Override
    public @Nullable Object read(JsonText json, Fit fit) {
      if (json.kind() != Row.Kind.OBJECT) {
        return fit.typeMismatch();
      }
      Row row = json.fields();
      Struct struct = new Struct(schema);
      TypeMismatches typeMismatches = new TypeMismatches();
      for (boolean said : columns.fill(struct, row, typeMismatches)) {
        if (!said) {
          fit.inexact();
        }
      }
      fit.add(Math.toIntExact(typeMismatches.total()));
      for (Column column : columns.list()) {
        if (struct.get(column.name()) == null && !column.schema().isOptional()) {
          return fit.typeMismatch();
        }
      }
      return struct;
    }
  }

  /** Avro's array. */
  record Elements(Type type, Schema element) implements NestedType {
    @Override
    public SchemaBuilder builder() {
      return SchemaBuilder.array(element);
    }

    @Override
    public @Nullable Object read(JsonText json, Fit fit) {
      if (json.kind() != Row.Kind.ARRAY) {
        return fit.typeMismatch();
      }
      List<@Nullable Object> values = new ArrayList<>();
      for (JsonText item : json.items()) {
        Object value = NestedType.item(type, element, item, fit);
        if (value == null && !element.isOptional()) {
          return null;
        }
        values.add(value);
      }
      return values;
    }
  }

  /** Avro's map. */
  record Entries(Type type, Schema element) implements NestedType {
    @Override
    public SchemaBuilder builder() {
      return SchemaBuilder.map(Schema.STRING_SCHEMA, element);
    }

    @Override
    public @Nullable Object read(JsonText json, Fit fit) {
      if (json.kind() != Row.Kind.OBJECT) {
        return fit.typeMismatch();
      }
      Row row = json.fields();
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        Object value = NestedType.item(type, element, JsonText.of(row, i), fit);
        if (value == null && !element.isOptional()) {
          return null;
        }
        values.put(row.name(i), value);
        if (!Text.wellFormed(row.name(i))) {
          fit.inexact();
        }
      }
      if (values.size() < row.size()) {
        fit.inexact();
      }
      return values;
    }
  }
}
