package io.posconnect.record;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * A struct that is complete before it becomes part of another. Each value is validated when it is
 * put, and no more: Connect would validate all of them again for each struct around it, which costs
 * as much as putting them.
 */
final class CheckedStruct extends Struct {

  CheckedStruct(Schema schema) {
    super(schema);
  }

  /** Without the field's name, which Connect would make a message of for each value. */
  @Override
  public Struct put(Field field, Object value) {
    return super.put(new Field(null, field.index(), field.schema()), value);
  }

  /** Nothing is left to check. */
  @Override
  public void validate() {}
}
