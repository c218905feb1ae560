package io.posconnect.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.json.Row.Kind;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of a row, once: every token is read to its end, so the parser's limits hold for
 * nested values too. For one thread.
 */
final class RowReader {

  private final JsonFactory factory;
  private int size;
  private int[] values = new int[32 * Tape.VALUE];
  private @Nullable String[] names = new String[32];

  // The objects and arrays around the token.
  private int[] around = new int[16];
  private int depth;

  // Those of the latest row, which most often has the same.
  private @Nullable String[] sharedNames = new String[0];
  private final Names.Known known = new Names.Known();
  private boolean flat;

  RowReader(JsonFactory factory) {
    this.factory = factory;
  }

  /**
   * Reads a text in UTF-8, which it takes ownership of.
   *
   * @param damaged bytes that were not UTF-8 before
   * @throws JsonProcessingException when the text is not one JSON value, or exceeds a limit
   */
  Row read(byte[] json, long damaged) throws IOException {
    parse(json);
    if (!Arrays.equals(names, 0, size, sharedNames, 0, sharedNames.length)) {
      sharedNames = Arrays.copyOf(names, size);
    }
    int[] read = Arrays.copyOf(values, size * Tape.VALUE);
    return new Row(new Tape(json, read, sharedNames, flat, known), 0, damaged);
  }

  private void parse(byte[] json) throws IOException {
    size = 0;
    depth = 0;
    flat = true;
    try (JsonParser parser = factory.createParser(json)) {
      do {
        boolean named = parser.nextToken() == JsonToken.FIELD_NAME;
        String name = named ? parser.currentName() : null;
        if (named) {
          parser.nextToken();
        }
        readToken(parser, name);
      } while (depth > 0);
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "not one value");
      }
    }
  }

  private void readToken(JsonParser parser, @Nullable String name) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new JsonParseException(parser, "no value");
    }
    if (token.isStructEnd()) {
      close(around[--depth], place(parser.currentLocation()));
      return;
    }
    int start = place(parser.currentTokenLocation());
    int value = open(kind(token), start);
    names[value] = name;
    if (token.isStructStart()) {
      enter(value);
      return;
    }
    if (token == JsonToken.VALUE_STRING) {
      parser.finishToken();
    }
    close(value, place(parser.currentLocation()));
  }

  private static Kind kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> Kind.OBJECT;
      case START_ARRAY -> Kind.ARRAY;
      case VALUE_STRING -> Kind.STRING;
      case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
      case VALUE_NULL -> Kind.NULL;
      default -> Kind.NUMBER;
    };
  }

  private static int place(JsonLocation location) {
    return Math.toIntExact(location.getByteOffset());
  }

  private int open(Kind kind, int start) {
    if (size == names.length) {
      values = Arrays.copyOf(values, values.length * 2);
      names = Arrays.copyOf(names, size * 2);
    }
    values[size * Tape.VALUE] = start;
    values[size * Tape.VALUE + 2] = Tape.packed(kind, size + 1);
    return size++;
  }

  private void enter(int value) {
    if (depth == around.length) {
      around = Arrays.copyOf(around, depth * 2);
    }
    flat &= value == 0;
    around[depth++] = value;
  }

  private void close(int value, int end) {
    values[value * Tape.VALUE + 1] = end;
    values[value * Tape.VALUE + 2] = Tape.packed(Tape.kindOf(values[value * Tape.VALUE + 2]), size);
  }
}
