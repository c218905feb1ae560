package io.posconnect.record;

import static io.posconnect.record.Fixture.decimal;
import static io.posconnect.record.Fixture.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.record.RowSchema.DecimalMode;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ContractTest {

  private static final String ID = field("id", "\"long\"");
  private static final String PRICE = field("price", decimal(38, 9));

  private static Contract contract(String... fields) {
    return Fixture.rowSchema(List.of("id"), fields).contract();
  }

  @Test
  void isReadBackFromItsText() {
    Contract contract = contract(ID, PRICE, field("weight", decimal(20, 3)));

    assertThat(contract.text())
        .matches("[0-9a-f]{8} extra:string,id:number,location:string,price:9,weight:3");
    assertThat(Contract.parse(contract.text())).isEqualTo(contract);
    assertThat(Contract.parse(contract(ID).text())).isEqualTo(contract(ID));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "x y", "1f3a9c0b price",
        "1f3a9c0b :9", "1f3a9c0b a:B,", "1f3a9c0b price:-", ","
      })
  void readsAnyTextAsAContract(String text) {
    assertThat(contract(ID, PRICE).misread(Contract.parse(text))).isEmpty();
  }

  @Test
  void docsNamesOfRecordsAndDefaultsAreNoOtherForm() {
    Contract one = contract(ID, PRICE);
    String documented =
        "{\"name\":\"price\",\"doc\":\"d\",\"type\":[\"null\"," + decimal(30, 9) + "]}";

    assertThat(contract(ID, documented).differs(one)).isFalse();
    assertThat(one.differs(Contract.parse(""))).as("what is not known").isFalse();
  }

  @Test
  void moreOtherAndFewerTypedFieldsAreAnotherForm() {
    Contract one = contract(ID, PRICE);

    assertThat(contract(ID, PRICE, field("a", "\"long\"")).differs(one)).isTrue();
    assertThat(contract(ID).differs(one)).isTrue();
    assertThat(contract(ID, field("price", "\"double\"")).differs(one)).isTrue();
    assertThat(
            Fixture.rowSchema(DecimalMode.STRING, List.of("id"), ID, PRICE).contract().differs(one))
        .isTrue();
  }

  @Test
  void anotherScaleIsFoundWhereverItIs() {
    String line =
        "{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"Line\",\"fields\":[%s]}}";
    Contract one = contract(ID, field("lines", line.formatted(PRICE)));
    Contract other = contract(ID, field("lines", line.formatted(field("price", decimal(38, 2)))));

    assertThat(other.misread(one))
        .hasValue("lines[].price would have the scale 2, and stands in the topic with 9");
    assertThat(one.misread(one)).isEmpty();
    assertThat(contract(ID, PRICE).misread(contract(ID))).as("a new field").isEmpty();
    assertThat(contract(ID, field("price", decimal(20, 9))).misread(contract(ID, PRICE)))
        .as("another precision")
        .isEmpty();
  }

  @Test
  void anotherMeaningOfTheSameBytesIsFoundWhereverItIs() {
    String millis = "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}";
    String map = "{\"type\":\"map\",\"values\":%s}";
    Contract stored = contract(ID, field("seen", map.formatted(millis)));
    String micros = millis.replace("millis", "micros");

    assertThat(contract(ID, field("seen", map.formatted(micros))).misread(stored))
        .hasValue("seen[] would be timestamp-micros, and stands in the topic as timestamp");
    assertThat(contract(ID, field("seen", map.formatted("\"long\""))).misread(stored))
        .hasValue("seen[] would be number, and stands in the topic as timestamp");
    assertThat(contract(ID, field("seen", map.formatted("\"string\""))).misread(stored))
        .as("a registry refuses it")
        .isEmpty();
    assertThat(contract(ID, field("price", "\"string\"")).misread(contract(ID, PRICE)))
        .hasValue("price would be string, and stands in the topic as decimal");
  }

  /** A registry accepts most of these, since Avro reads one as the other. */
  @ParameterizedTest
  @CsvSource({
    "timestamp, timestamp-micros",
    "timestamp, long",
    "date, time",
    "date, timestamp",
    "date, int",
    "decimal, string",
    "decimal, json"
  })
  void typesThatAvroReadsAsEachOtherMeanSomethingElse(String one, String other) {
    assertThat(moved(one).misread(moved(other))).isPresent();
    assertThat(moved(other).misread(moved(one))).isPresent();
  }

  @ParameterizedTest
  @CsvSource({"string, json", "uuid, string", "int, long", "decimal, decimal(9)", "boolean, date"})
  void otherTypesMeanTheSameOrAreRefusedByARegistry(String one, String other) {
    assertThat(moved(one).misread(moved(other))).isEmpty();
    assertThat(moved(other).misread(moved(one))).isEmpty();
  }

  /** The connector accepts the second type and the registry does not, so no value has it. */
  @Test
  void remembersWhatStoodInTheTopicBeforeATypeThatRegistriesRefuse() {
    Contract tried = moved("long").after(moved("string"));

    assertThat(moved("decimal").misread(tried)).isPresent();
    assertThat(moved("string").misread(tried)).isEmpty();
  }

  private static Contract moved(String type) {
    Schema row =
        FieldList.added(DeclaredSchemas.parse(Fixture.record(ID)), List.of("moved:" + type));
    return new RowSchema(row, List.of("id"), false, DecimalMode.PRECISE, Fixture.NAMES).contract();
  }

  @Test
  void remembersTheScalesOfUndeclaredFields() {
    Contract without = contract(ID).after(contract(ID, PRICE));

    assertThat(without.differs(contract(ID))).isFalse();
    assertThat(contract(ID, field("price", decimal(38, 2))).misread(without)).isPresent();
    assertThat(contract(ID, PRICE).misread(without)).isEmpty();
  }
}
