package io.posconnect.simulator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The fields of one resource's rows: renders a row's JSON from its state.
 *
 * @param keyField holds the row's id; empty when rows of this resource have none
 * @param modifiedField holds the modification time; empty when rows do not show it
 * @param revisionField holds the revision; empty when the interface allows no other field
 * @param fields all others, in the order in which they are written
 */
record RowTemplate(
    Optional<String> keyField,
    Optional<String> modifiedField,
    Optional<String> revisionField,
    List<Field> fields) {

  private static final JsonFactory JSON = new JsonFactory();
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  RowTemplate {
    fields = List.copyOf(fields);
  }

  /** A field; a lively one gets another value with every revision. */
  record Field(String name, FieldWriter writer, boolean lively) {}

  RowTemplate without(Set<String> names) {
    List<Field> shown = fields.stream().filter(field -> !names.contains(field.name())).toList();
    return new RowTemplate(keyField, modifiedField, revisionField, shown);
  }

  /** The row's JSON in UTF-8. */
  byte[] render(Row row) {
    if (row.text() != null) {
      return row.text().getBytes(StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      if (keyField.isPresent()) {
        json.writeNumberField(keyField.get(), row.id());
      }
      for (Field field : fields) {
        write(json, row, field);
      }
      if (modifiedField.isPresent()) {
        json.writeStringField(modifiedField.get(), modified(row));
      }
      if (revisionField.isPresent()) {
        json.writeNumberField(revisionField.get(), row.revision());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a row could not be rendered", e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, Row row, Field field) throws IOException {
    json.writeFieldName(field.name());
    long salt = Row.mix(field.name().hashCode());
    field.writer().write(json, new Row.Choices(row, field.lively() ? salt + row.revision() : salt));
  }

  /** Some rows write the trailing Z and some do not; what differs stays the same for a row. */
  private static String modified(Row row) {
    String text = FieldWriter.MILLIS.format(Instant.ofEpochMilli(row.modified()));
    return (row.seed() & 1) == 0 ? text + "Z" : text;
  }

  JsonNode parse(Row row) {
    try {
      return MAPPER.readTree(render(row));
    } catch (IOException e) {
      throw new UncheckedIOException("row " + row.id() + " is not JSON", e);
    }
  }

  /** The row's text after an edit by hand, made on top of its present rendering. */
  String edited(Row row, UnaryOperator<ObjectNode> edit) {
    return edit.apply((ObjectNode) parse(row)).toString();
  }

  /** The same text with the row's time and revision brought up to date. */
  String restamped(Row row) {
    return edited(
        row,
        json -> {
          modifiedField.ifPresent(name -> json.put(name, modified(row)));
          revisionField.ifPresent(name -> json.put(name, row.revision()));
          return json;
        });
  }
}
