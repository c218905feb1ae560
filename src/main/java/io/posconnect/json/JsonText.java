package io.posconnect.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.posconnect.json.Row.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** One value of a parsed text, and what is within it. Immutable. */
public final class JsonText {

  /** Without limits of its own: the text passed those of its arrival. */
  static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final Tape values;
  private final int self;

  private JsonText(Tape values, int self) {
    this.values = values;
    this.self = self;
  }

  public static JsonText of(Row row) {
    return new JsonText(row.values(), row.self());
  }

  public static JsonText of(Row row, int field) {
    return new JsonText(row.values(), row.place(field));
  }

  /** An object of texts, in their order. */
  public static String object(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> quoted(field.getKey()) + ":" + quoted(field.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  public Kind kind() {
    return values.kind(self);
  }

  /** The text that {@link #start} and {@link #end} refer to. Not to be written to. */
  public byte[] bytes() {
    return values.json();
  }

  public int start() {
    return values.start(self);
  }

  public int end() {
    return values.end(self);
  }

  /** As a person reads it: a string unquoted and unescaped, anything else as it was sent. */
  public String value() {
    return kind() == Kind.STRING
        ? string(bytes(), start(), end())
        : new String(bytes(), start(), end() - start(), StandardCharsets.UTF_8);
  }

  /** An object as a row, to find its fields by name. */
  public Row fields() {
    return new Row(values, self, 0);
  }

  /** The elements of an array, or the values of an object's fields. */
  public List<JsonText> items() {
    List<JsonText> items = new ArrayList<>();
    for (int item = self + 1; item < values.next(self); item = values.next(item)) {
      items.add(new JsonText(values, item));
    }
    return items;
  }

  /** Returns whether no escape is in the string that stands in quotes between the indices. */
  public static boolean isPlain(byte[] json, int start, int end) {
    return PlainText.end(json, start + 1, end - 1) == end - 1;
  }

  /** The string, without quotes and escapes, that stands in quotes between the indices. */
  public static String string(byte[] json, int start, int end) {
    String text = new String(json, start + 1, end - start - 2, StandardCharsets.UTF_8);
    return text.indexOf('\\') < 0 ? text : unescaped(json, start, end);
  }

  private static String unescaped(byte[] json, int start, int end) {
    try (JsonParser parser = JSON.createParser(json, start, end - start)) {
      parser.nextToken();
      return parser.getText();
    } catch (IOException e) {
      throw new IllegalArgumentException("not a string of JSON", e);
    }
  }

  /**
   * The first field of that name, case aside, that is a string.
   *
   * @param object what may be the beginning of an object, or no JSON at all
   */
  public static Optional<String> find(byte[] object, String name) {
    try (JsonParser parser = JSON.createParser(object)) {
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
      while (isObject && parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean wanted = parser.currentName().equalsIgnoreCase(name);
        if (parser.nextToken() == JsonToken.VALUE_STRING && wanted) {
          return Optional.of(parser.getText());
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      // No JSON, or cut before the field came: either way there is none.
    }
    return Optional.empty();
  }
}
