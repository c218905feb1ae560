package io.posconnect.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.posconnect.json.Row.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of a row, once: every token is read to its end, so the parser's limits hold for
 * nested values too. For one thread.
 *
 * <p>Most rows have the names of the row before, in its order. Such a text is {@linkplain
 * #readAsBefore read along} with them and needs no parser; one that has anything else in it, even a
 * fault, is left to the parser.
 */
final class RowReader {

  private final JsonFactory factory;
  private final StreamReadConstraints limits;
  private int size;
  private int[] values = new int[32 * Tape.VALUE];
  private @Nullable String[] names = new String[32];
  private int at;

  // The objects and arrays around the token.
  private int[] around = new int[16];
  private int depth;

  // Those of the latest row, which most often has the same.
  private @Nullable String[] sharedNames = new String[0];
  private byte[] @Nullable [] labels = new byte[0][];
  private final Names.Known known = new Names.Known();
  private boolean flat;

  RowReader(JsonFactory factory) {
    this.factory = factory;
    this.limits = factory.streamReadConstraints();
  }

  /**
   * Reads a text in UTF-8, which it takes ownership of.
   *
   * @param damaged bytes that were not UTF-8 before
   * @throws JsonProcessingException when the text is not one JSON value, or exceeds a limit
   */
  Row read(byte[] json, long damaged) throws IOException {
    if (!readAsBefore(json)) {
      parse(json);
      shareNames();
    }
    int[] read = Arrays.copyOf(values, size * Tape.VALUE);
    return new Row(new Tape(json, read, sharedNames, flat, known), 0, damaged);
  }

  private void shareNames() {
    if (!Arrays.equals(names, 0, size, sharedNames, 0, sharedNames.length)) {
      sharedNames = Arrays.copyOf(names, size);
      labels = Stream.of(sharedNames).map(RowReader::label).toArray(byte[][]::new);
    }
  }

  /** One spelling of the name. */
  private static byte @Nullable [] label(@Nullable String name) {
    return name == null ? null : JsonText.quoted(name).getBytes(StandardCharsets.UTF_8);
  }

  /** Of a text that it refuses nothing is known. */
  private boolean readAsBefore(byte[] json) {
    begin();
    at = 0;
    boolean goesOn;
    do {
      goesOn = passName(json) && passValue(json);
    } while (goesOn && depth > 0);
    return goesOn && at == json.length && size == labels.length;
  }

  /** Goes to the next value, if it has a name where it had it before. */
  private boolean passName(byte[] json) {
    at = Scan.blanks(json, at);
    boolean named = depth > 0 && json[start(around[depth - 1])] == '{';
    if (size >= labels.length || named == (labels[size] == null)) {
      return false;
    }
    byte[] label = labels[size];
    if (label != null) {
      int end = at + label.length;
      if (end > json.length || !Arrays.equals(json, at, end, label, 0, label.length)) {
        return false;
      }
      at = Scan.blanks(json, end) + 1;
      if (Scan.at(json, at - 1) != ':') {
        return false;
      }
      at = Scan.blanks(json, at);
    }
    return true;
  }

  /** Goes to where the next name or value must be, or to the end. */
  private boolean passValue(byte[] json) {
    Kind kind = Scan.kind(Scan.at(json, at));
    int value = open(kind, at);
    if (kind == Kind.OBJECT || kind == Kind.ARRAY) {
      enter(value);
      at = Scan.blanks(json, at + 1);
      return depth <= limits.getMaxNestingDepth()
          && (Scan.at(json, at) != closing(json) || passEnds(json));
    }
    int start = at;
    at = Scan.scalar(json, start, kind);
    values[value * Tape.VALUE + 1] = at;
    boolean fits = kind != Kind.NUMBER || at - start <= limits.getMaxNumberLength();
    return at != Scan.NOWHERE && fits && passEnds(json);
  }

  private boolean passEnds(byte[] json) {
    while (depth > 0) {
      at = Scan.blanks(json, at) + 1;
      int next = Scan.at(json, at - 1);
      if (next != closing(json)) {
        return next == ',';
      }
      close(around[--depth], at);
    }
    return true;
  }

  /** What ends the innermost object or array. */
  private int closing(byte[] json) {
    return json[start(around[depth - 1])] == '{' ? '}' : ']';
  }

  private int start(int value) {
    return values[value * Tape.VALUE];
  }

  private void parse(byte[] json) throws IOException {
    begin();
    try (JsonParser parser = factory.createParser(json)) {
      do {
        boolean named = parser.nextToken() == JsonToken.FIELD_NAME;
        String name = named ? parser.currentName() : null;
        if (named) {
          parser.nextToken();
        }
        readToken(parser, json, name);
      } while (depth > 0);
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "not one value");
      }
    }
  }

  private void begin() {
    size = 0;
    depth = 0;
    flat = true;
  }

  private void readToken(JsonParser parser, byte[] json, @Nullable String name) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new JsonParseException(parser, "no value");
    }
    if (token.isStructEnd()) {
      close(around[--depth], place(parser.currentLocation()));
      return;
    }
    int start = place(parser.currentTokenLocation());
    int value = open(Scan.kind(json[start]), start);
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
