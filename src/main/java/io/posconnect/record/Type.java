package io.posconnect.record;

import io.posconnect.json.JsonText;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** One declared type: its Connect schema, and how a JSON value becomes one of its values. */
interface Type {

  /** A new builder of the type's schema, not yet optional, without documentation. */
  SchemaBuilder builder();

  /**
   * The value as Connect wants it; null after telling {@code fit} when it does not fit. A JSON null
   * never comes here.
   */
  @Nullable Object read(JsonText json, Fit fit);

  /**
   * This type, for values of exactly that schema, which {@link #builder} began: Connect accepts a
   * struct only where its very schema stands.
   */
  default Type within(Schema schema) {
    return this;
  }

  /** A type whose values can identify a row. */
  interface Identifying extends Type {
    /**
     * The JSON text of a value, the same for equal values and different for different ones; {@link
     * #read} reads it back. Persisted: its spelling must never change.
     */
    String canonical(Object value);
  }
}
