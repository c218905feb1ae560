package io.posconnect.change;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.resource.Row;
import io.posconnect.resource.Row.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes rows of JSON texts. */
final class JsonRow {

  private static final JsonFactory JSON = new JsonFactory();

  private JsonRow() {}

  static Row of(String text) {
    byte[] json = text.getBytes(StandardCharsets.UTF_8);
    List<String> names = new ArrayList<>();
    List<Kind> kinds = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    Kind kind;
    try (JsonParser parser = JSON.createParser(json)) {
      kind = kind(parser.nextToken());
      while (kind == Kind.OBJECT && parser.nextToken() == JsonToken.FIELD_NAME) {
        names.add(parser.currentName());
        kinds.add(kind(parser.nextToken()));
        starts.add((int) parser.currentTokenLocation().getByteOffset());
        parser.skipChildren();
        parser.finishToken();
        ends.add((int) parser.currentLocation().getByteOffset());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Row(
        json,
        kind,
        names.size(),
        names.toArray(String[]::new),
        kinds.toArray(Kind[]::new),
        starts.stream().mapToInt(i -> i).toArray(),
        ends.stream().mapToInt(i -> i).toArray());
  }

  private static Kind kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> Kind.OBJECT;
      case START_ARRAY -> Kind.ARRAY;
      case VALUE_STRING -> Kind.STRING;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
      case VALUE_NULL -> Kind.NULL;
      default -> throw new IllegalArgumentException("not a value: " + token);
    };
  }
}
