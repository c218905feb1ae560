package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** What Connect has only strings for. */
sealed interface TextType extends Type.Identifying {

  @Override
  default SchemaBuilder builder() {
    return SchemaBuilder.string();
  }

  @Override
  default String canonical(Object value) {
    StringBuilder text = new StringBuilder();
    Text.quote((String) value, text);
    return text.toString();
  }

  /** Avro's {@code string}. */
  record Plain() implements TextType {
    @Override
    public @Nullable Object read(JsonText json, Fit fit) {
      if (json.kind() != Row.Kind.STRING) {
        return fit.typeMismatch();
      }
      if (!Text.wellFormed(json.value())) {
        fit.inexact(); // a converter would write question marks
      }
      return json.value();
    }
  }

  /**
   * A string that also takes numbers and booleans, as text: the key of a resource whose schema
   * nobody gave.
   */
  record Scalar() implements TextType {
    @Override
    public @Nullable Object read(JsonText json, Fit fit) {
      return switch (json.kind()) {
        case STRING -> new Plain().read(json, fit);
        case BOOLEAN -> json.value();
        case NUMBER -> number(json.value(), fit);
        case OBJECT, ARRAY, NULL -> fit.typeMismatch();
      };
    }

    private static @Nullable Object number(String text, Fit fit) {
      return Numbers.parse(text)
          .filter(Numbers::plain)
          .<@Nullable Object>map(Numbers::canonical)
          .orElseGet(fit::typeMismatch);
    }
  }

  /** Avro's {@code uuid}. */
  record Uuid() implements TextType {
    private static final Pattern UUID =
        Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    @Override
    public @Nullable Object read(JsonText json, Fit fit) {
      boolean fits = json.kind() == Row.Kind.STRING && UUID.matcher(json.value()).matches();
      return fits ? json.value() : fit.typeMismatch();
    }

    @Override
    public String canonical(Object value) {
      return '"' + ((String) value).toLowerCase(Locale.ROOT) + '"';
    }
  }

  /** Avro's {@code enum}, in the semantic type that Debezium's consumers know. */
  record Choice(List<String> symbols) implements TextType {
    public Choice {
      symbols = List.copyOf(symbols);
    }

    @Override
    public SchemaBuilder builder() {
      return Semantics.choice(symbols);
    }

    @Override
    public @Nullable Object read(JsonText json, Fit fit) {
      boolean fits = json.kind() == Row.Kind.STRING && symbols.contains(json.value());
      return fits ? json.value() : fit.typeMismatch();
    }
  }
}
