package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.record.DeclaredType;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.List;
import java.util.Optional;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * A type that a field may be given, and the connector's own judgement of what fits it.
 *
 * @param label for a person
 * @param avro as it stands in a schema
 */
record TypeChoice(String label, Schema avro, DeclaredType fit) {

  /** Digits in all, and behind the point, of a decimal whose field says nothing else. */
  static final int PRECISION = 38;

  static final int SCALE = 9;

  private static final String SEMANTIC_TYPE = "connect.name";

  static TypeChoice of(String label, Schema avro, DecimalMode decimals) {
    return new TypeChoice(label, avro, DeclaredType.of(avro, decimals));
  }

  boolean fits(JsonText value) {
    return fit.represents(value);
  }

  /** Every type that is ever proposed; those of {@link #tested} the best first. */
  static final class Catalog {

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
    private final DecimalMode decimals;

    Catalog(DecimalMode decimals) {
      this.decimals = decimals;
      bool = of("boolean", Schema.create(Schema.Type.BOOLEAN), decimals);
      whole = of("long", Schema.create(Schema.Type.LONG), decimals);
      decimal = decimal(SCALE);
      day = of("date", LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT)), decimals);
      millis =
          of(
              "timestamp-millis",
              LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG)),
              decimals);
      micros =
          of(
              "timestamp-micros",
              LogicalTypes.timestampMicros().addToSchema(Schema.create(Schema.Type.LONG)),
              decimals);
      uuid = of("uuid", string("logicalType", "uuid"), decimals);
      text = of("string", Schema.create(Schema.Type.STRING), decimals);
      scalar = of("string of any scalar", string("accepts", "scalar"), decimals);
      json = of("json", string(SEMANTIC_TYPE, "io.debezium.data.Json"), decimals);
    }

    private static Schema string(String property, String value) {
      // Parsed, since only the parser makes a logical type of a property.
      return new Schema.Parser()
          .parse("{\"type\":\"string\",\"%s\":\"%s\"}".formatted(property, value));
    }

    /** With that many digits behind the point. */
    TypeChoice decimal(int scale) {
      return of(
          "decimal(%d,%d)".formatted(PRECISION, scale),
          LogicalTypes.decimal(PRECISION, scale).addToSchema(Schema.create(Schema.Type.BYTES)),
          decimals);
    }

    /** Those that a value may speak against; {@link #json} takes all there is. */
    List<TypeChoice> tested() {
      return List.of(bool, whole, decimal, day, millis, micros, uuid, text, scalar);
    }

    /** What a field has been declared as before; empty when that cannot be honoured. */
    Optional<TypeChoice> declared(Schema avro) {
      try {
        return Optional.of(of(label(avro), avro, decimals));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    /** A declared type in a word or two. */
    String label(Schema declared) {
      Schema avro =
          declared.isUnion()
              ? declared.getTypes().stream()
                  .filter(branch -> branch.getType() != Schema.Type.NULL)
                  .findFirst()
                  .orElse(declared)
              : declared;
      if (avro.getLogicalType() instanceof LogicalTypes.Decimal number) {
        return "decimal(%d,%d)".formatted(number.getPrecision(), number.getScale());
      }
      Object logical = avro.getObjectProp("logicalType");
      if (logical != null) {
        return logical.toString();
      }
      if (json.avro().getObjectProp(SEMANTIC_TYPE).equals(avro.getObjectProp(SEMANTIC_TYPE))) {
        return json.label();
      }
      return avro.getObjectProp("accepts") == null ? avro.getType().getName() : scalar.label();
    }
  }
}
