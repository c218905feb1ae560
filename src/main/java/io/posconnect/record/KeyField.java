package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.record.Columns.Column;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.NumericType.DecimalNumber;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.KeyPart;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * One part of a key.
 *
 * @param names under which its value may stand; the first is what the key's struct calls it
 * @param nullable whether it may be null, beside other parts that are not
 */
record KeyField(List<Column> names, FieldType.Identifying type, boolean nullable) {

  static KeyField of(KeyPart part, Columns columns, boolean only) {
    List<Column> names = part.names().stream().map(s -> column(s, columns)).toList();
    FieldType.Identifying type = identifying(names.get(0));
    if (!names.stream().allMatch(column -> column.type().equals(type))) {
      throw new IllegalArgumentException(
          "key fields %s have different types: declare the same for all of them"
              .formatted(String.join("|", part.names())));
    }
    if (only && part.nullable()) {
      throw new IllegalArgumentException(
          "key field %s may be null, and there is no other: take the question mark away, or name"
                  .formatted(names.get(0).name())
              + " another key field beside it");
    }
    return new KeyField(names, type, part.nullable());
  }

  private static Column column(String spelling, Columns columns) {
    return columns
        .find(spelling)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    ("the schema lacks the key field %s: declare it there, or name another key"
                            + " field")
                        .formatted(spelling)));
  }

  private static FieldType.Identifying identifying(Column column) {
    if (column.type() instanceof FieldType.Identifying type) {
      return type;
    }
    throw new IllegalArgumentException(
        ("key field %s has a type that cannot identify a row: declare int, long, string, boolean,"
                + " decimal, enum, uuid, or a date or time")
            .formatted(column.name()));
  }

  String name() {
    return names.get(0).name();
  }

  Schema schema() {
    SchemaBuilder builder = type.keyBuilder();
    return (nullable ? builder.optional() : builder).build();
  }

  /**
   * Its names, each with its aliases, since another name is another value; the type and, by a
   * question mark, whether the value may be null.
   */
  String text() {
    String text = names.stream().map(KeyField::spellings).collect(Collectors.joining("|"));
    return text + (nullable ? "?:" : ":") + type.keyType();
  }

  /** Case is no difference. */
  private static String spellings(Column column) {
    return Stream.concat(
            Stream.of(column.name()),
            column.aliases().stream().filter(alias -> !alias.equalsIgnoreCase(column.name())))
        .collect(Collectors.joining("/"));
  }

  /** Returns whether no field that may follow in a row that broke off can change the value. */
  boolean isDecided(Row row) {
    for (Column name : names) {
      if (name.findValue(row) >= 0) {
        return true;
      }
      if (name.names().anyMatch(each -> row.find(each) < 0)) {
        return false;
      }
    }
    return true;
  }

  /** The value under the first name that has one; null only where that is allowed. */
  @Nullable Object read(Row row) throws BrokenRowException {
    for (Column name : names) {
      int field = name.findValue(row);
      if (field < 0 || field != row.find(name.name())) {
        refuseTwins(name, row);
      }
      if (field >= 0) {
        return typed(JsonText.of(row, field));
      }
    }
    if (!nullable) {
      throw new BrokenRowException(Reason.KEY_MISSING, name());
    }
    return null;
  }

  /** A name that is there twice is not found, but neither is it absent. */
  private static void refuseTwins(Column column, Row row) throws BrokenRowException {
    for (int i = 0; i < row.size(); i++) {
      if (row.ambiguous(i) && column.spelled(row.name(i))) {
        throw new BrokenRowException(Reason.KEY_AMBIGUOUS, column.name());
      }
    }
  }

  /** Spells a decimal that is text in a row as in the key, since a delete knows that alone. */
  void respell(Struct row) {
    if (type instanceof DecimalNumber number && number.mode() == DecimalMode.STRING) {
      names.stream()
          .map(Column::name)
          .filter(name -> row.get(name) != null)
          .forEach(name -> row.put(name, number.canonical(row.get(name))));
    }
  }

  private Object typed(JsonText json) throws BrokenRowException {
    Conversion conversion = new Conversion();
    Object value = type.read(json, conversion);
    if (value == null || !conversion.exact()) {
      throw new BrokenRowException(Reason.KEY_UNFIT, name());
    }
    return value;
  }

  /**
   * The value that {@link FieldType.Identifying#canonical} spelled.
   *
   * @param inKey the type that keys have the field with
   */
  @Nullable Object parsed(JsonText canonical, Schema.Type inKey) {
    if (canonical.kind() == Row.Kind.NULL) {
      return null;
    }
    // A key outlives the declaration that spelled it, such as a symbol or a precision: its row may
    // be deleted yet.
    return switch (inKey) {
      case STRING -> canonical.value();
      case FLOAT64 -> Double.valueOf(canonical.value());
      default -> type.read(canonical, new Conversion());
    };
  }
}
