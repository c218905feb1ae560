package io.posconnect.resource;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * One element of a resource as the service sent it: the original JSON text and where each of its
 * top-level fields stands in it. Immutable as long as nobody writes to the arrays it was given.
 */
public final class Row {

  /** What a JSON value is. */
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  private static final JsonFactory JSON = new JsonFactory();

  private final byte[] json;
  private final Kind kind;
  private final FieldNames names;
  private final Kind[] kinds;
  private final int[] starts;
  private final int[] ends;

  /**
   * Takes ownership of the arrays; entries from {@code size} on are ignored.
   *
   * @param json the element's text in UTF-8
   * @param kind what the element is; only an {@link Kind#OBJECT} has fields
   * @param size number of top-level fields
   * @param starts index of the first byte of each field's value
   * @param ends index behind the last byte of each field's value
   */
  public Row(
      byte[] json, Kind kind, int size, String[] names, Kind[] kinds, int[] starts, int[] ends) {
    this(json, kind, new FieldNames(names, size), kinds, starts, ends);
  }

  /** Takes ownership of the arrays; there are as many fields as names. */
  Row(byte[] json, Kind kind, FieldNames names, Kind[] kinds, int[] starts, int[] ends) {
    this.json = Objects.requireNonNull(json, "json is null");
    this.kind = Objects.requireNonNull(kind, "kind is null");
    this.names = Objects.requireNonNull(names, "names is null");
    this.kinds = kinds;
    this.starts = starts;
    this.ends = ends;
  }

  /**
   * One element from its text, for rows that do not come from the service.
   *
   * @throws IllegalArgumentException when the text is not exactly one JSON value
   */
  public static Row parse(String json) {
    byte[] bytes = json.trim().getBytes(StandardCharsets.UTF_8);
    try (JsonParser parser = JSON.createParser(bytes)) {
      if (parser.nextToken() == null) {
        throw new IllegalArgumentException("there is no JSON value");
      }
      RowReader reader = new RowReader(parser);
      reader.read();
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("there is more than one JSON value");
      }
      return reader.row(bytes);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a JSON value", e);
    }
  }

  public Kind kind() {
    return kind;
  }

  /** Number of top-level fields; 0 unless this is an object. */
  public int size() {
    return names.size();
  }

  public String name(int field) {
    return names.name(field);
  }

  /**
   * The fields' names; the same instance for many rows, so that what follows from it can be kept.
   */
  public FieldNames names() {
    return names;
  }

  /**
   * Index of the only field whose name is the given one, case aside; -1 when there is none, or more
   * than one: of two names that differ only in case, neither is the field that was meant.
   */
  public int find(String name) {
    return names.find(name);
  }

  /** Whether another field of this row has the same name, case aside. */
  public boolean ambiguous(int field) {
    return names.ambiguous(field);
  }

  public Kind kind(int field) {
    return kinds[Objects.checkIndex(field, size())];
  }

  /** The field's value exactly as it was sent, quotes and escapes included. */
  public String text(int field) {
    Objects.checkIndex(field, size());
    return new String(json, starts[field], ends[field] - starts[field], StandardCharsets.UTF_8);
  }

  /**
   * The field's value as a person reads it: a string unquoted and unescaped, anything else as it
   * was sent.
   */
  public String value(int field) {
    if (kind(field) != Kind.STRING) {
      return text(field);
    }
    for (int i = starts[field]; i < ends[field]; i++) {
      if (json[i] == '\\') {
        return unescaped(field);
      }
    }
    return new String(
        json, starts[field] + 1, ends[field] - starts[field] - 2, StandardCharsets.UTF_8);
  }

  private String unescaped(int field) {
    try (JsonParser parser = JSON.createParser(json, starts[field], ends[field] - starts[field])) {
      parser.nextToken();
      return parser.getText();
    } catch (IOException e) {
      throw new UncheckedIOException("a row's string was valid once", e);
    }
  }

  /**
   * The text that the indices of {@link #start} and {@link #end} refer to. Not to be written to.
   */
  public byte[] bytes() {
    return json;
  }

  public int start(int field) {
    return starts[Objects.checkIndex(field, size())];
  }

  public int end(int field) {
    return ends[Objects.checkIndex(field, size())];
  }

  /** The whole element as it was sent. */
  public String json() {
    return new String(json, StandardCharsets.UTF_8);
  }
}
