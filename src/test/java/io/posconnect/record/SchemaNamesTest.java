package io.posconnect.record;

import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.rowSchema;
import static org.assertj.core.api.Assertions.assertThat;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.RandomCases;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Key;
import java.util.List;
import org.apache.avro.NameValidator;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
          new RowSchema(
              DeclaredSchemas.parse(declared.formatted(name)),
              List.of("productId"),
              false,
              DecimalMode.PRECISE,
              names);

      assertThat(rowSchema.valueSchema().name())
          .isEqualTo(name.equals("Article") ? "com.shop.Article" : name);
      assertThat(rowSchema.key().schema().name()).isEqualTo("com.shop.ProductKey");
      assertThat(rowSchema.eventSchema())
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

  /** As a converter registers it, read back by Avro's own parser. */
  @Test
  void aRecordMayStandInSeveralFields() {
    String line =
        "{\"type\":\"record\",\"name\":\"Line\",\"fields\":[" + field("n", "\"int\"") + "]}";
    RowSchema rowSchema =
        rowSchema(
            List.of("id"),
            field("id", "\"long\""),
            field("first", "[\"null\"," + line + "]"),
            "{\"name\":\"last\",\"type\":\"Line\",\"doc\":\"the last line\"}",
            field("more", "{\"type\":\"array\",\"items\":\"Line\"}"));

    org.apache.avro.Schema avro = new AvroData(10).fromConnectSchema(rowSchema.valueSchema());

    assertThat(
            new org.apache.avro.Schema.Parser(NameValidator.STRICT_VALIDATOR)
                .parse(avro.toString()))
        .isEqualTo(avro);
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
        new RowSchema(
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
