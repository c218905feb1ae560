package io.posconnect.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.posconnect.json.Row.Kind;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value that arrived before, and what is within it: all of it at once, and not
 * before it is asked for. For one thread.
 */
public final class JsonText {

  /** Without limits of its own: the text passed those of its arrival. */
  static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final Content NOTHING = new Content(List.of(), List.of());

  private final Kind kind;
  private final byte[] json;
  private final int start;
  private final int end;
  private @Nullable Content content;

  private JsonText(Kind kind, byte[] json, int start, int end) {
    this(kind, json, start, end, null);
  }

  JsonText(Kind kind, byte[] json, int start, int end, @Nullable Content content) {
    this.kind = kind;
    this.json = json;
    this.start = start;
    this.end = end;
    this.content = content;
  }

  /** The content of an object or array; only an object's has names. */
  record Content(List<JsonText> items, List<String> names) {}

  /** The whole row, whatever it is. */
  public static JsonText of(Row row) {
    return new JsonText(row.kind(), row.bytes(), 0, row.bytes().length);
  }

  public static JsonText of(Row row, int field) {
    return new JsonText(row.kind(field), row.bytes(), row.start(field), row.end(field));
  }

  public static JsonText array(String text) {
    byte[] json = text.getBytes(StandardCharsets.UTF_8);
    return new JsonText(Kind.ARRAY, json, 0, json.length);
  }

  /** An object of texts, in their order. */
  public static String object(Map<String, String> fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      generator.writeStartObject();
      for (Map.Entry<String, String> field : fields.entrySet()) {
        generator.writeStringField(field.getKey(), field.getValue());
      }
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a text takes whatever is written", e);
    }
    return text.toString();
  }

  public Kind kind() {
    return kind;
  }

  /** The text that {@link #start} and {@link #end} refer to. Not to be written to. */
  public byte[] bytes() {
    return json;
  }

  public int start() {
    return start;
  }

  public int end() {
    return end;
  }

  /** As a person reads it: a string unquoted and unescaped, anything else as it was sent. */
  public String value() {
    return kind == Kind.STRING
        ? string(json, start, end)
        : new String(json, start, end - start, StandardCharsets.UTF_8);
  }

  /** The string, without quotes and escapes, that stands in quotes between the indices. */
  public static String string(byte[] json, int start, int end) {
    return ValueScanner.string(json, start, end);
  }

  /** An object as a row, to find its fields by name. */
  public Row fields() {
    return Row.parse(Arrays.copyOfRange(json, start, end));
  }

  /** The elements of an array, or the values of an object's fields. */
  public List<JsonText> items() {
    return content().items();
  }

  /** The names of an object's fields, in the order of {@link #items}. */
  public List<String> names() {
    return content().names();
  }

  private Content content() {
    if (content == null) {
      content =
          kind == Kind.OBJECT || kind == Kind.ARRAY
              ? new ValueScanner(json, start).content()
              : NOTHING;
    }
    return content;
  }

  /**
   * The first field of that name, case aside, that is a string.
   *
   * @param object what may be the beginning of an object, or no JSON at all
   */
  public static Optional<String> find(byte[] object, String name) {
    try (JsonParser parser = JSON.createParser(object)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean wanted = parser.currentName().equalsIgnoreCase(name);
        if (parser.nextToken() == JsonToken.VALUE_STRING && wanted) {
          return Optional.of(parser.getText());
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      // No JSON, or cut before the field came: either way there is none.
      return Optional.empty();
    }
    return Optional.empty();
  }
}
