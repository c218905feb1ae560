package io.posconnect.tool;

import io.posconnect.record.DeclaredType;
import io.posconnect.record.FieldList;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * A type that a field may get, with the connector's own judgement of which values fit it.
 *
 * @param label for a person
 * @param avro as it stands in a schema, never null
 */
record TypeChoice(String label, Schema avro, DeclaredType fit) {

  /** A text that may be a number or a boolean too: the type of keys that are not declared. */
  static final String SCALAR = "string (scalar)";

  /** Types by the words that stand for them in the setting {@code fields} of a resource. */
  record Catalog(DecimalMode decimals, Map<String, TypeChoice> known) {

    /** Those that are tried on each value; json takes every value. */
    static final List<String> TESTED =
        List.of(
            "boolean",
            "long",
            "decimal(" + FieldList.SCALE + ")",
            "date",
            "timestamp",
            "timestamp-micros",
            "uuid",
            "string",
            SCALAR);

    private static final Schema EMPTY = Schema.createRecord("Row", null, null, false, List.of());

    TypeChoice named(String word) {
      return known.computeIfAbsent(
          word,
          name -> {
            Schema record =
                name.equals(SCALAR)
                    ? FieldList.keysOnly("Row", List.of("value"))
                    : FieldList.added(EMPTY, List.of("value:" + name));
            return of(record.getField("value").schema());
          });
    }

    /** The type of a field that the connector can honour. */
    TypeChoice of(Schema declared) {
      Schema avro = DeclaredType.withoutNull(declared);
      return new TypeChoice(label(avro), avro, DeclaredType.of(avro, decimals));
    }

    private static String label(Schema avro) {
      if (avro.getLogicalType() instanceof LogicalTypes.Decimal number) {
        return "decimal(%s,%s)".formatted(number.getPrecision(), number.getScale());
      }
      if (avro.getLogicalType() != null) {
        return avro.getLogicalType().getName();
      }
      if ("io.debezium.data.Json".equals(avro.getObjectProp("connect.name"))) {
        return "json";
      }
      return avro.getObjectProp("accepts") == null ? avro.getType().getName() : SCALAR;
    }
  }
}
