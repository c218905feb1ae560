package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * When a running connector gets other key fields, rows under the old keys are not deleted, and
 * their digest is kept until an operator confirms the change.
 */
class KeyChangeTest {

  private static final String STREAM = "store000/inventory";
  private static final String INVENTORY = "chain.inventory";
  private static final String PRODUCTS = "chain.products";
  private static final String BY_ID = "inventoryId";
  private static final String BY_BOTH = "productId,inventoryId";
  private static final String BY_BOTH_REVERSED = "inventoryId,productId";
  private static final int ROWS = 10;

  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"Level\",\"fields\":["
          + "{\"name\":\"inventoryId\",\"type\":\"long\"},{\"name\":\"productId\",\"type\":\"long\"}]}";

  @AutoClose
  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

  private final Chain chain = Chain.of(service, 1);
  private final SimulatedLocation location = chain.location("store000");
  private final Table inventory = location.inventory();
  @AutoClose private final TaskLog log = TaskLog.listen();
  private final List<SourceRecord> topic = new ArrayList<>();
  @AutoClose private DrivenTask run;

  @BeforeEach
  void fill() {
    inventory.generate(ROWS);
    location.products().generate(1);
  }

  private Map<String, String> settings(String keyFields, String snapshotId) {
    Map<String, String> settings = new TreeMap<>(chain.settings(50, "inventory", "products"));
    settings.put("checkpoint.interval.ms", "0");
    settings.put("resources.inventory.schema", SCHEMA);
    settings.put("resources.inventory.key.fields", keyFields);
    settings.put("resources.inventory.snapshot.id", snapshotId);
    return settings;
  }

  private void run(String keyFields, String snapshotId) {
    Map<String, String> settings = settings(keyFields, snapshotId);
    if (run == null) {
      run = DrivenTask.start(settings);
    } else {
      stop();
      run = run.restart(settings);
    }
  }

  private void stop() {
    run.close();
    assertThat(run.failure()).isNull();
    topic.addAll(run.records(INVENTORY));
  }

  private void awaitOperations(String operation, int count) {
    run.until(
        count + " of " + operation,
        () -> run.operations(INVENTORY).stream().filter(operation::equals).count() == count);
  }

  /** Waits until the stream has been read some times more, and its position is stored. */
  private void awaitReads() {
    long reads = reads();
    run.until("reads", () -> reads() > reads + 3);
  }

  private long reads() {
    return run.records("chain.checkpoints").stream()
        .filter(checkpoint -> String.valueOf(checkpoint.key()).contains("inventory"))
        .count();
  }

  /**
   * A key of the topic.
   *
   * @param fields its names without the location's, separated by commas
   */
  private record Standing(String fields, List<Object> values) {
    static Standing of(Struct key) {
      List<String> names = key.schema().fields().stream().map(Field::name).skip(1).toList();
      return new Standing(String.join(",", names), names.stream().map(key::get).toList());
    }
  }

  /** The keys of those fields that compaction leaves in the topic. */
  private Set<List<Object>> standing(String fields) {
    Set<Standing> standing = new HashSet<>();
    Stream.concat(topic.stream(), run.records(INVENTORY).stream())
        .forEach(
            record -> {
              Standing key = Standing.of((Struct) record.key());
              if (record.value() == null) {
                assertThat(standing.remove(key)).as("%s was there", key).isTrue();
              } else {
                standing.add(key);
              }
            });
    return standing.stream()
        .filter(key -> key.fields().equals(fields))
        .map(Standing::values)
        .collect(Collectors.toSet());
  }

  /** The keys of the service's rows. */
  private Set<List<Object>> truth(String fields) {
    return inventory.truth().values().stream()
        .map(
            row ->
                Stream.of(fields.split(",")).<Object>map(name -> row.path(name).asLong()).toList())
        .collect(Collectors.toSet());
  }

  private String keys() {
    return String.valueOf(run.offsets().get(Map.of("stream", STREAM)).get("keys"));
  }

  @Test
  void otherKeyFieldsSuspendStreamAndUndoingLosesNothing() {
    run(BY_ID, "");
    awaitOperations("r", ROWS);
    awaitReads();
    assertThat(keys()).isEqualTo("location,inventoryId:int64");

    run(BY_BOTH, "");
    String suspended = "is suspended until the configuration changes";
    run.until(suspended, () -> log.text().contains(suspended));
    inventory.delete(inventory.ids().get(0));
    inventory.update(inventory.ids().get(0));
    location.products().create();
    service.forgetRequests();
    run.until("the product", () -> !run.records(PRODUCTS).isEmpty());
    assertThat(service.requests("/reporting/inventory")).isEmpty();
    assertThat(run.operations(INVENTORY)).isEmpty();
    assertThat(log.lines())
        .filteredOn(line -> line.startsWith("ERROR"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .contains(STREAM, "resources.inventory.key.fields", "inventory.snapshot.id"))
        .satisfies(Messages::assertExplained);

    run(BY_ID, "");
    awaitOperations("d", 1);
    awaitOperations("u", 1);
    awaitReads();
    assertThat(run.operations(INVENTORY)).hasSize(2);
    assertThat(standing(BY_ID)).isEqualTo(truth(BY_ID));
    assertThat(standing(BY_BOTH)).isEmpty();
  }

  @Test
  void acceptsOtherKeysWithNewSnapshotId() {
    run(BY_ID, "");
    awaitOperations("r", ROWS);
    awaitReads();
    Set<List<Object>> first = standing(BY_ID);
    run(BY_BOTH, "june");
    assertChanged(BY_BOTH);
    // As many fields: old keys in the digest could pass for keys of the new order.
    run(BY_BOTH_REVERSED, "july");
    assertChanged(BY_BOTH_REVERSED);
    assertThat(standing(BY_ID)).as("the old keys stay").isEqualTo(first);
    run(BY_ID, "");
    awaitOperations("r", inventory.size());
    awaitReads();
    assertThat(run.operations(INVENTORY)).containsOnly("r");
    first.addAll(truth(BY_ID));
    assertThat(standing(BY_ID)).as("the old keys and the rows").isEqualTo(first);
    inventory.delete(inventory.ids().get(0));
    awaitOperations("d", 1);
    assertThat(run.failure()).isNull();
    assertThat(keys()).isEqualTo("location,inventoryId:int64");
  }

  /** Every row stands under its new key, nothing was deleted by the change, and changes go on. */
  private void assertChanged(String keyFields) {
    String made = "location," + keyFields.replace(",", ":int64,") + ":int64 from now on";
    awaitOperations("r", inventory.size());
    awaitReads();
    assertThat(run.operations(INVENTORY)).containsOnly("r");
    assertThat(standing(keyFields)).isEqualTo(truth(keyFields));
    assertThat(log.lines())
        .filteredOn(
            line -> line.startsWith("WARN POS-607 " + STREAM + ": keys are made of " + made))
        .singleElement()
        .satisfies(Messages::assertExplained);
    inventory.delete(inventory.ids().get(0));
    inventory.create();
    awaitOperations("d", 1);
    awaitOperations("c", 1);
    assertThat(standing(keyFields)).isEqualTo(truth(keyFields));
  }
}
