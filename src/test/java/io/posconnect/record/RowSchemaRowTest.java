package io.posconnect.record;

import static io.posconnect.record.Fixture.decimal;
import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.logical;
import static io.posconnect.record.Fixture.rowSchema;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.json.JsonNumber;
import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("JavaUtilDate") // what Connect's logical types are made of
final class RowSchemaRowTest {

  private final Conversion conversion = new Conversion();

  private Struct row(RowSchema rowSchema, String json) {
    Struct struct = Fixture.row(rowSchema, Row.parse(json), conversion);
    struct.validate();
    return struct;
  }

  /** The row of a row schema with one field {@code f} of that type beside its key. */
  private Struct typed(String type, String value) {
    RowSchema rowSchema =
        rowSchema(List.of("id"), field("id", "\"long\""), field("f", "[\"null\"," + type + "]"));
    return row(rowSchema, "{\"id\":1,\"f\":" + value + "}");
  }

  @Test
  void publishedFieldsAreTypedAndTheRestIsKeptByteForByte() {
    Struct row =
        row(
            Fixture.products(),
            "{ \"productId\":1, \"name\":\"Caf\\u00e9\", \"price\":10.50,"
                + " \"tags\" : [ 1,  2.0 ], \"note\":\"a\\/b\", \"big\":1e999999999 }");

    assertThat(row.get("productId")).isEqualTo(1L);
    assertThat(row.get("name")).isEqualTo("Café");
    assertThat(row.get("price")).isEqualTo(new BigDecimal("10.500000000"));
    assertThat(row.get("extra"))
        .isEqualTo("{\"tags\":[ 1,  2.0 ],\"note\":\"a\\/b\",\"big\":1e999999999}");
    assertThat(conversion.typeMismatches()).isZero();
  }

  @Test
  void extraIsNullWhenNothingIsLeft() {
    assertThat(row(Fixture.products(), "{\"productId\":1,\"name\":null}").get("extra")).isNull();
  }

  @Test
  void namesThatDifferOnlyInCaseAreBothKept() {
    Struct row =
        row(Fixture.products(), "{\"productId\":1,\"name\":\"a\",\"Name\":\"b\",\"x\":1,\"x\":2}");

    assertThat(row.get("name")).isNull();
    assertThat(row.get("extra")).isEqualTo("{\"name\":\"a\",\"Name\":\"b\",\"x\":1,\"x\":2}");
  }

  @Test
  void anAliasIsAnotherNameForAField() {
    RowSchema rowSchema =
        rowSchema(
            List.of("id"),
            field("id", "\"long\""),
            "{\"name\":\"unit_price\",\"aliases\":[\"unit-price\"],\"type\":\"long\"}");

    String row = "{\"id\":1,\"unit_price\":null,\"Unit-Price\":5}"; // A null counts as absent.
    assertThat(row(rowSchema, row).get("unit_price")).isEqualTo(5L);
    assertThat(row(rowSchema, row.replace("unit_price", "x")).get("unit_price")).isEqualTo(5L);
  }

  @ParameterizedTest
  @CsvSource({"caf\u00e9, cafe\u0301", "cafe\u0301, CAF\u00c9"})
  void anAliasMayBeWrittenInAnotherFormOfUnicode(String declared, String sent) {
    String alias = "{\"name\":\"cafe\",\"aliases\":[\"%s\"],\"type\":\"long\"}";
    RowSchema rowSchema = rowSchema(List.of(declared), alias.formatted(declared));
    Row row = Row.parse("{\"%s\":5}".formatted(sent));

    assertThat(row(rowSchema, row.json()).get("cafe")).isEqualTo(5L);
    assertThat(rowSchema.keyLayout()).contains("cafe");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"long\"; \"12\"",
        "\"int\"; 2147483648",
        "\"int\"; 1.5",
        "\"double\"; 1e999",
        "\"float\"; 1e39",
        "\"float\"; \"NaN\"",
        "\"boolean\"; \"true\"",
        "\"boolean\"; 1",
        "\"string\"; 12",
        "\"string\"; {\"a\":1}",
        "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\"]}; \"B\"",
        "{\"type\":\"string\",\"logicalType\":\"uuid\"}; \"N/A\"",
        "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}; \"\"",
        "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}; \"N/A\"",
        "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}; 1700000000000",
        "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}; \"13/01/2026 00:00:00\"",
        "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}; \"2026-02-30\"",
        "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}; \"+999999999-01-01\"",
        "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}; \"+294247-01-10T04:00:54.775808Z\"",
        "{\"type\":\"int\",\"logicalType\":\"date\"}; \"tomorrow\"",
        "{\"type\":\"int\",\"logicalType\":\"date\"}; \"+5881581-01-01\"",
        "{\"type\":\"int\",\"logicalType\":\"date\"}; \"-5877642-01-01\"",
        "{\"type\":\"int\",\"logicalType\":\"time-millis\"}; \"25:00\"",
        "{\"type\":\"array\",\"items\":\"int\"}; [1,\"2\"]",
        "{\"type\":\"array\",\"items\":\"int\"}; {}",
        "{\"type\":\"map\",\"values\":\"int\"}; {\"a\":\"b\"}",
      })
  void countsAndKeepsValuesThatDoNotFit(String type, String value) {
    Struct row = typed(type, value);

    assertThat(row.get("f")).isNull();
    assertThat(row.get("extra")).isEqualTo("{\"f\":" + value + "}");
    assertThat(conversion.typeMismatches()).isEqualTo(1);
  }

  /** What is typed; and whether the text is kept, since it says more or does not fit. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          12.5, 12.500000000, false
          1e1, 10.000000000, false
          0e999999999, 0E-9, false
          -0.0, 0E-9, false
          99999999999999999999999999999.999999999, 99999999999999999999999999999.999999999, false
          0.0000000005, 0.000000000, true
          0.0000000015, 0.000000002, true
          0.00000000051, 0.000000001, true
          -1.00000000049, -1.000000000, true
          1e-999999999, 0.000000000, true
          1e29, , true
          1e999999999, , true
          1e99999999999, , true
          100000000000000000000000000000, , true
          99999999999999999999999999999.9999999999, , true
          '"12"', , true
          """)
  void roundsADecimalOrRejectsItAndKeepsItsText(String text, BigDecimal typed, boolean kept) {
    Struct row = typed(decimal(38, 9), text);

    assertThat(row.get("f")).isEqualTo(typed);
    assertThat(row.get("extra")).isEqualTo(kept ? "{\"f\":" + text + "}" : null);
    assertThat(conversion.typeMismatches()).isEqualTo(typed == null ? 1 : 0);
  }

  @Test
  void numbersOfAMillionDigitsCostNothing() {
    String digits = "9".repeat(1_000_000);

    assertThat(typed("\"string\"", "\"" + digits + "\"").get("f")).isEqualTo(digits);
    assertThat(JsonNumber.of(JsonText.of(Row.parse(digits)))).isEmpty();
  }

  @Test
  void decimalsMayBeStringsOrDoubles() {
    String[] fields = {field("id", "\"long\""), field("f", decimal(38, 9))};
    RowSchema string = rowSchema(DecimalMode.STRING, List.of("id"), fields);
    RowSchema floating = rowSchema(DecimalMode.DOUBLE, List.of("id"), fields);
    String exact = "0.12345678901234567890";

    assertThat(row(string, "{\"id\":1,\"f\":" + exact + "}").get("f")).isEqualTo(exact);
    assertThat(row(string, "{\"id\":1,\"f\":1.5e1}").get("f")).isEqualTo("15");
    assertThat(row(string, "{\"id\":1,\"f\":1e-999999999}").get("f")).isEqualTo("0.000000000");
    assertThat(row(string, "{\"id\":1,\"f\":\"15\"}").get("f")).isNull();
    assertThat(row(floating, "{\"id\":1,\"f\":10.50}").get("f")).isEqualTo(10.5);
    assertThat(row(floating, "{\"id\":1,\"f\":" + exact + "}").get("extra"))
        .isEqualTo("{\"f\":" + exact + "}");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05, 2026-01-02T03:04:05Z",
    "2026-01-02T03:04, 2026-01-02T03:04:00Z",
    "2026-01-02T03:04:05.67Z, 2026-01-02T03:04:05.670Z",
    "2026-01-02T03:04:05.6780000, 2026-01-02T03:04:05.678Z",
    "2026-01-02, 2026-01-02T00:00:00Z",
    "01/02/2026 03:04:05, 2026-01-02T03:04:05Z",
    "0001-01-01T00:00:00, 0001-01-01T00:00:00Z"
  })
  void timesComeInManySpellings(String text, Instant instant) {
    Struct row = typed(logical("long", "timestamp-millis"), "\"" + text + "\"");

    assertThat(row.get("f")).isEqualTo(java.util.Date.from(instant));
    assertThat(row.get("extra")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-01-02T03:04:05.6789Z", "2026-01-02T05:04:05.678+02:00"})
  void keepsTheTextOfATimeThatLosesPrecision(String text) {
    Struct row = typed(logical("long", "timestamp-millis"), "\"" + text + "\"");

    assertThat(row.get("f"))
        .isEqualTo(java.util.Date.from(Instant.parse("2026-01-02T03:04:05.678Z")));
    assertThat(row.get("extra")).isEqualTo("{\"f\":\"" + text + "\"}");
    assertThat(conversion.typeMismatches()).isZero();
  }

  /** Services write 9999 for a date without an end. */
  @ParameterizedTest
  @CsvSource({
    "0001-01-01T00:00:00Z, -62135596800000000",
    "9999-12-31T23:59:59.999999Z, 253402300799999999",
    "+294247-01-10T04:00:54.775807Z, 9223372036854775807",
    "-290308-12-21T19:59:06.000001Z, -9223372036853999999",
  })
  void microsecondsCountAsFarAsALongReaches(String text, long micros) {
    Struct row = typed(logical("long", "timestamp-micros"), "\"" + text + "\"");

    assertThat(row.get("f")).isEqualTo(micros);
    assertThat(row.get("extra")).isNull();
  }

  @Test
  void microsecondsAndDaysAndTimesOfDayAreTyped() {
    assertThat(
            typed(logical("long", "timestamp-micros"), "\"1970-01-01T00:00:01.000002Z\"").get("f"))
        .isEqualTo(1_000_002L);
    assertThat(typed(logical("int", "date"), "\"1970-01-02\"").get("f"))
        .isEqualTo(new java.util.Date(86_400_000L));
    assertThat(typed(logical("int", "time-millis"), "\"00:00:01.5\"").get("f"))
        .isEqualTo(new java.util.Date(1_500L));
    assertThat(typed(logical("int", "date"), "\"1970-01-02T08:00:00\"").get("extra"))
        .isEqualTo("{\"f\":\"1970-01-02T08:00:00\"}");
  }

  @Test
  void keepsTheTextOfARoundedFloat() {
    assertThat(typed("\"double\"", "0.1").get("extra")).isNull();
    assertThat(typed("\"double\"", "0.10000000000000000001").get("extra"))
        .isEqualTo("{\"f\":0.10000000000000000001}");
    assertThat(typed("\"float\"", "0.1").get("f")).isEqualTo(0.1f);
  }

  @Test
  void nestedValuesAreTypedAndKeptWhereTheySayLess() {
    String type =
        "{\"type\":\"record\",\"name\":\"Tax\",\"doc\":\"d\",\"fields\":["
            + field("rate", "[\"null\",\"double\"]")
            + ","
            + field("code", "\"string\"")
            + "]}";

    Struct exact = typed(type, "{\"CODE\":\"A\", \"rate\":1.5}");
    Struct less = typed(type, "{\"code\":\"A\",\"since\":1}");
    Struct typeMismatch = typed(type, "{\"code\":\"A\",\"rate\":\"x\"}");

    assertThat(exact.getStruct("f").get("rate")).isEqualTo(1.5);
    assertThat(exact.get("extra")).isNull();
    assertThat(less.getStruct("f").get("code")).isEqualTo("A");
    assertThat(less.get("extra")).isEqualTo("{\"f\":{\"code\":\"A\",\"since\":1}}");
    assertThat(typeMismatch.getStruct("f").get("rate")).isNull();
    assertThat(typeMismatch.get("extra")).isEqualTo("{\"f\":{\"code\":\"A\",\"rate\":\"x\"}}");
    assertThat(typed(type, "{\"rate\":1.5}").get("f")).isNull();
    assertThat(conversion.typeMismatches()).isEqualTo(2);
  }

  @Test
  void listsAndMapsAreTyped() {
    String line = "{\"type\":\"record\",\"name\":\"L\",\"fields\":[" + field("n", "\"int\"") + "]}";

    Struct list =
        typed("{\"type\":\"array\",\"items\":[\"null\"," + line + "]}", "[{\"n\":1}, null]");
    Struct map =
        typed("{\"type\":\"map\",\"values\":\"string\"}", "{\"a\\n\":\"\\u0041\",\"b\":null}");
    Struct lists =
        typed(
            "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":\"int\"}}", "[[1, 2],[]]");

    assertThat(list.<Struct>getArray("f").get(0).get("n")).isEqualTo(1);
    assertThat(list.<Struct>getArray("f").get(1)).isNull();
    assertThat(map.get("f")).isEqualTo(Map.of("a\n", "A"));
    assertThat(map.get("extra")).isEqualTo("{\"f\":{\"a\\n\":\"\\u0041\",\"b\":null}}");
    assertThat(lists.get("f")).isEqualTo(Arrays.asList(List.of(1, 2), List.of()));
    assertThat(list.get("extra")).isNull();
  }

  @Test
  void keepsTextThatKafkaCannotCarryInExtra() {
    assertThat(typed("\"string\"", "\"\\ud800\"").get("extra")).isEqualTo("{\"f\":\"\\ud800\"}");
  }

  @Test
  void documentationIsKept() {
    assertThat(Fixture.products().valueSchema().field("productId").schema().doc())
        .isEqualTo("Identifies the product.");
    assertThat(Fixture.products().valueSchema().doc()).isEqualTo("An element of GET /products.");
  }
}
