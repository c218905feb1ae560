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
   * @param damaged bytes of the text that were not UTF-8
   * @throws JsonProcessingException when the text is not one JSON value, or exceeds a limit
   */
  Row read(byte[] json, long damaged) throws IOException {
    parseWithHalves(json);
    return row(json, damaged);
  }

  /**
   * Reads a text without blanks up to its end or its first fault.
   *
   * @return whether the text is one JSON value; either way {@link #fieldsSoFar} has its fields
   */
  boolean readBeginning(byte[] json) {
    size = 0;
    kind = Kind.NULL;
    try {
      parseWithHalves(json);
      return true;
    } catch (IOException e) {
      // The parser accepts the 1 of 1x before it finds the x.
      if (size > 0 && json[ends[size - 1]] != ',' && json[ends[size - 1]] != '}') {
        size--;
      }
      return false;
    }
  }

  /** The fields of the text that {@link #readBeginning} read last. */
  Row fieldsSoFar(byte[] json) {
    return row(json, 0);
  }

  private void parseWithHalves(byte[] json) throws IOException {
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

  private Row row(byte[] json, long damaged) {
    if (size == 0) {
      return new Row(json, kind, Row.Fields.NONE, damaged);
    }
    if (!layout.are(names, size)) {
      layout = new Row.Names(Arrays.copyOf(names, size));
    }
    Row.Fields fields =
        new Row.Fields(
            layout,
            Arrays.copyOf(kinds, size),
            Arrays.copyOf(starts, size),
            Arrays.copyOf(ends, size));
    return new Row(json, kind, fields, damaged);
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
