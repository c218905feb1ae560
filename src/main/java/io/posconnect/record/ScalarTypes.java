package io.posconnect.record;

import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** The types of single values that a declared Avro schema may name. */
record ScalarTypes(DecimalMode decimals) {

  /** Property of a string in a schema: what else it takes. */
  static final String ACCEPTS = "accepts";

  /** Value of {@link #ACCEPTS}: numbers and booleans too, as text. */
  static final String SCALAR = "scalar";

  private static final int MAX_PRECISION = 400;

  /** The type of a schema without logical type. */
  Type plain(Schema schema, String field) {
    return switch (schema.getType()) {
      case BOOLEAN -> new BooleanType();
      case INT -> new WholeType(false);
      case LONG -> new WholeType(true);
      case FLOAT -> new FloatingType(false);
      case DOUBLE -> new FloatingType(true);
      case STRING -> text(schema, field);
      case ENUM -> new TextType.Choice(schema.getEnumSymbols());
      case BYTES, FIXED, NULL, UNION, RECORD, ARRAY, MAP ->
          throw new IllegalArgumentException(
              "field "
                  + field
                  + " is "
                  + schema.getType().getName()
                  + ", which JSON has no value for: declare a decimal, a string, or leave the field"
                  + " out of the schema");
    };
  }

  private static Type text(Schema schema, String field) {
    Object accepts = schema.getObjectProp(ACCEPTS);
    if (accepts == null) {
      return new TextType.Plain();
    }
    if (accepts.equals(SCALAR)) {
      return new TextType.Scalar();
    }
    throw new IllegalArgumentException(
        "field " + field + " " + ACCEPTS + " " + accepts + ": only \"" + SCALAR + "\" is known");
  }

  /** The type of a schema that names a logical type. */
  Type logical(Schema schema, String field) {
    LogicalType logical = schema.getLogicalType();
    if (logical == null) {
      throw new IllegalArgumentException(
          "field "
              + field
              + " has the logical type "
              + schema.getObjectProp(LogicalType.LOGICAL_TYPE_PROP)
              + " on "
              + schema.getType().getName()
              + ", which Avro does not allow or know: correct its base type and attributes, or"
              + " remove it");
    }
    if (logical instanceof LogicalTypes.Decimal decimal) {
      if (decimal.getPrecision() > MAX_PRECISION) {
        throw new IllegalArgumentException(
            "field " + field + " has a precision above " + MAX_PRECISION + ": 38 is customary");
      }
      return new DecimalType(decimal.getPrecision(), decimal.getScale(), decimals);
    }
    return switch (logical.getName()) {
      case "date" -> new TemporalType.Day();
      case "time-millis" -> new TemporalType.TimeOfDay();
      case "timestamp-millis" -> new TemporalType.PointInTime(false);
      case "timestamp-micros" -> new TemporalType.PointInTime(true);
      case "uuid" -> new TextType.Uuid();
      default ->
          throw new IllegalArgumentException(
              "field "
                  + field
                  + " has the logical type "
                  + logical.getName()
                  + ": declare decimal,"
                  + " date, time-millis, timestamp-millis, timestamp-micros, uuid, or a plain string");
    };
  }
}
