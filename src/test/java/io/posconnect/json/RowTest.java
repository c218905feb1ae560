package io.posconnect.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.json.Row.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTest {

  @Test
  void keepsEveryFieldsOriginalText() {
    Row row =
        Row.parse(
            "{\"a\": 1.50 , \"b\":\"x\\u0041\\n\",\"c\":{\"d\":[1, 2]},\"e\":null,\"f\":true,\"g\":1e999999999}");

    assertThat(row.kind()).isEqualTo(Kind.OBJECT);
    assertThat(row.size()).isEqualTo(6);
    assertThat(row.text(0)).isEqualTo("1.50");
    assertThat(row.text(1)).isEqualTo("\"x\\u0041\\n\"");
    assertThat(JsonText.of(row, 1).value()).isEqualTo("xA\n");
    assertThat(row.text(2)).isEqualTo("{\"d\":[1, 2]}");
    assertThat(row.kind(3)).isEqualTo(Kind.NULL);
    assertThat(row.kind(4)).isEqualTo(Kind.BOOLEAN);
    assertThat(JsonText.of(row, 5).value()).isEqualTo("1e999999999");
  }

  @Test
  void unquotesStringsOutsideAscii() {
    assertThat(JsonText.of(Row.parse("{\"n\":\"Käse €\"}"), 0).value()).isEqualTo("Käse €");
  }

  @Test
  void findsAFieldByItsExactName() {
    assertThat(Row.parse("{\"a\":1,\"customerId\":2}").find("customerId")).isEqualTo(1);
  }

  @Test
  void findsTheOnlyFieldThatDiffersInCase() {
    Row row = Row.parse("{\"a\":1,\"CustomerID\":2}");

    assertThat(row.find("customerId")).isEqualTo(1);
    assertThat(row.ambiguous(1)).isFalse();
  }

  @Test
  void findsFieldWhoseAccentIsSpelledInAnotherForm() {
    Row row = Row.parse("{\"stra\u00dfe\":0,\"cafe\u0301\":1,\"n\u0303\":2,\"\u00d1\":3}");

    assertThat(row.find("caf\u00e9")).isEqualTo(1);
    assertThat(row.find(row.name(1))).isEqualTo(1);
    assertThat(row.find("\u00f1")).as("two forms of one name").isEqualTo(-1);
    assertThat(row.ambiguous(2)).isTrue();
    assertThat(row.ambiguous(3)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"customerId", "customerID", "CUSTOMERID"})
  void findsNeitherOfTwoFieldsThatDifferOnlyInCase(String name) {
    Row row = Row.parse("{\"customerId\":1,\"a\":2,\"customerID\":3}");

    assertThat(row.find(name)).isEqualTo(-1);
    assertThat(row.ambiguous(0)).isTrue();
    assertThat(row.ambiguous(1)).isFalse();
    assertThat(row.ambiguous(2)).isTrue();
  }

  @Test
  void findsNoneOfFieldsThatComeTwiceOrMore() {
    Row row = Row.parse("{\"a\":1,\"a\":2,\"A\":3}");

    assertThat(row.find("a")).isEqualTo(-1);
    assertThat(row.ambiguous(2)).isTrue();
  }

  @Test
  void findsNothingWhereThereIsNothing() {
    assertThat(Row.parse("{}").find("a")).isEqualTo(-1);
    assertThat(Row.parse("[{\"a\":1}]").find("a")).isEqualTo(-1);
    assertThat(Row.parse("{\"a\":1}").find("b")).isEqualTo(-1);
  }

  @Test
  void knowsTheKindOfEveryElement() {
    assertThat(Row.parse(" [1] ").kind()).isEqualTo(Kind.ARRAY);
    assertThat(Row.parse("\"a\"").kind()).isEqualTo(Kind.STRING);
    assertThat(Row.parse("12").kind()).isEqualTo(Kind.NUMBER);
    assertThat(Row.parse("12").json()).isEqualTo("12");
    assertThat(Row.parse("null").size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{} {}", "{\"a\":}", "nil"})
  void refusesWhatIsNotOneJsonValue(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Row.parse(text));
  }

  @Test
  void holdsRowsOfManyFields() {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < 1000; i++) {
      json.append(i == 0 ? "" : ",").append("\"f").append(i).append("\":").append(i);
    }
    Row row = Row.parse(json.append('}').toString());

    assertThat(row.size()).isEqualTo(1000);
    assertThat(row.text(row.find("F999"))).isEqualTo("999");
  }
}
