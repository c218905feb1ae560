package io.posconnect.record;

import static io.posconnect.record.Fixture.decimal;
import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.logical;
import static io.posconnect.record.Fixture.rowSchema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.json.Row;
import io.posconnect.problem.Problem;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Key;
import java.math.BigDecimal;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RowSchemaKeyTest {

  private static final RowSchema TEXT = rowSchema(List.of("id"), field("id", "\"string\""));

  private static Key key(RowSchema rowSchema, String json) throws BrokenRowException {
    return rowSchema.keyOf(Row.parse(json));
  }

  private static void broken(RowSchema rowSchema, String json, Reason reason) {
    assertThatThrownBy(() -> key(rowSchema, json))
        .isInstanceOfSatisfying(
            BrokenRowException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "10.0, 10", "1e1, 10", "1E+1, 10", "100e-1, 10", "-0, 0"})
  void oneIntegerIsANumberWhateverItsSpelling(String spelling, long number) throws Exception {
    assertThat(key(Fixture.products(), "{\"PRODUCTID\":" + spelling + "}"))
        .isEqualTo(Key.of(number));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          KEY_UNFIT     | {"productId":"10"} {"productId":10.5} {"productId":9223372036854775808}
          KEY_UNFIT     | {"productId":1e999999999} {"productId":1e-999999999} {"productId":true}
          KEY_UNFIT     | {"productId":1e99999999999999} {"productId":{}} {"productId":[1]}
          KEY_MISSING   | {} {"productId":null} {"other":1}
          NOT_AN_OBJECT | [1] 1 "a" null true
          KEY_AMBIGUOUS | {"productId":1,"productid":2}
          """)
  void rejectsARowWithoutALongAsItsKey(Reason reason, String rows) {
    for (String row : rows.split(" ", -1)) {
      broken(Fixture.products(), row, reason);
    }
    broken(TEXT, "{\"id\":\"\\ud800\"}", Reason.KEY_UNFIT);
    String aliased = "{\"name\":\"id\",\"aliases\":[\"no\"],\"type\":\"long\"}";
    broken(rowSchema(List.of("id"), aliased), "{\"id\":1,\"ID\":2,\"no\":3}", Reason.KEY_AMBIGUOUS);
  }

  /** Rows of more than 1,000 bytes or 5 levels are too much. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'productId':7,'a':'LONG'}",
        "{'a':{'productId':1},'productId':7.0,'b':'LONG'}",
        "{'a':[[[[[[1]]]]]],'PRODUCTID':7}",
        "{'productId':7,'a':NaN}",
        "{'a':{'b':01},'productId':7}",
      })
  void readsTheKeyOfARowThatExceedsALimitOrIsNotJson(String json) throws Exception {
    Row row = Fixture.received(json);

    assertThat(row.fault()).isPresent();
    assertThat(Fixture.products().keyOf(row)).isEqualTo(Key.of(7));
    assertThatThrownBy(() -> Fixture.products().admit(row, Long.MAX_VALUE))
        .isInstanceOf(BrokenRowException.class)
        .hasMessageMatching("too large: more than .*|not JSON: byte \\d+ of the row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'a':'LONG','productId':7}",
        "{'productId':LONG,'a':1}",
        "{'productId':7,'PRODUCTID':8,'a':'LONG'}",
        "{'productId':'7','a':'LONG'}",
        "{'productId':[7],'a':'LONG'}",
        "{'productId':null,'a':'LONG'}",
        "{'productId':1x,'a':1}",
        "{'productId':01,'a':1}",
        "{'a':1x,'productId':7}",
        "{'a':[[[[[[1]]]]]]}",
        "['LONG',{'productId':7}]",
        "secret",
      })
  void rejectsABrokenRowWhoseKeyCannotBeRead(String json) throws Exception {
    Row row = Fixture.received(json);

    assertThat(row.fault()).isPresent();
    assertThatThrownBy(() -> Fixture.products().keyOf(row))
        .isInstanceOf(BrokenRowException.class)
        .hasMessageStartingWith(json.contains("LONG") || json.contains("[[") ? "too l" : "not J");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [1,2]    | {'a':1,'b':2,'x':'LONG'} {'a':1,'b':null,'no':2,'x':'LONG'}
          [1,2]    | {'a':1,'b':null,'no':null,'c':2,'x':'LONG'} {'a':1,'c':2,'x':[[[[[[1]]]]]]}
          [1,null] | {'x':[[[[[[1]]]]]],'a':1}
          too l    | {'a':1,'x':'LONG','b':2} {'a':1,'c':2,'x':'LONG'}
          too l    | {'a':1,'b':null,'x':'LONG','no':2} {'a':1,'b':null,'no':2,'NO':3,'x':'LONG'}
          """)
  void aNameThatARowBrokeOffBeforeMayHaveTheKey(String key, String rows) throws Exception {
    String b = "{\"name\":\"b\",\"aliases\":[\"no\"],\"type\":\"long\"}";
    RowSchema rowSchema =
        rowSchema(List.of("a", "b|c?"), field("a", "\"long\""), b, field("c", "\"long\""));
    for (String row : rows.split(" ", -1)) {
      String found;
      try {
        found = rowSchema.keyOf(Fixture.received(row)).text();
      } catch (BrokenRowException e) {
        found = e.getMessage().substring(0, 5);
      }
      assertThat(found).isEqualTo(key);
    }
  }

  @Test
  void theMessageHoldsNothingOfTheRow() {
    assertThatThrownBy(() -> key(Fixture.products(), "{\"productId\":\"secret\"}"))
        .hasMessage("key does not fit its type: productId");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"registerTransactionId\":1,\"transactionId\":2}; 1",
        "{\"registerTransactionId\":null,\"transactionId\":2}; 2",
        "{\"transactionId\":3}; 3"
      })
  void usesTheFirstNameThatIsNotNull(String json, long number) throws BrokenRowException {
    RowSchema rowSchema =
        Fixture.builtIn("register-transactions", "registerTransactionId|transactionId");

    assertThat(key(rowSchema, json)).isEqualTo(Key.of(number));
    assertThat(rowSchema.key().struct("downtown", Key.of(number)).get("registerTransactionId"))
        .isEqualTo(number);
    broken(rowSchema, "{}", Reason.KEY_MISSING);
    broken(rowSchema, "{\"registerTransactionId\":\"x\",\"transactionId\":2}", Reason.KEY_UNFIT);
  }

  @Test
  void blanksAroundTheNamesOfAKeyAreNoPartOfThem() throws BrokenRowException {
    String[] fields = {field("a", "\"long\""), field("b", "\"long\""), field("c", "\"long\"")};
    RowSchema spaced = rowSchema(List.of("a | b", "c ?"), fields);

    assertThat(spaced.keyLayout()).isEqualTo(rowSchema(List.of("a|b", "c?"), fields).keyLayout());
    assertThat(key(spaced, "{\"b\":1}")).isEqualTo(Key.of("[1,null]"));
  }

  @Test
  void spellsTextKeysAsJson() throws BrokenRowException {
    assertThat(key(TEXT, "{\"id\":\"a\\\"b\\\\c\\u0001\\u00e9\\/\"}"))
        .isEqualTo(Key.of("[\"a\\\"b\\\\c\\u0001é/\"]"));
  }

  @Test
  void aKeyAboveAKilobyteIsBroken() throws BrokenRowException {
    String longest = "é".repeat(510);
    assertThat(key(TEXT, "{\"id\":\"" + longest + "\"}").text()).hasSize(514);
    broken(TEXT, "{\"id\":\"" + longest + "x\"}", Reason.KEY_TOO_LONG);
  }

  @Test
  void loyaltyKeysKeepNullsApartAndNumbersTogether() throws BrokenRowException {
    String row =
        "{\"locId\":1,\"customerId\":2,\"transactionDateUtc\":\"2026-01-01T00:00:00Z\","
            + "\"transactionType\":\"Earn\",\"registerTransactionId\":%s,\"points\":%s}";

    Key key = key(Fixture.loyalty(), row.formatted("null", "10.50"));

    assertThat(key)
        .isEqualTo(Key.of("[1,2,\"2026-01-01T00:00:00Z\",\"Earn\",null,10.5]"))
        .isEqualTo(key(Fixture.loyalty(), row.formatted("null", "1.05e1")))
        .isNotEqualTo(key(Fixture.loyalty(), row.formatted("0", "10.50")));
    broken(Fixture.loyalty(), row.formatted("\"x\"", "1"), Reason.KEY_UNFIT);
    broken(Fixture.loyalty(), row.formatted("1", "1e999999999"), Reason.KEY_UNFIT);
    broken(Fixture.loyalty(), row.formatted("1", "0.0000000001"), Reason.KEY_UNFIT);
  }

  @Test
  void occurrencesArePartOfTheKey() throws BrokenRowException {
    String row =
        "{\"locId\":1,\"customerId\":2,\"transactionDateUtc\":\"t\",\"transactionType\":\"e\"}";
    Key key = Fixture.loyalty().occurrence(key(Fixture.loyalty(), row), 2);

    Struct struct = Fixture.loyalty().key().struct("downtown", key);

    assertThat(key.text()).isEqualTo("[1,2,\"t\",\"e\",null,null,2]");
    assertThat(struct.get("location")).isEqualTo("downtown");
    assertThat(struct.get("locId")).isEqualTo(1L);
    assertThat(struct.get("points")).isNull();
    assertThat(struct.get("occurrence")).isEqualTo(2);
    struct.validate();
  }

  @Test
  void anOccurrenceOfANumberIsAText() {
    RowSchema rowSchema = Fixture.builtIn("products", List.of("productId"), true);

    Key key = rowSchema.occurrence(Key.of(7), 1);

    assertThat(key).isEqualTo(Key.of("[7,1]"));
    assertThat(rowSchema.key().struct("a", key).get("productId")).isEqualTo(7L);
  }

  @Test
  void keyIsTheLocationWithoutKeyFields() throws BrokenRowException {
    RowSchema rowSchema = Fixture.builtIn("locations");

    assertThat(key(rowSchema, "{\"LocationName\":\"x\"}")).isEqualTo(Key.of("[]"));
    assertThat(rowSchema.key().schema().fields()).extracting("name").containsExactly("location");
    rowSchema.key().struct("downtown", Key.of("[]")).validate();
  }

  @Test
  void allPartsNullIsNoKey() {
    RowSchema rowSchema =
        rowSchema(List.of("a?", "b?"), field("a", "\"long\""), field("b", "\"string\""));

    broken(rowSchema, "{\"a\":null}", Reason.KEY_MISSING);
  }

  private static RowSchema undescribed(String key) {
    return new RowSchema(
        FieldList.keysOnly("Things", List.of(key)),
        List.of(key),
        false,
        DecimalMode.PRECISE,
        Fixture.NAMES);
  }

  @Test
  void undescribedKeysMayBeAnyScalar() throws BrokenRowException {
    RowSchema rowSchema = undescribed("item-id|1st");

    assertThat(key(rowSchema, "{\"item-id\":12.0}")).isEqualTo(Key.of("[\"12\"]"));
    assertThat(key(rowSchema, "{\"item-id\":\"12\"}")).isEqualTo(Key.of("[\"12\"]"));
    assertThat(key(undescribed("item-id|1st"), "{\"1st\":true}")).isEqualTo(Key.of("[\"true\"]"));
    assertThat(rowSchema.key().struct("a", Key.of("[\"12\"]")).get("item_id")).isEqualTo("12");
    broken(rowSchema, "{\"item-id\":1e999999999}", Reason.KEY_UNFIT);
    broken(rowSchema, "{\"item-id\":[]}", Reason.KEY_UNFIT);
  }

  @Test
  void everyIdentifyingTypeReadsItsOwnSpelling() throws BrokenRowException {
    RowSchema rowSchema =
        rowSchema(
            List.of("a", "b", "c", "d", "e", "f", "g", "h"),
            field("a", "\"boolean\""),
            field("b", "\"int\""),
            field("c", decimal(10, 2)),
            field("d", logical("int", "date")),
            field("e", logical("int", "time-millis")),
            field("f", logical("long", "timestamp-millis")),
            field("g", logical("long", "timestamp-micros")),
            field("h", logical("string", "uuid")));

    String json =
        "{\"a\":true,\"b\":1.0,\"c\":1e1,\"d\":\"2026-01-02T00:00:00\",\"e\":\"10:00\","
            + "\"f\":\"01/02/2026 03:04:05\",\"g\":\"2026-01-02T03:04:05.000001Z\","
            + "\"h\":\"0F8FAD5B-D9CB-469F-A165-70867728950E\"}";
    Key key = key(rowSchema, json);
    Struct struct = rowSchema.key().struct("downtown", key);
    Struct after = Fixture.row(rowSchema, Row.parse(json), new Conversion());

    assertThat(key.text())
        .isEqualTo(
            "[true,1,10,\"2026-01-02\",\"10:00\",\"2026-01-02T03:04:05Z\","
                + "\"2026-01-02T03:04:05.000001Z\",\"0f8fad5b-d9cb-469f-a165-70867728950e\"]");
    assertThat(struct.get("c")).isEqualTo(new BigDecimal("10.00"));
    assertThat(struct.get("b")).isEqualTo(1);
    assertThat(List.of("a", "b", "c", "d", "e", "f", "g", "h"))
        .allSatisfy(name -> assertThat(after.get(name)).isEqualTo(struct.get(name)));
    struct.validate();
  }

  /** Its row is still in the topic, and may be deleted. */
  @Test
  void aKeyOfASymbolThatIsNoLongerDeclaredIsItsKeyStill() {
    RowSchema rowSchema =
        rowSchema(
            List.of("a"), field("a", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"X\"]}"));

    assertThat(rowSchema.key().struct("downtown", Key.of("[\"Y\"]")).get("a")).isEqualTo("Y");
  }

  /** The type of the key is no other one, so its row is deleted under the key that it has. */
  @Test
  void aKeyThatIsLongerThanItsDeclarationNowIsItsKeyStill() {
    RowSchema rowSchema = rowSchema(DecimalMode.DOUBLE, List.of("a"), field("a", decimal(4, 1)));

    assertThat(rowSchema.key().struct("downtown", Key.of("[123456.5]")).get("a"))
        .isEqualTo(123456.5);
  }

  @ParameterizedTest
  @CsvSource({"12.5, 12.5", "'\"12.5\"', 12.5", "123456, 123456"})
  void aKeyThatWasSpelledByAnEarlierDeclarationIsItsKeyStill(String spelled, String value) {
    RowSchema rowSchema = rowSchema(DecimalMode.STRING, List.of("a"), field("a", decimal(4, 1)));

    assertThat(rowSchema.key().struct("downtown", Key.of("[" + spelled + "]")).get("a"))
        .isEqualTo(value);
  }

  @Test
  void decimalKeysAreSpelledAlikeInEveryMode() throws BrokenRowException {
    for (DecimalMode mode : DecimalMode.values()) {
      RowSchema rowSchema = rowSchema(mode, List.of("a"), field("a", decimal(38, 9)));
      Row row = Row.parse("{\"a\":12.50}");

      Key key = rowSchema.keyOf(row);

      assertThat(key).isEqualTo(Key.of("[12.5]"));
      Struct before = rowSchema.keyRow("downtown", key);
      assertThat(rowSchema.row(before.schema(), "downtown", key, row, new Conversion()))
          .isEqualTo(before);
    }
  }

  @Test
  void keyFieldsAreRequiredUnlessTheirNameSaysThatTheyMayBeNull() {
    Schema loyalty = Fixture.loyalty().key().schema();

    assertThat(Fixture.products().key().schema().field("productId").schema().isOptional())
        .isFalse();
    assertThat(Fixture.products().valueSchema().field("productId").schema().isOptional()).isFalse();
    assertThat(loyalty.field("customerId").schema().isOptional()).isFalse();
    assertThat(loyalty.field("registerTransactionId").schema().isOptional()).isTrue();
  }

  @Test
  void refusesKeysOfOtherKeyFieldsWithARemedy() {
    RowSchema rowSchema =
        rowSchema(List.of("a", "b"), field("a", "\"long\""), field("b", "\"long\""));

    assertThatThrownBy(() -> rowSchema.key().struct("downtown", Key.of(7)))
        .hasMessage(
            Problem.KEY_FIELDS_CHANGED.at(
                "things", "a remembered key has 1 fields, and keys have 2 now"));
  }

  @Test
  void layoutNamesFieldsAndTypesAndAnotherNamespace() {
    assertThat(Fixture.products().keyLayout()).isEqualTo("location,productId:int64");
    assertThat(Fixture.loyalty().keyLayout())
        .startsWith("location,locId:int64,")
        .endsWith(",registerTransactionId?:int64,points?:decimal(38.9),occurrence");
    String whole = layout(List.of("a", "b"), "\"long\"");
    assertThat(whole).isEqualTo("location,a:int64,b:int64");
    assertThat(layout(List.of("b", "a"), "\"long\"")).isNotEqualTo(whole);
    assertThat(layout(List.of("a", "b"), "\"string\"")).isNotEqualTo(whole);
    assertThat(layout(List.of("A|b"), "\"long\""))
        .as("the struct is that of a, the value may be that of b")
        .isEqualTo("location,a|b:int64");
    assertThat(layout(List.of(), "\"long\"")).isEqualTo("location");
    RowSchema inAnotherNamespace =
        new RowSchema(
            DeclaredSchemas.builtIn("products").orElseThrow(),
            List.of("productId"),
            false,
            DecimalMode.PRECISE,
            SchemaNames.of("com.shop", "products"));
    assertThat(inAnotherNamespace.keyLayout())
        .isEqualTo("com.shop.ProductKey(location,productId:int64)");
  }

  private static String layout(List<String> keyFields, String type) {
    return rowSchema(keyFields, field("a", type), field("b", type)).keyLayout();
  }
}
