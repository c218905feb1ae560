package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * When a running connector gets other typed fields, it repeats no event, keeps all keys, and
 * reports that older events of the topic have another form.
 */
class ContractChangeTest {

  private static final String TOPIC = "pos.inventory";
  private static final String FIELDS = "resources.inventory.fields";
  private static final int ROWS = 5;

  @AutoClose
  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

  private final Table inventory = service.location().inventory();
  @AutoClose private final TaskLog log = TaskLog.listen();
  @AutoClose private DrivenTask run;

  @BeforeEach
  void fill() {
    service.location().products().generate(ROWS);
    inventory.generate(ROWS);
  }

  private void run(String fields, String... more) {
    Map<String, String> settings = new TreeMap<>(DrivenTask.props(service, "inventory").map());
    if (!fields.isEmpty()) {
      settings.put(FIELDS, fields);
    }
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    run = run == null ? DrivenTask.start(settings) : run.restart(settings);
  }

  private void untilRead() {
    run.fetches(2);
  }

  private List<Struct> rows() {
    return run.values(TOPIC).stream().map(value -> value.getStruct("after")).toList();
  }

  private void assertSuspended(String... parts) {
    run.until("suspended", () -> !run.statuses("SUSPENDED").isEmpty());
    assertThat(run.statuses("SUSPENDED")).anySatisfy(status -> assertThat(status).contains(parts));
    assertThat(run.records(TOPIC)).isEmpty();
    assertThat(run.failure()).isNull();
  }

  private static Set<Schema> keySchemas(List<SourceRecord> records) {
    Set<Schema> schemas = new HashSet<>();
    records.forEach(record -> schemas.add(record.keySchema()));
    return schemas;
  }

  @Test
  void reportsLargerContractOnceAndRepeatsNothing() {
    run("");
    untilRead();
    List<SourceRecord> before = run.records(TOPIC);
    assertThat(before).hasSize(ROWS);

    run("productId:long,quantityAvailable:decimal");
    untilRead();
    assertThat(run.records(TOPIC)).isEmpty();
    assertThat(run.statuses("CONTRACT_CHANGED"))
        .singleElement()
        .satisfies(status -> assertThat(status).contains("POS-608", "snapshot.id"));
    assertThat(log.lines())
        .filteredOn(line -> line.startsWith("WARN POS-608 default/inventory: "))
        .singleElement()
        .satisfies(Messages::assertExplained);
    inventory.update(inventory.ids().get(0));
    run.until("the update", () -> !rows().isEmpty());
    assertThat(rows().get(0).getInt64("productId")).isPositive();
    assertThat(keySchemas(run.records(TOPIC))).isEqualTo(keySchemas(before));

    run("productId:long,quantityAvailable:decimal");
    untilRead();
    assertThat(run.statuses("CONTRACT_CHANGED")).isEmpty();

    run("productId:long,quantityAvailable:decimal", "snapshot.id", "typed");
    untilRead();
    assertThat(rows()).hasSize(ROWS).allMatch(row -> row.getInt64("productId") > 0);
  }

  @Test
  void typesFieldsWithOneSettingAndRefusesOtherScaleUntilRestoredOrRenamed() {
    run("productId:long,quantityAvailable:decimal");
    untilRead();
    assertThat(rows())
        .hasSize(ROWS)
        .allSatisfy(
            row -> {
              assertThat(row.getInt64("productId")).isPositive();
              assertThat(row.get("quantityAvailable")).isNotNull();
              assertThat(row.getString("extra")).doesNotContain("productId", "quantityAvailable");
            });

    run("productId:long,quantityAvailable:decimal(2)", "snapshot.id", "even so");
    assertSuspended("POS-609", "quantityAvailable");

    run("productId:long,quantity|quantityAvailable:decimal(2)", "snapshot.id", "even so");
    untilRead();
    assertThat(rows()).hasSize(ROWS);
    assertThat(rows().get(0).schema().field("quantity").schema().parameters())
        .containsEntry(Decimal.SCALE_FIELD, "2");
  }

  @ParameterizedTest
  @CsvSource({"timestamp, timestamp-micros", "string, decimal"})
  void refusesTypeAsWhichEarlierValuesWouldBeMisread(String before, String now) {
    run("moved:" + before);
    untilRead();

    run("moved:" + now, "snapshot.id", "even so");
    assertSuspended("POS-609 default/inventory: moved would be ");

    run("other:" + now);
    untilRead();
    run("moved:" + now);
    assertSuspended("POS-609");

    run("moved:" + before);
    inventory.update(inventory.ids().get(0));
    run.until("the update", () -> rows().size() == 1);
  }
}
