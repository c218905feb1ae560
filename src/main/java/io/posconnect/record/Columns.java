package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.resource.FieldName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Fills the declared fields of one object from what the service sent. */
record Columns(List<Column> list) {
  Columns {
    list = List.copyOf(list);
  }

  /**
   * One declared field.
   *
   * @param name Avro-safe, as consumers see it
   * @param aliases other names that the service may use for it
   * @param schema of the field within its struct
   */
  record Column(String name, List<String> aliases, FieldType type, Schema schema) {
    Column {
      aliases = aliases.stream().map(FieldName::composed).toList();
    }

    Stream<String> spellings() {
      return Stream.concat(Stream.of(name), aliases.stream());
    }

    boolean spelled(String spelling) {
      return spellings().anyMatch(name -> FieldName.isSame(name, spelling));
    }

    /** The row's field that this is, or -1. */
    int find(Row row) {
      int found = row.find(name);
      for (int i = 0; found < 0 && i < aliases.size(); i++) {
        found = row.find(aliases.get(i));
      }
      return found;
    }
  }

  Optional<Column> find(String spelling) {
    return list.stream().filter(column -> column.spelled(spelling)).findFirst();
  }

  SchemaBuilder struct(String name, @Nullable String doc) {
    return addTo(SchemaBuilder.struct().name(name).doc(doc));
  }

  /** The builder, with these fields behind those that it has. */
  SchemaBuilder addTo(SchemaBuilder builder) {
    list.forEach(column -> builder.field(column.name(), column.schema()));
    return builder;
  }

  /**
   * Puts values that fit into the struct and counts those that do not. Of two fields whose names
   * differ at most in case, neither is put.
   *
   * @return for each field of the row whether the struct represents it exactly
   */
  boolean[] fill(Struct struct, Row row, Conversion conversion) {
    boolean[] represented = new boolean[row.size()];
    for (Column column : list) {
      int field = column.find(row);
      if (field >= 0) {
        represented[field] =
            row.kind(field) == Row.Kind.NULL
                || put(struct, column, JsonText.of(row, field), conversion);
      }
    }
    return represented;
  }

  private static boolean put(Struct struct, Column column, JsonText json, Conversion all) {
    Conversion conversion = new Conversion();
    @Nullable Object value = column.type().read(json, conversion);
    if (value != null) {
      struct.put(column.name(), value);
    }
    all.add(conversion);
    return conversion.exact();
  }
}
