package io.posconnect.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rows of a table that a consumer filled, each put together again from its columns and {@code
 * extra}, so that it can be held against the service's own rows.
 *
 * @param names of the service, by the column that has another one, in lower case
 * @param micros columns that are microseconds since 1970, in lower case
 */
record TableRows(Map<String, String> names, Set<String> micros) {

  private static final Set<String> OURS = Set.of("location", "occurrence", "extra", "record_key");
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z?");
  private static final Pattern AMERICAN =
      Pattern.compile("\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d");

  /** A service's rows, with every time in one spelling. */
  static List<String> truth(Collection<JsonNode> rows) {
    return CompactedTopic.canonical(
        rows.stream().map(row -> (JsonNode) timed((ObjectNode) row.deepCopy())).toList());
  }

  /** The rows of a table, by its columns. */
  List<String> rows(Collection<JsonNode> table) {
    return CompactedTopic.canonical(table.stream().map(this::row).toList());
  }

  private JsonNode row(JsonNode columns) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    columns
        .properties()
        .forEach(
            column -> {
              String name = column.getKey().toLowerCase(Locale.ROOT);
              if (!OURS.contains(name) && !column.getValue().isNull()) {
                row.set(names.getOrDefault(name, name), value(name, column.getValue()));
              }
            });
    // As it was sent, where a column has less of it.
    content(columns.path("extra"))
        .properties()
        .forEach(field -> row.set(field.getKey().toLowerCase(Locale.ROOT), field.getValue()));
    return timed(row);
  }

  private JsonNode value(String name, JsonNode value) {
    return micros.contains(name) && value.isNumber()
        ? text(Instant.EPOCH.plus(value.asLong(), ChronoUnit.MICROS))
        : content(value);
  }

  /** The JSON in a column of text. */
  private static JsonNode content(JsonNode value) {
    return value.isTextual() && value.asText().matches("(?s)[\\[{].*")
        ? CompactedTopic.parse(value.asText())
        : value;
  }

  private static JsonNode text(Instant time) {
    return JsonNodeFactory.instance.textNode(time.toString());
  }

  private static ObjectNode timed(ObjectNode row) {
    row.properties().forEach(field -> field.setValue(timed(field.getValue())));
    return row;
  }

  private static JsonNode timed(JsonNode value) {
    String text = value.asText();
    if (TIME.matcher(text).matches()) {
      return text(LocalDateTime.parse(text.replace("Z", "")).toInstant(ZoneOffset.UTC));
    }
    return AMERICAN.matcher(text).matches()
        ? text(
            LocalDateTime.parse(text, DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss"))
                .toInstant(ZoneOffset.UTC))
        : value;
  }
}
