package io.posconnect.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.posconnect.json.Row.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads what is within a JSON value that arrived before: a row's nested objects and arrays, or the
 * body of an error.
 *
 * @param value a string unescaped, anything else as it was sent
 */
public record JsonText(Kind kind, String value) {

  /** Without limits of its own: the text passed those of its arrival. */
  static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /** The whole element, whatever it is. */
  public static JsonText of(Row row) {
    return array("[" + row.json() + "]").items().get(0);
  }

  public static JsonText of(Row row, int field) {
    return new JsonText(row.kind(field), row.value(field));
  }

  public static JsonText array(String text) {
    return new JsonText(Kind.ARRAY, text);
  }

  /** The fields of an object. */
  public Row fields() {
    return Row.parse(value);
  }

  /** The elements of an array. */
  public List<JsonText> items() {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    List<JsonText> items = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      for (JsonToken token = parser.nextToken();
          token != null && token != JsonToken.END_ARRAY;
          token = parser.nextToken()) {
        items.add(item(parser, RowReader.kind(token), text));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a row's array was valid once", e);
    }
    return items;
  }

  private static JsonText item(JsonParser parser, Kind kind, byte[] text) throws IOException {
    if (kind != Kind.OBJECT && kind != Kind.ARRAY) {
      return new JsonText(kind, parser.getText());
    }
    int start = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    int end = (int) parser.currentLocation().getByteOffset();
    return new JsonText(kind, new String(text, start, end - start, StandardCharsets.UTF_8));
  }

  /**
   * The first field of that name, case aside, that is a string.
   *
   * @param object what may be the beginning of an object, or no JSON at all
   */
  public static Optional<String> find(byte[] object, String name) {
    try (JsonParser parser = JSON.createParser(object)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean wanted = parser.currentName().equalsIgnoreCase(name);
        if (parser.nextToken() == JsonToken.VALUE_STRING && wanted) {
          return Optional.of(parser.getText());
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      // No JSON, or cut before the field came: either way there is none.
      return Optional.empty();
    }
    return Optional.empty();
  }
}
