package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.util.List;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** The declared fields of one object, and how they are filled from what the service sent. */
record Columns(List<Column> list) {
  Columns {
    list = List.copyOf(list);
  }

  /**
   * Puts what fits into the struct and counts what does not. Of a name that comes twice, case
   * aside, nothing is put: nobody knows which of the two is meant.
   *
   * @return for each field of the row whether the struct says all that it said
   */
  boolean[] fill(Struct struct, Row row, TypeMismatches typeMismatches) {
    boolean[] said = new boolean[row.size()];
    for (Column column : list) {
      int field = column.find(row);
      if (field >= 0) {
        said[field] =
            row.kind(field) == Row.Kind.NULL
                || put(struct, column, JsonText.of(row, field), typeMismatches);
      }
    }
    return said;
  }

  private static boolean put(
      Struct struct, Column column, JsonText json, TypeMismatches typeMismatches) {
    Fit fit = new Fit();
    @Nullable Object value = column.type().read(json, fit);
    if (value != null) {
      struct.put(column.name(), value);
    }
    if (fit.typeMismatches() > 0) {
      typeMismatches.count(column.name(), fit.typeMismatches());
    }
    return fit.exact();
  }
}
