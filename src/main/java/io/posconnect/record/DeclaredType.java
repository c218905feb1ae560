package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Shows which values a type of a declared schema represents exactly, so that nothing of them would
 * stand in {@code extra}.
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

  /** The type of the values of a field that may be null. */
  public static Schema withoutNull(Schema declared) {
    return AvroSchemaReader.unwrapped(declared, "value");
  }

  /** Returns whether a field of this type represents the value exactly; every type does null. */
  public boolean represents(JsonText value) {
    if (value.kind() == Row.Kind.NULL) {
      return true;
    }
    Conversion conversion = new Conversion();
    return type.read(value, conversion) != null && conversion.exact();
  }
}
