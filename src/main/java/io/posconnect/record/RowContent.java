package io.posconnect.record;

import io.posconnect.json.JsonNumber;
import io.posconnect.json.Row;
import io.posconnect.record.Columns.Column;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.NumericType.DecimalNumber;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.FieldName;
import io.posconnect.resource.Key;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Brings rows of a topic and rows of the service into one form, so that they can be compared field
 * by field as the contract types them.
 *
 * <p>The form is the row that an event of this contract shows: each typed field under its declared
 * name, and each field of {@code extra} under its own, in place of a typed one of that name, which
 * holds less than it. A row of the topic is brought into it as if the service sent what its event
 * shows, whatever contract that has. So {@code {"price": 8.250000000, "extra":
 * "{\"size\":\"XL\"}"}} of a topic and {@code {"size":"XL", "price":8.25}} of the service are
 * equal.
 */
public final class RowContent {

  private final RowSchema schema;
  private final String location;

  public RowContent(RowSchema schema, String location) {
    this.schema = schema;
    this.location = location;
  }

  /** The identity that a record's key holds. */
  public Key keyOf(Struct key) {
    return schema.key().keyOf(key);
  }

  /** The names that fields of these names have in the common form, and the names themselves. */
  public Set<String> names(Collection<String> fields) {
    Set<String> names = new HashSet<>(fields);
    fields.forEach(field -> names.add(declared(field)));
    return names;
  }

  private String declared(String name) {
    return schema.columns().find(name).map(Column::name).orElse(name);
  }

  /**
   * A row of the service.
   *
   * @param key the row's, with its occurrence number where those count
   * @param row one that {@link RowSchema#keyOf} and {@link RowSchema#admit} accept
   */
  public Row of(Key key, Row row) {
    return shown(schema.row(schema.valueSchema(), location, key, row, new Conversion()));
  }

  /** A row of the topic. */
  public Row of(Key key, Struct published) {
    return of(key, shown(published));
  }

  private Row shown(Struct event) {
    Field field = event.schema().field(RowSchema.EXTRA);
    Object text = field == null ? null : event.get(field);
    Row extra = Row.parse(text == null ? "{}" : text.toString());
    Set<String> kept = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    extra.names().list().forEach(name -> kept.add(FieldName.composed(name)));
    List<String> fields = new ArrayList<>();
    for (Field typed : event.schema().fields()) {
      Object value = event.get(typed);
      if (value != null && !schema.isOwn(typed.name()) && !kept.contains(typed.name())) {
        fields.add(member(typed.name(), column(typed, value)));
      }
    }
    for (int i = 0; i < extra.size(); i++) {
      fields.add(member(extra.name(i), extra.text(i)));
    }
    return Row.parse("{" + String.join(",", fields) + "}");
  }

  private String column(Field field, Object value) {
    Optional<Column> column = schema.columns().find(field.name());
    boolean decimalText =
        value instanceof String
            && column.isPresent()
            && column.get().type() instanceof DecimalNumber number
            && number.mode() == DecimalMode.STRING;
    return decimalText
        ? JsonNumber.canonical(new BigDecimal((String) value))
        : json(field.schema(), value);
  }

  private static String json(Schema schema, @Nullable Object value) {
    if (value == null) {
      return "null";
    }
    return switch (String.valueOf(schema.name())) {
      case Decimal.LOGICAL_NAME -> JsonNumber.canonical((BigDecimal) value);
      case Date.LOGICAL_NAME -> new TemporalType.Day().canonical(value);
      case Time.LOGICAL_NAME -> new TemporalType.TimeOfDay().canonical(value);
      case Timestamp.LOGICAL_NAME -> new TemporalType.PointInTime(false).canonical(value);
      case FieldSchemas.MICRO_TIMESTAMP -> new TemporalType.PointInTime(true).canonical(value);
      case FieldSchemas.JSON -> (String) value;
      default -> plain(schema, value);
    };
  }

  private static String plain(Schema schema, Object value) {
    return switch (schema.type()) {
      case BOOLEAN, INT8, INT16, INT32, INT64, FLOAT32, FLOAT64 -> value.toString();
      case STRING -> TextType.quoted((String) value);
      case BYTES -> TextType.quoted(Base64.getEncoder().encodeToString((byte[]) value));
      case STRUCT -> object((Struct) value);
      case ARRAY ->
          ((List<?>) value)
              .stream()
                  .map(item -> json(schema.valueSchema(), item))
                  .collect(Collectors.joining(",", "[", "]"));
      case MAP ->
          ((Map<?, ?>) value)
              .entrySet().stream()
                  .map(
                      entry ->
                          member(
                              entry.getKey().toString(),
                              json(schema.valueSchema(), entry.getValue())))
                  .collect(Collectors.joining(",", "{", "}"));
    };
  }

  private static String member(String name, String json) {
    return TextType.quoted(name) + ":" + json;
  }

  private static String object(Struct struct) {
    return struct.schema().fields().stream()
        .map(field -> member(field.name(), json(field.schema(), struct.get(field))))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
