package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Tells of a type that a schema may declare which values it says exactly: those of which nothing
 * would stand in {@code extra}.
 */
public final class DeclaredType {

  private final FieldType type;

  private DeclaredType(FieldType type) {
    this.type = type;
  }

  /**
   * The type as a field of a declared schema would have it.
   *
   * @throws IllegalArgumentException when no field can have it
   */
  public static DeclaredType of(Schema avro, DecimalMode decimals) {
    Schema.Field field = new Schema.Field("value", avro);
    Schema row = Schema.createRecord("Row", null, "declared", false, List.of(field));
    Columns columns = new AvroSchemaReader(decimals, "declared").columns(row, only -> true);
    return new DeclaredType(columns.list().get(0).type());
  }

  /** Whether a field of this type says all that the value does; null is said by every type. */
  public boolean says(JsonText value) {
    if (value.kind() == Row.Kind.NULL) {
      return true;
    }
    Conversion conversion = new Conversion();
    return type.read(value, conversion) != null && conversion.exact();
  }
}
