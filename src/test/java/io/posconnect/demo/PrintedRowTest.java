package io.posconnect.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;

class PrintedRowTest {

  private static final Schema PRODUCT =
      SchemaBuilder.record("Product")
          .fields()
          .requiredLong("productId")
          .optionalString("name")
          .optionalString("extra")
          .endRecord();

  @Test
  void showsTypedFieldsThenThoseInExtra() {
    PrintedRow row =
        product("Tea", "{\"price\": 3.5, \"images\": [1], \"note\": null, \"sku\": \"A-1\"}");

    assertThat(row.summary(List.of("productId"))).isEqualTo("name=Tea price=3.5 sku=A-1");
  }

  @Test
  void showsWhatChangedBeforeBookkeeping() {
    PrintedRow first = product("Tea", "{\"price\": 3.5, \"lastModifiedDateUTC\": \"1\"}");

    assertThat(product("Tea", "{\"price\": 4, \"lastModifiedDateUTC\": \"2\"}").changesSince(first))
        .isEqualTo("price 3.5 → 4");
    assertThat(
            product("Tea", "{\"price\": 3.5, \"lastModifiedDateUTC\": \"2\"}").changesSince(first))
        .isEqualTo("lastModifiedDateUTC 1 → 2");
  }

  @Test
  void writesDecimalsWithoutTheirScale() {
    Schema schema =
        SchemaBuilder.record("Priced")
            .fields()
            .name("price")
            .type()
            .bytesType()
            .noDefault()
            .endRecord();
    GenericData.Record priced = new GenericData.Record(schema);
    priced.put("price", new BigDecimal("12.500000000"));

    assertThat(PrintedRow.of(priced).summary(List.of())).isEqualTo("price=12.5");
  }

  private static PrintedRow product(String name, String extra) {
    return PrintedRow.of(
        new GenericRecordBuilder(PRODUCT)
            .set("productId", 7L)
            .set("name", name)
            .set("extra", extra)
            .build());
  }
}
