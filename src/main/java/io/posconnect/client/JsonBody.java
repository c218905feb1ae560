package io.posconnect.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Row;
import io.posconnect.resource.RowReader;
import io.posconnect.resource.Shape;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cuts rows out of a body while it arrives. Every row keeps its original bytes; numbers stay text,
 * so that an exponent of a thousand million costs nothing.
 */
final class JsonBody implements Closeable {

  private enum Position {
    START,
    ROWS,
    AFTER_OBJECT,
    END
  }

  private final BodyLimits limits;
  private final Shape shape;
  private final RecordingInput input;
  private final JsonParser parser;
  private final RowReader reader;
  private final PageEnvelope envelope = new PageEnvelope();
  private Position position = Position.START;
  private long rows;

  /** Reads the first bytes of the body to learn its encoding. */
  JsonBody(JsonFactory json, InputStream body, Shape shape, BodyLimits limits) throws IOException {
    this.limits = limits;
    this.shape = shape;
    InputStream utf8 = Utf8Input.of(body).orElseThrow(() -> BodyErrors.of("is not in UTF-8"));
    this.input = new RecordingInput(utf8, limits);
    this.parser = json.createParser(input);
    this.reader = new RowReader(parser);
  }

  /**
   * A factory whose parsers keep the limits; to be kept, since it remembers the names of fields.
   */
  static JsonFactory factory(BodyLimits limits) {
    return new JsonFactoryBuilder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(limits.depth())
                .maxStringLength(limits.stringLength())
                .maxNumberLength(limits.numberLength())
                .maxNameLength(limits.nameLength())
                .build())
        .build();
  }

  /**
   * The next row, or empty when the body has ended as it must.
   *
   * @throws BodyErrors or what the parser or the stream threw
   */
  Optional<Row> next() throws IOException {
    return switch (position) {
      case START -> first();
      case ROWS -> rowOrEnd();
      case AFTER_OBJECT -> end();
      case END -> Optional.empty();
    };
  }

  private Optional<Row> first() throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw BodyErrors.of("is empty");
    }
    JsonToken expected = shape == Shape.ARRAY ? JsonToken.START_ARRAY : JsonToken.START_OBJECT;
    if (token != expected) {
      throw BodyErrors.of("is " + name(token) + " instead of " + name(expected));
    }
    return switch (shape) {
      case ARRAY -> {
        position = Position.ROWS;
        yield rowOrEnd();
      }
      case OBJECT -> {
        position = Position.AFTER_OBJECT;
        yield Optional.of(row());
      }
      case ENVELOPE -> envelope();
    };
  }

  private Optional<Row> envelope() throws IOException {
    if (envelope.toItems(parser)) {
      position = Position.ROWS;
      return rowOrEnd();
    }
    return end();
  }

  private Optional<Row> rowOrEnd() throws IOException {
    if (parser.nextToken() != JsonToken.END_ARRAY) {
      return Optional.of(row());
    }
    return shape == Shape.ENVELOPE ? envelope() : end();
  }

  private Row row() throws IOException {
    input.mark(parser.currentTokenLocation().getByteOffset());
    reader.read();
    if (reader.end() - reader.start() > limits.rowBytes()) {
      throw BodyErrors.rowTooLarge(limits.rowBytes());
    }
    rows++;
    return reader.row(input.slice(reader.start(), reader.end()));
  }

  private Optional<Row> end() throws IOException {
    if (parser.nextToken() != null) {
      throw BodyErrors.of("goes on after its end");
    }
    position = Position.END;
    return Optional.empty();
  }

  private static String name(JsonToken token) {
    return switch (token) {
      case START_ARRAY -> "an array";
      case START_OBJECT -> "an object";
      default -> "a single value";
    };
  }

  /** What the body said after its rows; empty before its end. */
  @Nullable PageEnd pageEnd() {
    if (position != Position.END) {
      return null;
    }
    return shape == Shape.ENVELOPE ? envelope.end(rows) : PageEnd.of(rows);
  }

  long bytes() {
    return input.count();
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
