package io.posconnect.record;

import io.posconnect.json.JsonNumber;
import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** Converts what Connect has only strings for. */
sealed interface TextType extends FieldType.Identifying {

  default @Nullable Object read(String text, Conversion conversion) {
    if (!wellFormed(text)) {
      conversion.inexact(); // a converter would write question marks
    }
    return text;
  }

  @Override
  default @Nullable Object read(JsonText json, Conversion conversion) {
    return json.kind() == Row.Kind.STRING
        ? read(json.value(), conversion)
        : conversion.typeMismatch();
  }

  @Override
  default SchemaBuilder builder() {
    return SchemaBuilder.string();
  }

  @Override
  default String canonical(Object value) {
    return quoted((String) value);
  }

  /**
   * The string in quotes. The spelling is part of persisted keys and must never change: quote,
   * backslash, controls below U+0020 and unpaired surrogates are escaped, nothing else is.
   */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    int c;
    for (int i = 0; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i); // one of a pair only where it is unpaired
      if (c == '"' || c == '\\') {
        quoted.append('\\').appendCodePoint(c);
      } else if (c < ' ' || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
        quoted.append("\\u").append(HexFormat.of().toHexDigits((char) c));
      } else {
        quoted.appendCodePoint(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Returns whether UTF-8 can carry the string: it has no unpaired surrogate. */
  static boolean wellFormed(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  record Plain() implements TextType {
    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      if (json.kind() != Row.Kind.STRING) {
        return conversion.typeMismatch();
      }
      String text = json.value();
      boolean isAscii = text.length() == json.end() - json.start() - 2;
      return isAscii ? text : read(text, conversion);
    }
  }

  /**
   * A string that also takes numbers and booleans, as text: the key of a resource that has no
   * schema.
   */
  record Scalar() implements TextType {
    @Override
    public @Nullable Object read(JsonText json, Conversion conversion) {
      return switch (json.kind()) {
        case STRING -> read(json.value(), conversion);
        case BOOLEAN -> json.value();
        case NUMBER ->
            JsonNumber.canonical(json)
                .<@Nullable Object>map(text -> text)
                .orElseGet(conversion::typeMismatch);
        case OBJECT, ARRAY, NULL -> conversion.typeMismatch();
      };
    }
  }

  /** Avro's {@code uuid}, in the semantic type of which sinks make a column of their own. */
  record Uuid() implements TextType {
    private static final Pattern UUID =
        Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    @Override
    public SchemaBuilder builder() {
      return SchemaBuilder.string().name("io.debezium.data.Uuid").version(1);
    }

    @Override
    public @Nullable Object read(String text, Conversion conversion) {
      return UUID.matcher(text).matches()
          ? text.toLowerCase(Locale.ROOT)
          : conversion.typeMismatch();
    }
  }

  /** Avro's {@code enum}, in the semantic type that Debezium's consumers know. */
  record Choice(List<String> symbols) implements TextType {
    public Choice {
      symbols = List.copyOf(symbols);
    }

    @Override
    public SchemaBuilder builder() {
      return FieldSchemas.choice(symbols);
    }

    /** Without the symbols, of which a larger declaration has more. */
    @Override
    public SchemaBuilder keyBuilder() {
      return SchemaBuilder.string();
    }

    @Override
    public @Nullable Object read(String text, Conversion conversion) {
      return symbols.contains(text) ? text : conversion.typeMismatch();
    }
  }
}
