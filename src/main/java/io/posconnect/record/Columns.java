package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Names;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.resource.FieldName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Fills the declared fields of one object from what the service sent. */
final class Columns {

  private final List<Column> list;

  // By every name of a column, since a row may have thousands.
  private final Map<String, Column> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  // For each column the field of a row that it is, or -1.
  private final Names.Derived<int[]> layouts = new Names.Derived<>(this::layout);

  Columns(List<Column> list) {
    this.list = List.copyOf(list);
    for (Column column : this.list) {
      named.putIfAbsent(column.name(), column);
      column.aliases().forEach(alias -> named.putIfAbsent(alias, column));
    }
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

    Stream<String> names() {
      return Stream.concat(Stream.of(name), aliases.stream());
    }

    boolean spelled(String spelling) {
      return names().anyMatch(each -> FieldName.isSame(each, spelling));
    }

    /** The row's field that this is, or -1. */
    int find(Names names) {
      int found = names.find(name);
      for (int i = 0; found < 0 && i < aliases.size(); i++) {
        found = names.find(aliases.get(i));
      }
      return found;
    }

    /** The row's field under the first of its names that has a value, or -1. */
    int findValue(Row row) {
      int first = find(row.names());
      return first < 0 || row.kind(first) != Row.Kind.NULL
          ? first
          : names()
              .mapToInt(row.names()::find)
              .filter(field -> field >= 0 && row.kind(field) != Row.Kind.NULL)
              .findFirst()
              .orElse(-1);
    }
  }

  private int[] layout(Names names) {
    return list.stream().mapToInt(column -> column.find(names)).toArray();
  }

  List<Column> list() {
    return list;
  }

  Optional<Column> find(String spelling) {
    return Optional.ofNullable(named.get(FieldName.composed(spelling)));
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
  boolean[] fill(Struct struct, Row row, Conversion all) {
    boolean[] represented = new boolean[row.size()];
    int[] layout = layouts.of(row.names());
    List<Field> targets = targets(struct.schema());
    Conversion one = new Conversion();
    for (int i = 0; i < layout.length; i++) {
      int field = layout[i];
      if (field >= 0 && row.kind(field) == Row.Kind.NULL) {
        represented[field] = true;
        field = list.get(i).findValue(row); // A null counts as absent, also for the content's hash.
      }
      if (field >= 0) {
        represented[field] =
            put(struct, targets.get(i), list.get(i).type(), JsonText.of(row, field), one);
      }
    }
    all.add(one);
    return represented;
  }

  /** The columns in a schema that {@link #addTo} completed: one behind the other. */
  private List<Field> targets(Schema schema) {
    if (list.isEmpty()) {
      return List.of();
    }
    int first = schema.field(list.get(0).name()).index();
    return schema.fields().subList(first, first + list.size());
  }

  private static boolean put(
      Struct struct, Field target, FieldType type, JsonText json, Conversion conversion) {
    conversion.begin();
    @Nullable Object value = type.read(json, conversion);
    if (value != null) {
      struct.put(target, value);
    }
    return conversion.exact();
  }
}
