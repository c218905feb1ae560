package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** The streams of one resource share their schemas, and no row of one stands in another's event. */
class SharedSchemasTest {

  private static final int STORES = 8;
  private static final int ROWS = 500;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void streamsOfOneResourceShareTheirSchemas() throws IOException {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start()) {
      Chain chain = Chain.of(service, STORES);
      chain.locations().forEach(name -> chain.location(name).products().generate(ROWS));
      try (DrivenTask task = DrivenTask.start(chain.settings(1_000, "products"))) {
        task.until(
            "all rows are emitted", () -> task.records("chain.products").size() == STORES * ROWS);
        List<SourceRecord> events = task.records("chain.products");

        Set<Schema> schemas = Collections.newSetFromMap(new IdentityHashMap<>());
        events.forEach(event -> schemas.addAll(List.of(event.keySchema(), event.valueSchema())));
        assertThat(schemas).hasSize(2);
        int[] texts = {0};
        for (SourceRecord event : events) {
          Struct row = ((Struct) event.value()).getStruct("after");
          JsonNode sent =
              chain.location(row.getString("location")).products().row(row.getInt64("productId"));
          JsonNode extra = JSON.readTree(row.getString("extra"));
          extra
              .properties()
              .forEach(
                  field -> {
                    if (field.getValue().isTextual()) {
                      texts[0]++;
                      assertThat(field.getValue()).isEqualTo(sent.get(field.getKey()));
                    }
                  });
        }
        assertThat(texts[0]).isGreaterThan(STORES * ROWS);
      }
    }
  }
}
