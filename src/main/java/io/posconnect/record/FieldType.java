package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** Converts the JSON values of a declared type to those of its Connect schema. */
sealed interface FieldType permits FieldType.Identifying, FieldType.Json, NumericType, NestedType {

  /** A new builder of the type's schema, not yet optional, without documentation. */
  SchemaBuilder builder();

  /**
   * The value as Connect wants it; null after telling {@code conversion} when it does not fit. A
   * JSON null never comes here.
   */
  @Nullable Object read(JsonText json, Conversion conversion);

  /**
   * This type, for values of exactly that schema, which {@link #builder} began: Connect accepts a
   * struct only where its very schema stands.
   */
  default FieldType within(Schema schema) {
    return this;
  }

  /** A type whose values can identify a row. */
  sealed interface Identifying extends FieldType
      permits Bool, NumericType.WholeNumber, NumericType.DecimalNumber, TextType, TemporalType {
    /**
     * A new builder of its schema in a key, with nothing but what distinguishes types: the bytes of
     * a key begin with what a registry calls its schema, so a key whose schema changed in a word
     * would be another key.
     */
    default SchemaBuilder keyBuilder() {
      return builder();
    }

    /** That schema in words, equal exactly for equal ones whose values are spelled alike. */
    default String keyType() {
      Schema type = keyBuilder().build();
      String name = type.name() == null ? type.type().getName() : type.name();
      return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /**
     * The JSON text of a value, the same for equal values and different for different ones; {@link
     * #read} reads it back. Persisted: its spelling must never change.
     */
    String canonical(Object value);
  }

  record Bool() implements Identifying {
    @Override
    public SchemaBuilder builder() {
      return SchemaBuilder.bool();
    }

    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      return json.kind() == Row.Kind.BOOLEAN
          ? (Object) (json.bytes()[json.start()] == 't')
          : conversion.typeMismatch();
    }

    @Override
    public String canonical(Object value) {
      return value.toString();
    }
  }

  /** Any value, as it was sent: for records and arrays, which few sinks have a column for. */
  record Json() implements FieldType {
    @Override
    public SchemaBuilder builder() {
      return FieldSchemas.json();
    }

    @Override
    public Object read(JsonText json, Conversion conversion) {
      int length = json.end() - json.start();
      return new String(json.bytes(), json.start(), length, StandardCharsets.UTF_8);
    }
  }

  /** Records what is lost while values are converted. For one thread. */
  final class Conversion {
    private boolean exact = true;
    private long typeMismatches;

    /** Begins a value. */
    void begin() {
      exact = true;
    }

    /** Notes that the typed value holds less than the original, which has to be kept as well. */
    void inexact() {
      exact = false;
    }

    /** Nothing, in place of a value that does not fit. */
    @Nullable Object typeMismatch() {
      exact = false;
      typeMismatches++;
      return null;
    }

    void add(Conversion part) {
      typeMismatches += part.typeMismatches;
    }

    boolean exact() {
      return exact;
    }

    long typeMismatches() {
      return typeMismatches;
    }
  }
}
