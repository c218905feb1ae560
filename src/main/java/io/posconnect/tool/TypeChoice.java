package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.record.DeclaredType;
import io.posconnect.record.FieldList;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * A type that a field may get, with the connector's own judgement of which values fit it.
 *
 * @param label for a person
 * @param avro as it stands in a schema, never null
 */
record TypeChoice(String label, Schema avro, DeclaredType fit) {

  /** Digits in all, and behind the point, of a decimal whose field needs no others. */
  static final int PRECISION = 38;

  static final int SCALE = 9;

  /** Returns whether the type holds the value exactly, so that nothing is left in extra. */
  boolean fits(JsonText value) {
    return fit.represents(value);
  }

  /** The types that are ever proposed. */
  static final class Catalog {

    private static final Schema EMPTY = Schema.createRecord("Row", null, null, false, List.of());

    private final DecimalMode decimals;
    final boolean proposesMicros;
    final TypeChoice bool;
    final TypeChoice whole;
    final TypeChoice decimal;
    final TypeChoice day;
    final TypeChoice millis;
    final TypeChoice micros;
    final TypeChoice uuid;
    final TypeChoice text;
    final TypeChoice scalar;
    final TypeChoice json;

    /**
     * @param proposesMicros whether a time finer than a millisecond may be a number of microseconds
     */
    Catalog(DecimalMode decimals, boolean proposesMicros) {
      this.decimals = decimals;
      this.proposesMicros = proposesMicros;
      bool = named("boolean");
      whole = named("long");
      decimal = decimal(SCALE);
      day = named("date");
      millis = named("timestamp");
      micros = named("timestamp-micros");
      uuid = named("uuid");
      text = named("string");
      scalar = only(FieldList.keysOnly("Row", List.of("value")));
      json = named("json");
    }

    /** The type that this word stands for in the setting {@code fields} of a resource. */
    private TypeChoice named(String word) {
      return only(FieldList.added(EMPTY, List.of("value:" + word)));
    }

    private TypeChoice only(Schema record) {
      return of(record.getField("value").schema());
    }

    TypeChoice decimal(int scale) {
      return named("decimal(" + scale + ")");
    }

    /** The types that are tried on each value; {@link #json} takes every value. */
    List<TypeChoice> tested() {
      return List.of(bool, whole, decimal, day, millis, micros, uuid, text, scalar);
    }

    /** The type of a field that the connector can honour. */
    TypeChoice of(Schema declared) {
      Schema avro = DeclaredType.withoutNull(declared);
      return new TypeChoice(label(avro), avro, DeclaredType.of(avro, decimals));
    }

    private static String label(Schema avro) {
      if (avro.getLogicalType() instanceof LogicalTypes.Decimal number) {
        return "decimal(%d,%d)".formatted(number.getPrecision(), number.getScale());
      }
      if (avro.getLogicalType() != null) {
        return avro.getLogicalType().getName();
      }
      if ("io.debezium.data.Json".equals(avro.getObjectProp("connect.name"))) {
        return "json";
      }
      return avro.getObjectProp("accepts") == null ? avro.getType().getName() : "string (scalar)";
    }
  }
}
