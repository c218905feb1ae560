package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException.Reason;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One part of a key.
 *
 * @param alternatives where its value stands: the first that is not null; the key's struct names it
 *     by the first of them
 * @param nullable whether it may be null, beside other parts that are not
 */
record KeyField(List<Column> alternatives, Type.Identifying type, boolean nullable) {
  KeyField {
    alternatives = List.copyOf(alternatives);
  }

  String name() {
    return alternatives.get(0).name();
  }

  Schema schema() {
    SchemaBuilder builder = type.builder().doc(alternatives.get(0).schema().doc());
    return (nullable ? builder.optional() : builder).build();
  }

  /** The row's value; null only where that is allowed. */
  @Nullable Object read(Row row) throws BrokenRowException {
    for (Column column : alternatives) {
      int field = column.find(row);
      if (field < 0) {
        refuseTwins(column, row);
      } else if (row.kind(field) != Row.Kind.NULL) {
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
      if (column.spelled(row.name(i)) && row.ambiguous(i)) {
        throw new BrokenRowException(Reason.KEY_AMBIGUOUS, column.name());
      }
    }
  }

  private Object typed(JsonText json) throws BrokenRowException {
    Fit fit = new Fit();
    Object value = type.read(json, fit);
    if (value == null || !fit.exact()) {
      throw new BrokenRowException(Reason.KEY_UNFIT, name());
    }
    return value;
  }

  /** The value that {@link Type.Identifying#canonical} spelled. */
  @Nullable Object parsed(JsonText canonical) {
    return canonical.kind() == Row.Kind.NULL ? null : type.read(canonical, new Fit());
  }
}
