package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.offset.StreamMemory;
import io.posconnect.record.FieldList;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Stream;
import io.posconnect.tool.AuditedKeys.Outcome;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs read, where a person's numbers have digits of their own, as in Egypt. */
class LocaleTest {

  private static final Instant NOW = Instant.parse("2026-01-31T09:30:00Z");

  private final Locale before = Locale.getDefault();
  @TempDir private Path folder;

  LocaleTest() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    assertThat("%d".formatted(1)).as("this JVM has the digits").isNotEqualTo("1");
  }

  @AfterEach
  void goHome() {
    Locale.setDefault(before);
  }

  @Test
  void aDecimalCanBeDeclaredInALine() {
    assertThat(FieldList.isField("price:decimal(2)")).isTrue();
  }

  @Test
  void aProposalNamesTypesInTheDigitsOfItsSchemas() {
    TypeChoice.Catalog types = new TypeChoice.Catalog(DecimalMode.PRECISE, new HashMap<>());

    assertThat(types.named("decimal(2)").label()).isEqualTo("decimal(38,2)");
  }

  @Test
  void metricsAreInPrometheusFormat() {
    StreamResult result =
        new StreamResult(
            new Stream("default", "things"),
            "pos.things",
            Map.of(Outcome.EQUAL, 12L),
            Optional.empty(),
            NOW,
            true,
            List.of(),
            List.of());

    assertThat(new AuditMetrics(List.of(result), NOW).text())
        .contains("outcome=\"equal\"} 12\n", "pos_audit_ended_seconds 1769851800\n");
  }

  @Test
  void aWorkerInAnotherLocaleKnowsTheSealOfAMovedMemory() {
    Map<Map<String, String>, Map<String, Object>> moved = sealed();
    Locale.setDefault(Locale.ROOT);

    assertThat(moved).isEqualTo(sealed());
  }

  private static Map<Map<String, String>, Map<String, Object>> sealed() {
    return StreamMemory.of(Map.of(Map.of("stream", "a/things"), Map.of("version", 2)))
        .iterator()
        .next()
        .sealed()
        .offsets();
  }

  @Test
  void flinkTakesTheTables() {
    Map<String, String> settings = Run.settings("https://service.invalid", "${env:KEY}");
    settings.put("resources", "inventory");
    settings.put("resources.inventory.fields", "inventoryId:long,quantity:decimal(2)");

    assertThat(Run.of("schemas", Run.file(folder, settings), "--flink").out())
        .contains("`quantity` DECIMAL(38, 2)");
  }
}
