package io.posconnect.record;

import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.rowSchema;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.json.Row;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.NameValidator;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaNamesTest {

  @ParameterizedTest
  @CsvSource({
    "products, io.posconnect.ProductKey, io.posconnect.products.Envelope",
    "inventory, io.posconnect.InventoryLevelKey, io.posconnect.inventory.Envelope",
    "register-transactions, io.posconnect.RegisterTransactionKey,"
        + " io.posconnect.register_transactions.Envelope",
    "gift-cards, io.posconnect.GiftCardsKey, io.posconnect.gift_cards.Envelope",
    "2nd, io.posconnect._2ndKey, io.posconnect._2nd.Envelope"
  })
  void keysAndEnvelopesAreNamedAfterTheirResource(String resource, String key, String envelope) {
    SchemaNames names = SchemaNames.of("io.posconnect", resource);

    assertThat(names.key()).isEqualTo(key);
    assertThat(names.envelope()).isEqualTo(envelope);
  }

  @Test
  void declaredRecordsKeepTheirNames() {
    String declared = Fixture.record(field("productId", "\"long\"")).replace("\"R\"", "\"%s\"");
    SchemaNames names = SchemaNames.of("com.shop", "products");
    for (String name : List.of("Article", "org.tills.Article")) {
      RowSchema rowSchema =
          RowSchema.of(
              DeclaredSchemas.parse(declared.formatted(name)),
              List.of("productId"),
              false,
              DecimalMode.PRECISE,
              names);

      assertThat(rowSchema.valueSchema().name())
          .isEqualTo(name.equals("Article") ? "com.shop.Article" : name);
      assertThat(rowSchema.keySchema().name()).isEqualTo("com.shop.ProductKey");
      assertThat(new Envelope(rowSchema, Fixture.destination(EventFormat.ENVELOPE, true)).schema())
          .extracting(Schema::name)
          .isEqualTo("com.shop.products.Envelope");
    }
  }

  @Test
  void anyResourceGivesNamesThatAvroAllows() {
    RandomCases.check(
        1000,
        random -> {
          SchemaNames names = SchemaNames.of("a.b", Fixture.text(random, 12));
          for (String segment : (names.envelope() + "." + names.key()).split("\\.", -1)) {
            assertThat(NameValidator.STRICT_VALIDATOR.validate(segment).isOK())
                .as(segment)
                .isTrue();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"products", "customers", "locations", "inventory"})
  void publishedSchemasAreAvroSchemas(String resource) {
    String key = resource.equals("locations") ? "locationName" : keyOf(resource);

    assertAvro(Fixture.builtIn(resource, key));
  }

  private static String keyOf(String resource) {
    return switch (resource) {
      case "products" -> "productId";
      case "customers" -> "customerID";
      default -> "inventoryId";
    };
  }

  @Test
  void everyOtherSchemaIsAnAvroSchema() {
    assertAvro(Fixture.loyalty());
    assertAvro(Fixture.builtIn("register-transactions", "registerTransactionId|transactionId"));
    String line =
        "{\"type\":\"record\",\"name\":\"Line\",\"fields\":[" + field("n", "\"int\"") + "]}";
    assertAvro(
        rowSchema(
            List.of("id"),
            field("id", "\"long\""),
            field("first", "[\"null\"," + line + "]"),
            "{\"name\":\"last\",\"type\":\"Line\",\"doc\":\"the last line\"}",
            field("more", "{\"type\":\"array\",\"items\":\"Line\"}")));
    parsed(FieldSchemas.STREAM_KEY);
    parsed(Checkpoint.SCHEMA);
    parsed(DeadLetter.SCHEMA);
  }

  private static void assertAvro(RowSchema rowSchema) {
    parsed(rowSchema.keySchema());
    parsed(rowSchema.valueSchema());
    parsed(new Envelope(rowSchema, Fixture.destination(EventFormat.ENVELOPE, true)).schema());
  }

  /** The schema as a converter would register it, read back by Avro's own parser. */
  private static void parsed(Schema schema) {
    org.apache.avro.Schema avro = avro(schema);
    assertThat(
            new org.apache.avro.Schema.Parser(NameValidator.STRICT_VALIDATOR)
                .parse(avro.toString()))
        .isEqualTo(avro);
  }

  private static org.apache.avro.Schema avro(Schema schema) {
    org.apache.avro.Schema type =
        switch (schema.type()) {
          case STRUCT -> struct(schema);
          case ARRAY -> org.apache.avro.Schema.createArray(avro(schema.valueSchema()));
          case MAP -> org.apache.avro.Schema.createMap(avro(schema.valueSchema()));
          case INT32 -> SchemaBuilder.builder().intType();
          case INT64 -> SchemaBuilder.builder().longType();
          case FLOAT32 -> SchemaBuilder.builder().floatType();
          case FLOAT64 -> SchemaBuilder.builder().doubleType();
          case BOOLEAN -> SchemaBuilder.builder().booleanType();
          case STRING -> SchemaBuilder.builder().stringType();
          case BYTES -> SchemaBuilder.builder().bytesType();
          case INT8, INT16 -> throw new AssertionError("Avro has no " + schema.type());
        };
    return schema.isOptional()
        ? SchemaBuilder.unionOf().nullType().and().type(type).endUnion()
        : type;
  }

  private static org.apache.avro.Schema struct(Schema schema) {
    List<org.apache.avro.Schema.Field> fields = new ArrayList<>();
    for (Field field : schema.fields()) {
      fields.add(new org.apache.avro.Schema.Field(field.name(), avro(field.schema())));
    }
    int dot = schema.name().lastIndexOf('.');
    org.apache.avro.Schema record =
        org.apache.avro.Schema.createRecord(
            schema.name().substring(dot + 1), null, schema.name().substring(0, dot), false, fields);
    record.addProp("connect.doc", String.valueOf(schema.doc()));
    return record;
  }

  @Test
  void allFieldsButTheKeyAreOptional() {
    for (Field field : Fixture.products().valueSchema().fields()) {
      assertThat(field.schema().isOptional())
          .as(field.name())
          .isEqualTo(!List.of("location", "productId").contains(field.name()));
    }
  }

  @Test
  void onlyPublishedResourcesHaveASchemaOfOurs() {
    assertThat(DeclaredSchemas.builtIn("widgets")).isEmpty();
    assertThat(DeclaredSchemas.builtIn("../record/products")).isEmpty();
  }

  @Test
  void keepsAllInExtraWithoutSchemaAndKey() throws BrokenRowException {
    RowSchema rowSchema =
        RowSchema.of(
            FieldList.keysOnly("Things", List.of()),
            List.of(),
            false,
            DecimalMode.STRING,
            Fixture.NAMES);

    assertThat(rowSchema.keyOf(Row.parse("{\"a\":1}"))).isEqualTo(Key.of("[]"));
    assertThat(Fixture.row(rowSchema, Row.parse("{\"a\":1}"), new Conversion()).get("extra"))
        .isEqualTo("{\"a\":1}");
  }
}
