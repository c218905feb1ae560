package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.record.Columns.Column;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.resource.KeyPart;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One part of a key.
 *
 * @param alternatives where its value may stand; the key's struct names it by the first of them
 * @param nullable whether it may be null, beside other parts that are not
 */
record KeyField(List<Column> alternatives, FieldType.Identifying type, boolean nullable) {

  /** The choice before the first row decides between several names. */
  static final int UNDECIDED = -1;

  static KeyField of(KeyPart part, Columns columns, boolean only) {
    List<Column> alternatives = part.names().stream().map(s -> column(s, columns)).toList();
    FieldType.Identifying type = identifying(alternatives.get(0));
    if (!alternatives.stream().allMatch(column -> column.type().equals(type))) {
      throw new IllegalArgumentException(
          "key fields %s have different types: declare the same for all of them"
              .formatted(String.join("|", part.names())));
    }
    if (only && part.nullable()) {
      throw new IllegalArgumentException(
          "key field %s may be null, and there is no other: take the question mark away, or name"
                  .formatted(alternatives.get(0).name())
              + " another key field beside it");
    }
    return new KeyField(alternatives, type, part.nullable());
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
    return alternatives.get(0).name();
  }

  Schema schema() {
    SchemaBuilder builder = type.keyBuilder();
    return (nullable ? builder.optional() : builder).build();
  }

  /**
   * Its alternatives, each with its aliases, since another name is another value; the type and, by
   * a question mark, whether the value may be null.
   */
  String text() {
    String names = alternatives.stream().map(KeyField::names).collect(Collectors.joining("|"));
    return names + (nullable ? "?:" : ":") + type.keyType();
  }

  /** Case is no difference. */
  private static String names(Column column) {
    return Stream.concat(
            Stream.of(column.name()),
            column.aliases().stream().filter(alias -> !alias.equalsIgnoreCase(column.name())))
        .collect(Collectors.joining("/"));
  }

  boolean isDecided() {
    return alternatives.size() == 1;
  }

  /** Returns whether the row has a field of the chosen name, null included. */
  boolean isIn(Row row, int choice) {
    return alternatives.get(choice).find(row) >= 0;
  }

  /** The first of its alternatives that is not null; undecided when all are. */
  int firstPresent(Row row) throws BrokenRowException {
    for (int choice = 0; choice < alternatives.size(); choice++) {
      if (isPresent(alternatives.get(choice), row)) {
        return choice;
      }
    }
    return UNDECIDED;
  }

  private static boolean isPresent(Column column, Row row) throws BrokenRowException {
    int field = column.find(row);
    if (field < 0) {
      refuseTwins(column, row);
      return false;
    }
    return row.kind(field) != Row.Kind.NULL;
  }

  /** The row's value under the chosen name; null only where that is allowed. */
  @Nullable Object read(Row row, int choice) throws BrokenRowException {
    Column column = alternatives.get(Math.max(0, choice));
    if (choice != UNDECIDED && isPresent(column, row)) {
      return typed(JsonText.of(row, column.find(row)));
    }
    if (!nullable) {
      throw new BrokenRowException(Reason.KEY_MISSING, column.name());
    }
    return null;
  }

  /** A name that is there twice is not found, but neither is it absent. */
  private static void refuseTwins(Column column, Row row) throws BrokenRowException {
    for (int i = 0; i < row.size(); i++) {
      if (column.spelled(row.name(i)) && row.ambiguous(i)) {
        throw new BrokenRowException(Reason.KEY_AMBIGUOUS, column.name());
      }
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

  /** The value that {@link FieldType.Identifying#canonical} spelled. */
  @Nullable Object parsed(JsonText canonical) {
    return canonical.kind() == Row.Kind.NULL ? null : type.read(canonical, new Conversion());
  }
}
