package io.posconnect.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.RandomCases;
import io.posconnect.json.Row.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTextTest {

  @Test
  void findsWhatAParserFinds() {
    RandomCases.check(
        2_000,
        random -> {
          String row = new JsonTexts(random).object(6).text();
          List<String> found = new ArrayList<>();
          collect(JsonText.of(Row.parse(row)), found);
          assertThat(found).isEqualTo(parsed(row));
        });
  }

  private static void collect(JsonText json, List<String> found) {
    boolean nested = json.kind() == Kind.OBJECT || json.kind() == Kind.ARRAY;
    found.add(nested ? json.kind().toString() : json.kind() + " " + json.value());
    for (int i = 0; i < json.items().size(); i++) {
      if (json.kind() == Kind.OBJECT) {
        found.add("NAME " + json.fields().name(i));
      }
      collect(json.items().get(i), found);
    }
    if (nested) {
      found.add("END");
    }
  }

  private static List<String> parsed(String row) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (JsonParser parser = JsonText.JSON.createParser(row)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          tokens.add("NAME " + parser.currentName());
        } else if (token.isStructEnd()) {
          tokens.add("END");
        } else if (token.isStructStart()) {
          tokens.add(token == JsonToken.START_OBJECT ? "OBJECT" : "ARRAY");
        } else {
          tokens.add(kind(token) + " " + parser.getText());
        }
      }
    }
    return tokens;
  }

  private static String kind(JsonToken scalar) {
    if (scalar.isNumeric()) {
      return "NUMBER";
    }
    return scalar.isBoolean() ? "BOOLEAN" : scalar == JsonToken.VALUE_NULL ? "NULL" : "STRING";
  }

  /** A value keeps it, though UTF-8 could not: only a converter can report it. */
  @Test
  void readsHalfASurrogatePairAsItIs() {
    JsonText text = JsonText.of(Row.parse("[\"a\\ud834\"]")).items().get(0);
    assertThat(text.value()).isEqualTo("a\ud834");
  }

  @Test
  void readsAThousandLevels() {
    JsonText json = JsonText.of(Row.parse("[".repeat(1_000) + "]".repeat(1_000)));
    int levels = 1;
    while (!json.items().isEmpty()) {
      json = json.items().get(0);
      levels++;
    }
    assertThat(levels).isEqualTo(1_000);
  }
}
