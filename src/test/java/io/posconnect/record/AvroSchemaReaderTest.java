package io.posconnect.record;

import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.rowSchema;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.problem.Problem;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AvroSchemaReaderTest {

  private static final String ID = field("id", "\"long\"");

  private static void refused(String message, List<String> keys, String... fields) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rowSchema(keys, fields))
        .withMessageContaining(message)
        .withMessageStartingWith("POS-111 things: ")
        .withMessageEndingWith(". " + Problem.UNUSABLE_SCHEMA.remedy());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not json", "{\"type\":\"record\"}", "{\"type\":\"recrd\"}"})
  void refusesWhatIsNoSchema(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredSchemas.parse(text))
        .withMessageStartingWith("the schema is not a valid Avro schema");
  }

  @Test
  void refusesWhatIsNoRecord() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredSchemas.parse("\"int\""))
        .withMessageContaining("type \"record\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"bytes\"; field f is bytes",
        "{\"type\":\"fixed\",\"name\":\"F\",\"size\":4}; field f is fixed",
        "\"null\"; field f is",
        "[\"int\",\"string\"]; field f is a union of several types",
        "{\"type\":\"long\",\"logicalType\":\"time-micros\"}; logical type time-micros",
        "{\"type\":\"string\",\"logicalType\":\"date\"}; logical type date on string",
        "{\"type\":\"string\",\"accepts\":\"all\"}; accepts",
        "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":900}; precision above 400"
      })
  void refusesATypeThatItCannotHonourAndNamesTheField(String type, String message) {
    refused(message, List.of("id"), ID, field("f", type));
  }

  @Test
  void refusesARecordThatContainsItself() {
    refused(
        "contains itself",
        List.of("id"),
        ID,
        field(
            "f",
            "{\"type\":\"record\",\"name\":\"Tree\",\"fields\":["
                + field("child", "[\"null\",\"Tree\"]")
                + "]}"));
  }

  @Test
  void refusesAKeyThatTheSchemaLacks() {
    refused("lacks the key field code", List.of("code"), ID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"double\"",
        "\"float\"",
        "{\"type\":\"array\",\"items\":\"int\"}",
        "{\"type\":\"map\",\"values\":\"int\"}"
      })
  void refusesAKeyThatIdentifiesNothing(String type) {
    refused("cannot identify a row", List.of("id"), field("id", type));
  }

  @Test
  void refusesAlternativesOfDifferentTypes() {
    refused("different types", List.of("id|code"), ID, field("code", "\"string\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"location", "LOCATION", "extra", "Extra"})
  void refusesAFieldNamedLikeOneThatEveryRowHas(String name) {
    String remedy = "give the service's field another name, and " + name + " as an alias";
    refused(remedy, List.of(name), field(name, "\"long\""));
    refused(remedy, List.of("id"), ID, field(name, "\"long\""));
  }

  @Test
  void refusesAFieldNamedLikeTheOccurrenceOnlyWhereRowsHaveOne() {
    var avro = DeclaredSchemas.parse(Fixture.record(ID, field("occurrence", "\"long\"")));
    RowSchema.of(avro, List.of("id"), false, DecimalMode.PRECISE, Fixture.NAMES);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> RowSchema.of(avro, List.of("id"), true, DecimalMode.PRECISE, Fixture.NAMES))
        .withMessageContaining("every row has a field occurrence of its own");
  }

  @Test
  void refusesAKeyFieldThatIsNamedTwice() {
    refused("key field id is named twice", List.of("id", "ID"), ID);
  }

  @Test
  void refusesAnOnlyKeyFieldThatMayBeNull() {
    refused("key field id may be null, and there is no other", List.of("id?"), ID);
  }

  @Test
  void refusesFieldsThatDifferOnlyInCase() {
    refused("differ at most in case", List.of("id"), ID, field("ID", "\"long\""));
  }

  @Test
  void refusesADefaultThatWouldReplaceANull() {
    for (String field :
        List.of(
            "{\"name\":\"d\",\"type\":\"boolean\",\"default\":true}",
            "{\"name\":\"d\",\"type\":[\"string\",\"null\"],\"default\":\"kg\"}",
            "{\"name\":\"d\",\"type\":{\"type\":\"int\",\"logicalType\":\"date\"},\"default\":1}")) {
      refused("field d has the default", List.of("id"), ID, field);
    }
  }
}
