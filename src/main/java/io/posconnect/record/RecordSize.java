package io.posconnect.record;

import io.posconnect.record.RowSchema.DecimalMode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Measures, from above, how many bytes a value takes as Avro or as JSON, which names every field
 * and escapes every quote. A producer refuses a record that is too large, and its task fails.
 */
final class RecordSize {

  // No number, boolean or null takes more in either, and few decimals do.
  private static final long SCALAR = 26;

  // A point, zeros before it and a sign, or quotes.
  private static final long BESIDE_DIGITS = 5;

  // How often longer a decimal can be as text: 9e-999 has 1,001 characters.
  private static final long DECIMAL_TEXT = 200;

  // The shortest text of a scalar in an array, and of an object.
  private static final long SCALAR_TEXT = "1,".length();
  private static final long OBJECT_TEXT = "{},".length();

  // Quotes and commas, or a length.
  private static final long FRAME = 6;

  private RecordSize() {}

  static long of(@Nullable Object value) {
    if (value instanceof Struct struct) {
      long size = FRAME;
      for (Field field : struct.schema().fields()) {
        size += ofText(field.name()) + of(struct.get(field));
      }
      return size;
    }
    if (value instanceof Map<?, ?> map) {
      long size = FRAME;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        size += of(entry.getKey()) + of(entry.getValue());
      }
      return size;
    }
    if (value instanceof List<?> list) {
      return FRAME + list.stream().mapToLong(each -> 1 + of(each)).sum();
    }
    if (value instanceof BigDecimal number) {
      return Math.max(SCALAR, Math.max(number.precision(), number.scale()) + BESIDE_DIGITS);
    }
    return value instanceof String text ? ofText(text) : SCALAR;
  }

  static long ofText(String text) {
    long size = FRAME;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        size += "\\u0000".length();
      } else if (c < 0x80) {
        size += c == '"' || c == '\\' ? 2 : 1;
      } else {
        size += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return size;
  }

  /**
   * How often larger than its text a value of that schema can be, but for its own fields.
   *
   * @param decimals how it has decimals
   */
  static long growth(Schema schema, DecimalMode decimals) {
    return switch (schema.type()) {
      case STRUCT -> {
        long most = SCALAR / SCALAR_TEXT + 1;
        for (Field field : schema.fields()) {
          most = Math.max(most, growthWithin(field.schema(), decimals));
        }
        yield most;
      }
      case ARRAY, MAP -> growthWithin(schema.valueSchema(), decimals);
      case STRING -> decimals == DecimalMode.STRING ? DECIMAL_TEXT : FRAME;
      default -> Math.max(SCALAR, digits(schema) + BESIDE_DIGITS) / SCALAR_TEXT + 1;
    };
  }

  private static long growthWithin(Schema schema, DecimalMode decimals) {
    long own = 0;
    if (schema.type() == Schema.Type.STRUCT) {
      own = FRAME;
      for (Field field : schema.fields()) {
        own += ofText(field.name()) + SCALAR;
      }
    }
    return Math.max(own / OBJECT_TEXT + 1, growth(schema, decimals));
  }

  private static int digits(Schema schema) {
    Map<String, String> parameters = schema.parameters();
    String precision =
        parameters == null ? null : parameters.get(NumericType.DecimalNumber.PRECISION);
    return precision == null ? 0 : Integer.parseInt(precision);
  }
}
