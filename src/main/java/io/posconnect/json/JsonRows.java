package io.posconnect.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.posconnect.json.Row.Fault;
import io.posconnect.json.Row.Kind;
import io.posconnect.json.TopLevelReader.Beginning;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import io.posconnect.resource.Shape.Envelope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts rows out of a body while it arrives; never more than one of them is held. Every row keeps
 * its original bytes; numbers stay text, so that an exponent of a thousand million costs nothing. A
 * row that exceeds a limit or is not JSON has a {@link Fault}, and the next one follows. Private
 * fields are removed before a row is returned. For one thread.
 */
public final class JsonRows {

  private static final Set<Kind> PLAIN = Set.of(Kind.STRING, Kind.NUMBER, Kind.BOOLEAN);

  private enum Position {
    START,
    ROWS,
    AFTER_OBJECT,
    END
  }

  private final BodyLimits limits;
  private final Shape shape;
  private final boolean plainValues;
  private final ValueCutter cutter;
  private final RowReader reader;
  private final TopLevelReader topLevel;
  private final @Nullable RowFilter filter;
  private final @Nullable PageEnvelope envelope;
  private Position position = Position.START;
  private boolean atRow;
  private long rows;
  private long replaced;

  private JsonRows(
      JsonFactory json, InputStream body, Shape shape, BodyLimits limits, Privacy privacy) {
    this.limits = limits;
    this.plainValues = shape instanceof Shape.Values;
    this.shape = shape instanceof Shape.Values values ? values.list() : shape;
    this.envelope = this.shape instanceof Envelope around ? new PageEnvelope(around) : null;
    this.cutter = new ValueCutter(body, limits);
    this.reader = new RowReader(json);
    this.topLevel = new TopLevelReader(limits);
    this.filter = privacy.isEmpty() ? null : new RowFilter(privacy);
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
              // It would guess UTF-16 from the first bytes.
              .disable(JsonFactory.Feature.CHARSET_DETECTION)
              // Names may be data, and fill the table of the JVM.
              .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(limits.depth())
                      .maxStringLength(Integer.MAX_VALUE) // A row's limit is that of its strings.
                      .maxNumberLength(limits.numberLength())
                      .maxNameLength(limits.nameLength())
                      .build())
              .build();
    }

    /**
     * The rows of a body, of which nothing is read yet.
     *
     * @param privacy the fields that are removed or hashed
     */
    public JsonRows rows(InputStream body, Shape shape, Privacy privacy) {
      return new JsonRows(json, body, shape, limits, privacy);
    }
  }

  /**
   * The next row, or empty when the body has ended as it must. After an exception nothing may be
   * read any more.
   *
   * @throws BodyException when the body is not what it must be; what was returned before stays true
   * @throws IOException what the stream threw
   */
  public Optional<Row> next() throws IOException {
    return switch (position) {
      case START -> first();
      case ROWS -> rowOrEnd();
      case AFTER_OBJECT -> bodyEnd();
      case END -> Optional.empty();
    };
  }

  /**
   * Skips the next row if it is a known one; otherwise {@link #next} returns it. No row is known
   * before every private path was found, so that those that no row has are.
   *
   * @throws IOException as {@link #next} does
   */
  public boolean skip(KnownRows known) throws IOException {
    int expected = known.expected();
    boolean mayBe = position == Position.ROWS && (filter == null || filter.unmetPaths().isEmpty());
    boolean skipped = mayBe && reachRow() && cutter.skip(known, expected);
    if (skipped) {
      atRow = false;
      rows++;
    }
    return skipped;
  }

  private Optional<Row> first() throws IOException {
    cutter.skipMark();
    int next = cutter.peek();
    if (next == ValueCutter.NOTHING) {
      throw BodyException.of("is empty");
    }
    int expected = shape instanceof Shape.Array ? '[' : '{';
    if (next != expected) {
      throw BodyException.of("is " + found(next) + " instead of " + name(expected));
    }
    if (shape instanceof Shape.Single) {
      position = Position.AFTER_OBJECT;
      return Optional.of(row());
    }
    cutter.take(expected);
    return envelope == null ? rowsBegin() : around(envelope);
  }

  private Optional<Row> rowsBegin() throws IOException {
    position = Position.ROWS;
    return rowOrEnd();
  }

  private Optional<Row> around(PageEnvelope fields) throws IOException {
    return fields.toRows(cutter, this::value) ? rowsBegin() : bodyEnd();
  }

  private Optional<Row> rowOrEnd() throws IOException {
    if (reachRow()) {
      atRow = false;
      return Optional.of(row());
    }
    cutter.take(']');
    return envelope == null ? bodyEnd() : around(envelope);
  }

  /** Goes to the beginning of the next row, if there is one. */
  private boolean reachRow() throws IOException {
    if (!atRow && cutter.peek() != ']') {
      if (rows > 0) {
        cutter.take(',');
      }
      atRow = true;
    }
    return atRow;
  }

  private Row row() throws IOException {
    Row row = element();
    rows++;
    replaced += row.replaced();
    boolean plain = plainValues && row.fault().isEmpty() && PLAIN.contains(row.kind());
    Row object = plain ? withField(row) : row;
    return filter == null ? object : filter.filter(object);
  }

  /** A plain value as the object that has it as its only field. */
  private Row withField(Row value) throws IOException {
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    object.writeBytes(("{\"" + Shape.VALUE + "\":").getBytes(US_ASCII));
    object.writeBytes(value.bytes());
    object.write('}');
    return reader.read(object.toByteArray(), value.replaced());
  }

  /** The next value of the body around the rows, which must be JSON. */
  private Row value() throws IOException {
    Row value = element();
    replaced += value.replaced();
    if (value.fault().filter(fault -> fault.type() == Fault.Type.NOT_JSON).isPresent()) {
      throw BodyException.notJson(cutter.offset() - value.length());
    }
    return value;
  }

  private Row element() throws IOException {
    byte[] text = cutter.cut();
    Optional<String> excess = cutter.excess();
    if (excess.isPresent()) {
      return broken(Fault.Type.EXCEEDS_LIMIT, excess.get(), text);
    }
    try {
      return reader.read(text, cutter.replaced());
    } catch (StreamConstraintsException e) {
      return broken(Fault.Type.EXCEEDS_LIMIT, limits.named(e.getOriginalMessage()), text);
    } catch (JsonProcessingException e) {
      // Its own message may quote the row.
      long place = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
      return broken(Fault.Type.NOT_JSON, "byte " + place + " of the row", text);
    }
  }

  private Row broken(Fault.Type type, String detail, byte[] beginning) {
    Beginning read = topLevel.read(beginning);
    Fault fault =
        new Fault(type, detail, cutter.length(), cutter.hash(), read.fields(), read.complete());
    return Row.broken(fault, beginning, cutter.replaced());
  }

  private Optional<Row> bodyEnd() throws IOException {
    int next = cutter.peek();
    if (next != ValueCutter.NOTHING) {
      found(next);
      throw BodyException.of("goes on after its end");
    }
    position = Position.END;
    return Optional.empty();
  }

  /** The kind of value that begins there, if it is JSON. */
  private String found(int next) throws IOException {
    if (next == '[' || next == '{') {
      return name(next);
    }
    value();
    return "a single value";
  }

  private static String name(int begin) {
    return begin == '[' ? "an array" : "an object";
  }

  /**
   * The end of the page, as the body gives it after its rows; an {@link IllegalStateException}
   * before {@link #next} was empty.
   */
  public PageEnd end() {
    if (position != Position.END) {
      throw new IllegalStateException("the last row has not been read");
    }
    return envelope == null ? PageEnd.of(rows) : envelope.end(rows);
  }

  public BodyNotes notes() {
    return filter == null
        ? new BodyNotes(cutter.count(), replaced, Set.of(), Set.of())
        : new BodyNotes(cutter.count(), replaced, filter.unmetPaths(), filter.unlisted());
  }
}
