package io.posconnect.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Cuts rows out of a body while it arrives; never more than one of them is held. Every row keeps
 * its original bytes; numbers stay text, so that an exponent of a thousand million costs nothing.
 * For one thread.
 */
public final class JsonRows {

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
  private boolean failed;
  private long rows;

  private JsonRows(JsonFactory json, InputStream body, Shape shape, BodyLimits limits) {
    this.limits = limits;
    this.shape = shape;
    this.input = new RecordingInput(new Utf8Input(body), limits);
    try {
      this.parser = json.createParser(input);
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is read yet", e);
    }
    this.reader = new RowReader(parser);
  }

  /**
   * Opens bodies that keep the limits; to be kept, since it remembers the names of fields. Safe for
   * several threads.
   */
  public static final class Factory {

    private final JsonFactory json;
    private final BodyLimits limits;

    public Factory(BodyLimits limits) {
      this.limits = limits;
      this.json =
          new JsonFactoryBuilder()
              // It would guess UTF-16 from the first bytes, and read them to do so.
              .disable(JsonFactory.Feature.CHARSET_DETECTION)
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(limits.depth())
                      .maxStringLength(limits.stringLength())
                      .maxNumberLength(limits.numberLength())
                      .maxNameLength(limits.nameLength())
                      .build())
              .build();
    }

    /** The rows of a body, of which nothing is read yet. */
    public JsonRows rows(InputStream body, Shape shape) {
      return new JsonRows(json, body, shape, limits);
    }
  }

  /**
   * The next row, or empty when the body has ended as it must.
   *
   * @throws BodyException when the body is not what it must be; what was returned before stays true
   * @throws IOException what the stream threw
   */
  public Optional<Row> next() throws IOException {
    if (failed) {
      throw new IllegalStateException("there is no next row after a failure");
    }
    failed = true;
    Optional<Row> row = read();
    failed = false;
    return row;
  }

  private Optional<Row> read() throws IOException {
    try {
      return switch (position) {
        case START -> first();
        case ROWS -> rowOrEnd();
        case AFTER_OBJECT -> bodyEnd();
        case END -> Optional.empty();
      };
    } catch (JsonProcessingException e) {
      throw BodyException.of(e, limits);
    }
  }

  private Optional<Row> first() throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw BodyException.of("is empty");
    }
    JsonToken expected = shape == Shape.ARRAY ? JsonToken.START_ARRAY : JsonToken.START_OBJECT;
    if (token != expected) {
      throw BodyException.of("is " + name(token) + " instead of " + name(expected));
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
    return bodyEnd();
  }

  private Optional<Row> rowOrEnd() throws IOException {
    if (parser.nextToken() != JsonToken.END_ARRAY) {
      return Optional.of(row());
    }
    return shape == Shape.ENVELOPE ? envelope() : bodyEnd();
  }

  private Row row() throws IOException {
    input.mark(parser.currentTokenLocation().getByteOffset());
    reader.read();
    if (reader.end() - reader.start() > limits.rowBytes()) {
      throw BodyException.rowTooLarge(limits.rowBytes());
    }
    rows++;
    return reader.row(input.slice(reader.start(), reader.end()));
  }

  private Optional<Row> bodyEnd() throws IOException {
    if (parser.nextToken() != null) {
      throw BodyException.of("goes on after its end");
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

  /**
   * What the body said after its rows; an {@link IllegalStateException} before {@link #next} was
   * empty.
   */
  public PageEnd end() {
    if (failed || position != Position.END) {
      throw new IllegalStateException("the last row has not been read");
    }
    return shape == Shape.ENVELOPE ? envelope.end(rows) : PageEnd.of(rows);
  }

  /** Bytes of the body read so far. */
  public long bytes() {
    return input.count();
  }
}
