package io.posconnect.record;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;

/**
 * Describes the types of a row schema, short enough to be stored with every position, so that a
 * later schema can be compared with it.
 *
 * @param types equal for row schemas of equal names and types, whatever their docs
 * @param scales for each exact decimal that stands in the topic, its digits behind the point
 */
public record Contract(String types, SortedMap<String, Integer> scales) {

  private static final Pattern SCALE = Pattern.compile("[ ,]([^ ,]+):(\\d{1,3})(?=,|$)");

  public Contract {
    scales = new TreeMap<>(scales);
  }

  static Contract of(Schema row) {
    StringBuilder types = new StringBuilder();
    SortedMap<String, Integer> scales = new TreeMap<>();
    describe("", row, types, scales);
    CRC32C crc = new CRC32C();
    crc.update(types.toString().getBytes(StandardCharsets.UTF_8));
    return new Contract(String.format("%08x", crc.getValue()), scales);
  }

  private static void describe(
      String path, Schema schema, StringBuilder types, SortedMap<String, Integer> scales) {
    types.append(path).append(':').append(schema.type());
    if (schema.name() != null && schema.type() != Schema.Type.STRUCT) {
      types.append(' ').append(schema.name());
    }
    types.append('\n');
    switch (schema.type()) {
      case STRUCT -> {
        for (Field field : schema.fields()) {
          String within = path.isEmpty() ? field.name() : path + "." + field.name();
          describe(within, field.schema(), types, scales);
        }
      }
      case ARRAY, MAP -> describe(path + "[]", schema.valueSchema(), types, scales);
      case BYTES -> {
        if (Decimal.LOGICAL_NAME.equals(schema.name())) {
          scales.put(path, Integer.parseInt(schema.parameters().get(Decimal.SCALE_FIELD)));
        }
      }
      default -> {}
    }
  }

  /** Such as {@code 1f3a9c0b price:9,weight:3}. */
  public String text() {
    return scales.entrySet().stream()
        .map(scale -> scale.getKey() + ":" + scale.getValue())
        .collect(Collectors.joining(",", types + " ", ""))
        .strip();
  }

  /** Reads a stored {@link #text}; any other text is a contract about which nothing is known. */
  public static Contract parse(String text) {
    SortedMap<String, Integer> scales = new TreeMap<>();
    SCALE
        .matcher(text)
        .results()
        .forEach(scale -> scales.put(scale.group(1), Integer.parseInt(scale.group(2))));
    return new Contract(text.split(" ", 2)[0], scales);
  }

  /** Returns whether rows of that contract have another form; false if it is not known. */
  public boolean differs(Contract before) {
    return !before.types.isEmpty() && !types.equals(before.types);
  }

  /** The decimal that has another scale, in words; a registry would let it pass. */
  public Optional<String> rescaled(Contract before) {
    return scales.entrySet().stream()
        .filter(
            now -> !now.getValue().equals(before.scales.getOrDefault(now.getKey(), now.getValue())))
        .map(
            now ->
                "%s would have the scale %d, and stands in the topic with %d"
                    .formatted(now.getKey(), now.getValue(), before.scales.get(now.getKey())))
        .findFirst();
  }

  /** This contract, with the scales of decimals that are declared no longer. */
  public Contract after(Contract before) {
    Map<String, Integer> all = new TreeMap<>(before.scales);
    all.putAll(scales);
    return new Contract(types, new TreeMap<>(all));
  }
}
