package io.posconnect.record;

import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.rowSchema;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
        .withMessageContaining(message);
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

  /** The key fields, and the fields behind {@code id}; a name and a type, or a whole field. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          id; f "bytes"; field f is bytes
          id; f {"type":"fixed","name":"F","size":4}; field f is fixed
          id; f "null"; field f is
          id; f ["int","string"]; field f is a union of several types
          id; f {"type":"long","logicalType":"time-micros"}; logical type time-micros
          id; f {"type":"string","logicalType":"date"}; logical type date on string
          id; f {"type":"string","accepts":"all"}; accepts
          id; f {"type":"bytes","logicalType":"decimal","precision":900}; precision above 400
          id; f {"type":"record","name":"T","fields":[{"name":"c","type":["null","T"]}]}; contains itself
          id; ID "long"; differ at most in case
          id; {"name":"f","aliases":["\u0131d"],"type":"long"}; differ at most in case
          id; {"name":"d","type":"boolean","default":true}; field d has the default
          id; {"name":"d","type":["string","null"],"default":"kg"}; field d has the default
          id; {"name":"d","type":{"type":"int","logicalType":"date"},"default":1}; field d has the default
          id; f {"type":"record","name":"T","fields":[{"name":"c","type":"int","default":7}]}; field c has the default 7
          code; f "long"; lacks the key field code
          f; f "double"; cannot identify a row
          f; f "float"; cannot identify a row
          f; f {"type":"array","items":"int"}; cannot identify a row
          f; f {"type":"map","values":"int"}; cannot identify a row
          id|code; code "string"; different types
          id,ID; f "long"; key field id is named twice
          id?; f "long"; key field id may be null, and there is no other
          """)
  void refusesASchemaThatItCannotHonour(String keys, String field, String message) {
    String[] parts = field.split(" ", 2);
    refused(
        message,
        List.of(keys.split(",", -1)),
        ID,
        field.startsWith("{") ? field : field(parts[0], parts[1]));
  }

  /** Each record has twice the fields of the one before: 2^40 in all, in a few lines. */
  @Test
  void refusesRecordsThatMultiply() {
    StringBuilder fields =
        new StringBuilder(
            field("r0", "{\"type\":\"record\",\"name\":\"R0\",\"fields\":[" + ID + "]}"));
    for (int i = 1; i <= 40; i++) {
      String twice = field("a", "\"R" + (i - 1) + "\"") + "," + field("b", "\"R" + (i - 1) + "\"");
      fields
          .append(',')
          .append(
              field(
                  "r" + i,
                  "{\"type\":\"record\",\"name\":\"R" + i + "\",\"fields\":[" + twice + "]}"));
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredSchemas.parse(Fixture.record(ID, fields.toString())))
        .withMessageContaining("more than 10000 fields");
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
    new RowSchema(avro, List.of("id"), false, DecimalMode.PRECISE, Fixture.NAMES);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RowSchema(avro, List.of("id"), true, DecimalMode.PRECISE, Fixture.NAMES))
        .withMessageContaining("every row has a field occurrence of its own");
  }
}
