package io.posconnect.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.json.Row.Kind;
import java.io.IOException;
import java.util.Arrays;

/**
 * Makes rows of their texts: notes what each is and where its fields stand in it. For one thread.
 *
 * <p>Every token is read to its end, so that the parser's limits hold for nested values too.
 */
final class RowReader {

  private static final int[] NOWHERE = new int[0];
  private static final Kind[] NOTHING = new Kind[0];

  private final JsonFactory factory;
  private Kind kind = Kind.NULL;
  private int size;
  private Row.Names layout = Row.Names.NONE;
  private String[] names = new String[16];
  private Kind[] kinds = new Kind[16];
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private long replaced;

  RowReader(JsonFactory factory) {
    this.factory = factory;
  }

  /** Halves of surrogate pairs so far that stood in a name and were replaced there. */
  long replaced() {
    return replaced;
  }

  /**
   * Reads a text, which it takes ownership of.
   *
   * @throws JsonProcessingException when the text is not one JSON value, or exceeds a limit
   */
  Row read(byte[] json) throws IOException {
    try {
      parse(json);
    } catch (JsonProcessingException e) {
      // The parser cannot hold a name that UTF-8 cannot.
      int halves = HalfSurrogates.replace(json);
      if (halves == 0) {
        throw e;
      }
      replaced += halves;
      parse(json);
    }
    return row(json);
  }

  private void parse(byte[] json) throws IOException {
    try (JsonParser parser = factory.createParser(json)) {
      if (parser.nextToken() == null) {
        throw new JsonParseException(parser, "not one value");
      }
      size = 0;
      kind = kind(parser.currentToken());
      if (kind == Kind.OBJECT) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          readField(parser);
        }
      } else {
        skip(parser);
      }
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "not one value");
      }
    }
  }

  private void readField(JsonParser parser) throws IOException {
    if (size == names.length) {
      grow();
    }
    names[size] = parser.currentName();
    kinds[size] = kind(parser.nextToken());
    starts[size] = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    skip(parser);
    ends[size] = Math.toIntExact(parser.currentLocation().getByteOffset());
    size++;
  }

  private void grow() {
    int capacity = size * 2;
    names = Arrays.copyOf(names, capacity);
    kinds = Arrays.copyOf(kinds, capacity);
    starts = Arrays.copyOf(starts, capacity);
    ends = Arrays.copyOf(ends, capacity);
  }

  /** Reads the value that begins at the parser's current token; leaves the parser at its last. */
  private static void skip(JsonParser parser) throws IOException {
    int depth = 0;
    while (true) {
      JsonToken token = parser.currentToken();
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token == JsonToken.VALUE_STRING) {
        parser.finishToken();
        // By itself the parser measures only strings that outgrow its buffer.
        parser.streamReadConstraints().validateStringLength(parser.getTextLength());
      }
      if (depth == 0) {
        return;
      }
      parser.nextToken();
    }
  }

  private Row row(byte[] json) {
    if (size == 0) {
      return new Row(json, kind, Row.Names.NONE, NOTHING, NOWHERE, NOWHERE);
    }
    if (!layout.are(names, size)) {
      layout = new Row.Names(Arrays.copyOf(names, size));
    }
    return new Row(
        json,
        kind,
        layout,
        Arrays.copyOf(kinds, size),
        Arrays.copyOf(starts, size),
        Arrays.copyOf(ends, size));
  }

  static Kind kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> Kind.OBJECT;
      case START_ARRAY -> Kind.ARRAY;
      case VALUE_STRING -> Kind.STRING;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
      case VALUE_NULL -> Kind.NULL;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalArgumentException("no value begins with " + token);
    };
  }
}
