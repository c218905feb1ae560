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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value that arrived before, and what is within it: all of it in one go, and not
 * before somebody asks. For one thread.
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

  private static final int HEX_DIGITS = 4;
  private static final Content NOTHING = new Content(List.of(), List.of());

  private final Kind kind;
  private final byte[] json;
  private final int start;
  private final int end;
  private @Nullable Content content;

  private JsonText(Kind kind, byte[] json, int start, int end) {
    this.kind = kind;
    this.json = json;
    this.start = start;
    this.end = end;
  }

  /** What is within an object or array; only an object's has names. */
  private record Content(List<JsonText> items, List<String> names) {}

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

  /** What {@link #start} and {@link #end} refer to. Not to be written to. */
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

  /** What a string in quotes says that begins at the one and ends before the other index. */
  public static String string(byte[] json, int start, int end) {
    String text = new String(json, start + 1, end - start - 2, StandardCharsets.UTF_8);
    return text.indexOf('\\') < 0 ? text : unescaped(text);
  }

  private static String unescaped(String text) {
    StringBuilder unescaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        c = meant(text, i);
        i += text.charAt(i) == 'u' ? HEX_DIGITS : 0;
      }
      unescaped.append(c);
    }
    return unescaped.toString();
  }

  /** What the character behind a backslash stands for. */
  private static char meant(String text, int at) {
    char c = text.charAt(at);
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> (char) HexFormat.fromHexDigits(text, at + 1, at + 1 + HEX_DIGITS);
      default -> c;
    };
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
          kind == Kind.OBJECT || kind == Kind.ARRAY ? new Walk(json, start).content() : NOTHING;
    }
    return content;
  }

  /**
   * Goes over text that a parser has accepted: where its parts begin and end is all that is left to
   * find, which needs no parser again.
   */
  private static final class Walk {

    private final byte[] json;
    private int at;

    Walk(byte[] json, int start) {
      this.json = json;
      this.at = start;
    }

    /** What is within the brackets of which the first is the next byte. */
    Content content() {
      boolean object = json[at] == '{';
      List<JsonText> items = new ArrayList<>();
      List<String> names = object ? new ArrayList<>() : List.of();
      pass();
      while (json[at] != '}' && json[at] != ']') {
        if (object) {
          int start = at;
          passString();
          names.add(string(json, start, at));
          passBlanks();
          pass();
        }
        items.add(item());
        passBlanks();
        if (json[at] == ',') {
          pass();
        }
      }
      at++;
      return new Content(items, names);
    }

    private JsonText item() {
      int start = at;
      Kind kind =
          switch (json[at]) {
            case '{' -> Kind.OBJECT;
            case '[' -> Kind.ARRAY;
            case '"' -> Kind.STRING;
            case 't', 'f' -> Kind.BOOLEAN;
            case 'n' -> Kind.NULL;
            default -> Kind.NUMBER;
          };
      Content content = NOTHING;
      switch (kind) {
        case OBJECT, ARRAY -> content = content();
        case STRING -> passString();
        case NUMBER, BOOLEAN, NULL -> passScalar();
      }
      JsonText item = new JsonText(kind, json, start, at);
      item.content = content;
      return item;
    }

    /** Passes over one byte that only divides, and blanks behind it. */
    private void pass() {
      at++;
      passBlanks();
    }

    private void passBlanks() {
      while (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t') {
        at++;
      }
    }

    private void passString() {
      at++;
      while (json[at] != '"') {
        at += json[at] == '\\' ? 2 : 1;
      }
      at++;
    }

    /** Whatever it says, a bracket, a comma or a blank follows it. */
    private void passScalar() {
      while (json[at] > ' ' && json[at] != ',' && json[at] != ']' && json[at] != '}') {
        at++;
      }
    }
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
