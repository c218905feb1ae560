package io.posconnect.record;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Describes the types of a row schema, short enough to be stored with every position, so that a
 * later schema can be compared with it.
 *
 * <p>Registries compare how values are written, and not what they mean: Avro reads a decimal as a
 * string and the reverse, and any kind of time as a number or as another kind.
 *
 * @param types equal for row schemas of equal names and types, whatever their docs
 * @param meanings for each field what its values mean: of a decimal its digits behind the point, of
 *     any other type a word
 */
public record Contract(String types, SortedMap<String, String> meanings) {

  private static final Pattern MEANING =
      Pattern.compile("[ ,]([^ ,]+):(\\d{1,3}|[a-z][a-z-]*)(?=,|$)");

  private static final String NUMBER = "number";

  private static final Map<String, String> TIMES =
      Map.of(
          Date.LOGICAL_NAME, "date",
          Time.LOGICAL_NAME, "time",
          Timestamp.LOGICAL_NAME, "timestamp",
          FieldSchemas.MICRO_TIMESTAMP, "timestamp-micros");

  public Contract {
    meanings = new TreeMap<>(meanings);
  }

  static Contract of(Schema row) {
    StringBuilder types = new StringBuilder();
    SortedMap<String, String> meanings = new TreeMap<>();
    describe("", row, types, meanings);
    CRC32C crc = new CRC32C();
    crc.update(types.toString().getBytes(StandardCharsets.UTF_8));
    return new Contract(String.format("%08x", crc.getValue()), meanings);
  }

  private static void describe(
      String path, Schema schema, StringBuilder types, SortedMap<String, String> meanings) {
    types.append(path).append(':').append(schema.type());
    if (schema.name() != null && schema.type() != Schema.Type.STRUCT) {
      types.append(' ').append(schema.name());
    }
    types.append('\n');
    switch (schema.type()) {
      case STRUCT -> {
        for (Field field : schema.fields()) {
          String within = path.isEmpty() ? field.name() : path + "." + field.name();
          describe(within, field.schema(), types, meanings);
        }
      }
      case ARRAY, MAP -> describe(path + "[]", schema.valueSchema(), types, meanings);
      case BYTES -> {
        if (Decimal.LOGICAL_NAME.equals(schema.name())) {
          meanings.put(path, schema.parameters().get(Decimal.SCALE_FIELD));
        }
      }
      case STRING -> meanings.put(path, "string");
      case BOOLEAN -> {}
      default -> meanings.put(path, TIMES.getOrDefault(String.valueOf(schema.name()), NUMBER));
    }
  }

  /** Such as {@code 1f3a9c0b at:timestamp,name:string,price:9}. */
  public String text() {
    return meanings.entrySet().stream()
        .map(meaning -> meaning.getKey() + ":" + meaning.getValue())
        .collect(Collectors.joining(",", types + " ", ""))
        .strip();
  }

  /** Reads a stored {@link #text}; any other text is a contract about which nothing is known. */
  public static Contract parse(String text) {
    SortedMap<String, String> meanings = new TreeMap<>();
    MEANING
        .matcher(text)
        .results()
        .forEach(meaning -> meanings.put(meaning.group(1), meaning.group(2)));
    return new Contract(text.split(" ", 2)[0], meanings);
  }

  /** Returns whether rows of that contract have another form; false if it is not known. */
  public boolean differs(Contract before) {
    return !before.types.isEmpty() && !types.equals(before.types);
  }

  /** The field whose earlier values would be misread, in words; a registry would let it pass. */
  public Optional<String> misread(Contract before) {
    return meanings.entrySet().stream()
        .flatMap(
            now ->
                misread(now.getKey(), now.getValue(), before.meanings.get(now.getKey())).stream())
        .findFirst();
  }

  private static Optional<String> misread(String field, String now, @Nullable String before) {
    if (before == null || now.equals(before) || isNumber(now) != isNumber(before)) {
      return Optional.empty();
    }
    return Optional.of(
        isScale(now) && isScale(before)
            ? "%s would have the scale %s, and stands in the topic with %s"
                .formatted(field, now, before)
            : "%s would be %s, and stands in the topic as %s"
                .formatted(field, type(now), type(before)));
  }

  private static boolean isNumber(String meaning) {
    return meaning.equals(NUMBER) || TIMES.containsValue(meaning);
  }

  private static String type(String meaning) {
    return isScale(meaning) ? "decimal" : meaning;
  }

  private static boolean isScale(String meaning) {
    return Character.isDigit(meaning.charAt(0));
  }

  /**
   * This contract, with what the topic has of earlier ones: fields that are declared no longer, and
   * the first meaning of a field, since a registry may refuse every event with the next.
   */
  public Contract after(Contract before) {
    SortedMap<String, String> all = new TreeMap<>(meanings);
    all.putAll(before.meanings);
    return new Contract(types, all);
  }
}
