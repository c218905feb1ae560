package io.posconnect.record;

import io.posconnect.json.JsonNumber;
import io.posconnect.json.JsonText;
import io.posconnect.json.Names;
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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * <p>The form is an object: each typed field under its declared name, and each field of {@code
 * extra} under its own. A value in {@code extra} takes the place of the typed one, which holds less
 * than it. A row of another contract, such as an earlier one, is fitted into this one. So {@code
 * {"price": 8.250000000, "extra": "{\"size\":\"XL\"}"}} of a topic and {@code {"size":"XL",
 * "price":8.25}} of the service are equal. For one thread.
 */
public final class RowContent {

  private static final int MOST_SCHEMAS = 100;

  private final RowSchema schema;
  private final String location;
  private final IdentityHashMap<Schema, Boolean> ofThisContract = new IdentityHashMap<>();
  private final Names.Derived<List<Optional<Column>>> columns = new Names.Derived<>(this::columns);

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

  /** For each field the column that a row with these names fills with it. */
  private List<Optional<Column>> columns(Names names) {
    return names.list().stream()
        .map(
            name ->
                schema
                    .columns()
                    .find(name)
                    .filter(c -> c.find(names) == names.list().indexOf(name)))
        .toList();
  }

  /**
   * A row of the service.
   *
   * @param key the row's, with its occurrence number where those count
   * @param row one that {@link RowSchema#keyOf} and {@link RowSchema#admit} accept
   */
  public Row of(Key key, Row row) {
    return content(schema.row(schema.valueSchema(), location, key, row, new Conversion()));
  }

  /** A row of the topic. */
  public Row of(Key key, Struct published) {
    Row content = content(published);
    return isOfThisContract(published.schema()) ? content : of(key, content);
  }

  /** A decoder that made a schema for each record must not fill the memory. */
  private boolean isOfThisContract(Schema other) {
    if (ofThisContract.size() == MOST_SCHEMAS) {
      ofThisContract.clear();
    }
    return ofThisContract.computeIfAbsent(
        other, unknown -> Contract.of(unknown).equals(Contract.of(schema.valueSchema())));
  }

  private Row content(Struct struct) {
    Map<String, String> typed = new LinkedHashMap<>();
    for (Field field : struct.schema().fields()) {
      Object value = struct.get(field);
      if (value != null && !schema.isOwn(field.name())) {
        typed.put(field.name(), column(field, value));
      }
    }
    List<String> others = new ArrayList<>();
    Field extra = struct.schema().field(RowSchema.EXTRA);
    if (extra != null && struct.get(extra) != null) {
      addExtra(Row.parse(struct.get(extra).toString()), struct, typed, others);
    }
    List<String> fields = new ArrayList<>();
    typed.forEach((name, json) -> fields.add(TextType.quoted(name) + ":" + json));
    fields.addAll(others);
    return Row.parse("{" + String.join(",", fields) + "}");
  }

  private void addExtra(Row extra, Struct struct, Map<String, String> typed, List<String> fields) {
    List<Optional<Column>> columns = this.columns.of(extra.names());
    for (int i = 0; i < extra.size(); i++) {
      String sent = extra.name(i);
      JsonText value = JsonText.of(extra, i);
      Optional<Column> column =
          columns
              .get(i)
              .filter(
                  c ->
                      !typed.containsKey(c.name())
                          || FieldName.isSame(c.name(), sent)
                          || isOrigin(value, c, struct.schema(), typed.get(c.name())));
      String name = column.map(Column::name).orElse(sent);
      String json = column.flatMap(c -> held(c, value)).orElse(extra.text(i));
      typed.remove(name);
      fields.add(TextType.quoted(name) + ":" + json);
    }
  }

  /**
   * The value as the column would hold it, if that is exact: JSON without a schema does not show
   * that an earlier contract lacked the column.
   */
  private Optional<String> held(Column column, JsonText sent) {
    Conversion conversion = new Conversion();
    Object value = sent.kind() == Row.Kind.NULL ? null : column.type().read(sent, conversion);
    return value == null || !conversion.exact()
        ? Optional.empty()
        : Optional.of(column(schema.valueSchema().field(column.name()), value));
  }

  /**
   * Returns whether the column was read from that value of a field of another name, which is more
   * than it holds. Otherwise the row has both names, and the column is of the other.
   */
  private boolean isOrigin(JsonText sent, Column column, Schema form, @Nullable String typed) {
    if (!isOfThisContract(form)) {
      return true;
    }
    if (sent.kind() == Row.Kind.NULL) {
      return false;
    }
    Conversion conversion = new Conversion();
    Object value = column.type().read(sent, conversion);
    return value != null
        && !conversion.exact()
        && column(form.field(column.name()), value).equals(typed);
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
                  .map(entry -> member(entry.getKey().toString(), schema, entry.getValue()))
                  .collect(Collectors.joining(",", "{", "}"));
    };
  }

  private static String member(String name, Schema map, @Nullable Object value) {
    return TextType.quoted(name) + ":" + json(map.valueSchema(), value);
  }

  private static String object(Struct struct) {
    return struct.schema().fields().stream()
        .map(field -> TextType.quoted(field.name()) + ":" + json(field.schema(), struct.get(field)))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
