package io.posconnect.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.posconnect.resource.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One JSON value.
 *
 * @param value a string unescaped, anything else as it was sent
 */
record Json(Row.Kind kind, String value) {

  /** Without limits of its own: the text passed those of its arrival. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  static Json of(Row row, int field) {
    return new Json(row.kind(field), row.value(field));
  }

  static Json array(String text) {
    return new Json(Row.Kind.ARRAY, text);
  }

  /** The fields of an object. */
  Row fields() {
    return Row.parse(value);
  }

  /** The elements of an array. */
  List<Json> items() {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    List<Json> items = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      for (JsonToken token = parser.nextToken();
          token != null && token != JsonToken.END_ARRAY;
          token = parser.nextToken()) {
        items.add(item(parser, token, text));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a row's array was valid once", e);
    }
    return items;
  }

  private static Json item(JsonParser parser, JsonToken token, byte[] text) throws IOException {
    return switch (token) {
      case VALUE_STRING -> new Json(Row.Kind.STRING, parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Json(Row.Kind.NUMBER, parser.getText());
      case VALUE_TRUE, VALUE_FALSE -> new Json(Row.Kind.BOOLEAN, parser.getText());
      case START_OBJECT -> new Json(Row.Kind.OBJECT, slice(parser, text));
      case START_ARRAY -> new Json(Row.Kind.ARRAY, slice(parser, text));
      default -> new Json(Row.Kind.NULL, "null");
    };
  }

  private static String slice(JsonParser parser, byte[] text) throws IOException {
    int start = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    int end = (int) parser.currentLocation().getByteOffset();
    return new String(text, start, end - start, StandardCharsets.UTF_8);
  }
}
