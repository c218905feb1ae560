package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.RandomCases;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldListTest {

  private static final List<String> WORDS =
      List.of(
          ("boolean int long float double string decimal decimal(0) decimal(2)"
                  + " decimal(38) date time timestamp timestamp-micros uuid json")
              .split(" "));

  private static RowSchema with(String resource, String key, String... fields) {
    return new RowSchema(
        FieldList.added(DeclaredSchemas.builtIn(resource).orElseThrow(), List.of(fields)),
        List.of(key),
        false,
        DecimalMode.PRECISE,
        SchemaNames.of("io.posconnect", resource));
  }

  private static Struct row(RowSchema rowSchema, String json) {
    Struct row = Fixture.row(rowSchema, Row.parse(json), new Conversion());
    row.validate();
    return row;
  }

  @Test
  void oneLineTypesWhatAnInventoryLevelHas() {
    RowSchema inventory =
        with(
            "inventory",
            "inventoryId",
            "productId:long",
            "quantityAvailable:decimal",
            "details:json");

    Struct row =
        row(
            inventory,
            "{\"inventoryId\":1,\"productId\":7,\"quantityAvailable\":2.5,"
                + "\"details\":[ {\"a\" : 1e3} ],\"other\":true}");

    assertThat(row.get("productId")).isEqualTo(7L);
    assertThat(row.get("quantityAvailable")).isEqualTo(new BigDecimal("2.500000000"));
    assertThat(row.get("details")).as("as it was sent").isEqualTo("[ {\"a\" : 1e3} ]");
    assertThat(row.get("extra")).isEqualTo("{\"other\":true}");
    assertThat(inventory.valueSchema().name()).isEqualTo("io.posconnect.InventoryLevel");
    assertThat(inventory.keyLayout()).isEqualTo(with("inventory", "inventoryId").keyLayout());
    assertThat(inventory.valueSchema().fields())
        .extracting(Field::name)
        .containsExactly(
            "location", "inventoryId", "productId", "quantityAvailable", "details", "extra");
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp, org.apache.kafka.connect.data.Timestamp",
    "timestamp-micros, io.debezium.time.MicroTimestamp",
    "uuid, io.debezium.data.Uuid",
    "json, io.debezium.data.Json",
    "date, org.apache.kafka.connect.data.Date",
    "time, org.apache.kafka.connect.data.Time"
  })
  void sinksHaveAColumnForEachType(String word, String semantic) {
    Schema schema = with("products", "productId", "x:" + word).valueSchema().field("x").schema();

    assertThat(schema.name()).isEqualTo(semantic);
    assertThat(schema.isOptional()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":1}", "[1, 2]", "\"text\"", "1e999999999", "true", "\"\\ud800\"", "null"})
  void whateverIsSentButNullIsJson(String value) {
    Struct row =
        row(with("products", "productId", "x:json"), "{\"productId\":1,\"x\":" + value + "}");

    assertThat(row.get("x")).isEqualTo(value.equals("null") ? null : value);
    assertThat(row.get("extra")).isNull();
  }

  @Test
  void addedFieldsReplaceDeclaredOnesOfTheirName() {
    RowSchema products = with("products", "productId", "PRICE:decimal(2)", "label|Name:string");

    assertThat(products.valueSchema().fields())
        .extracting(Field::name)
        .containsExactly("location", "productId", "label", "PRICE", "extra");
    Struct row = row(products, "{\"productId\":1,\"name\":\"Tea\",\"price\":2.5}");
    assertThat(row.get("PRICE")).isEqualTo(new BigDecimal("2.50"));
    assertThat(row.get("label")).isEqualTo("Tea");
  }

  /** As around the commas of the list. */
  @Test
  void blanksAroundNamesAreNoPartOfThem() {
    RowSchema spaced = with("products", "productId", " label | Name : string", "due :date");

    assertThat(spaced.contract())
        .isEqualTo(with("products", "productId", "label|Name:string", "due:date").contract());
    assertThat(row(spaced, "{\"productId\":1,\"name\":\"Tea\"}").get("label")).isEqualTo("Tea");
  }

  @Test
  void respellsNamesThatAvroRefuses() {
    RowSchema products = with("products", "productId", "unit-cost:long", "2nd name:string");

    Struct row = row(products, "{\"productId\":1,\"unit-cost\":5,\"2nd name\":\"b\"}");

    assertThat(row.get("unit_cost")).isEqualTo(5L);
    assertThat(row.get("_2nd_name")).isEqualTo("b");
  }

  @Test
  void refusesFieldsNamedLikeOurs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with("products", "productId", "location:string"))
        .withMessageContaining("location as an alias");

    Struct row =
        row(
            with("products", "productId", "place|location:string"),
            "{\"productId\":1,\"location\":\"shelf 4\"}");

    assertThat(row.get("place")).isEqualTo("shelf 4");
    assertThat(row.get("location")).isEqualTo("downtown");
  }

  @Test
  void fieldsCanTypeAnUndescribedKey() throws BrokenRowException {
    var keys = FieldList.keysOnly("Cards", List.of("id"));
    RowSchema cards =
        new RowSchema(
            FieldList.added(keys, List.of("id:long", "balance:decimal(2)")),
            List.of("id"),
            false,
            DecimalMode.PRECISE,
            SchemaNames.of("io.posconnect", "cards"));

    assertThat(cards.keyLayout()).isEqualTo("location,id:int64");
    assertThat(cards.keyOf(Row.parse("{\"id\":4}")).number()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ":", "a", "a:", ":long", "a:longer",
        "a:long(2)", "a:decimal()", "a:decimal(39)", "a:decimal(2", "a|:long", "|a:long",
        "a| :long", " :long", "a:b:long", "a:LONG", "a:decimal(-1)"
      })
  void whatIsNoFieldIsRefused(String text) {
    assertThat(FieldList.isField(text)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> with("products", "productId", text));
  }

  @Test
  void aFieldThatComesTwiceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with("products", "productId", "a:long", "a:int"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with("products", "productId", "a:long", "b|A:int"));
  }

  @Test
  void anyListOfFieldsMakesAContractOrIsRefused() {
    RandomCases.check(
        500,
        random -> {
          List<String> fields = new ArrayList<>();
          for (int i = random.nextInt(6); i > 0; i--) {
            String name = Fixture.text(random, 6) + i;
            fields.add(name + ":" + WORDS.get(random.nextInt(WORDS.size())));
          }
          boolean sound = fields.stream().allMatch(FieldList::isField);
          try {
            RowSchema products = with("products", "productId", fields.toArray(String[]::new));
            assertThat(sound).as("%s", fields).isTrue();
            row(products, "{\"productId\":1,\"x\":[1]}");
          } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageMatching("(?s).{10,}");
          }
        });
  }
}
