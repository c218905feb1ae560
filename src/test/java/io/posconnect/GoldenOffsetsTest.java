package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.StoredStream;
import io.posconnect.record.Contract;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * This version resumes from the offsets of any released version without a repeat, and refuses those
 * of a newer one. {@code -Dgolden=write} writes this version's offsets again, which must not be
 * done once it is released.
 */
class GoldenOffsetsTest {

  private static final boolean WRITE = "write".equals(System.getProperty("golden"));
  private static final int ROWS = 12;

  private final ShiftedTime time =
      ShiftedTime.to(WRITE ? GoldenKind.WRITTEN : GoldenKind.WRITTEN.plus(Duration.ofDays(1)));

  @AutoClose
  private final Simulator service =
      Simulator.builder().unlimited().clock(time).maxKeyPageSize(5).start();

  private final SimulatedLocation location = service.location();
  @AutoClose private final TaskLog log = TaskLog.listen();

  @ParameterizedTest
  @EnumSource
  @EnabledIfSystemProperty(named = "golden", matches = "write")
  void writesOffsetsForLaterVersions(GoldenKind kind) throws IOException {
    Map<String, String> settings = kind.settings(service);
    DrivenTask task = DrivenTask.start(() -> settings, time);
    GoldenStream first = live(task, kind, settings);
    task.close();
    if (kind == GoldenKind.SNAPSHOT_BROKEN) {
      settings.put("snapshot.id", "june");
      try (ActiveFault fault = service.faults().on(Endpoint.PRODUCTS).then(Fault.cutAfter(6_000));
          DrivenTask second = DrivenTask.start(settings, time, first.offsets())) {
        second.until(
            "a part of it", () -> fault.hits() > 1 && !events(second, kind.resource()).isEmpty());
        first = GoldenStream.of(settings, service, table(kind.resource()), second.offsets());
      }
    }
    first.write(kind.file());
  }

  /** A stream that has emitted every kind of event. */
  private GoldenStream live(DrivenTask task, GoldenKind kind, Map<String, String> settings) {
    Table table = table(kind.resource());
    boolean single = kind == GoldenKind.OBJECT;
    for (int i = 1; !single && i <= ROWS; i++) {
      table.createAt(GoldenKind.WRITTEN.minus(Duration.ofHours(5L * i)));
    }
    if (kind == GoldenKind.CURSOR) {
      table.duplicate(table.ids().get(0));
    }
    int rows = table.size();
    task.until("all rows", () -> events(task, kind.resource()).size() >= rows);
    table.update(table.ids().get(0));
    if (!single) {
      table.create();
      if (kind != GoldenKind.DATE_RANGE) {
        table.delete(table.ids().get(1));
      }
    }
    int changes = single ? 1 : kind == GoldenKind.DATE_RANGE ? 2 : 3;
    task.until("every change", () -> events(task, kind.resource()).size() >= rows + changes);
    reconciled(task, kind.resource());
    return GoldenStream.of(settings, service, table, task.offsets());
  }

  private static List<Path> released() throws IOException {
    return Io.files(Files.createDirectories(GoldenKind.FOLDER));
  }

  private Table table(String resource) {
    return location.table(resource.equals("members") ? SimulatedLocation.CUSTOMERS : resource);
  }

  @ParameterizedTest
  @MethodSource("released")
  void resumesFromReleasedOffsetsWithoutRepeat(Path file) throws IOException {
    GoldenStream golden = GoldenStream.read(file);
    serve(golden);
    int unpublished = golden.rows().size() - golden.digest().size();
    try (DrivenTask task = start(golden)) {
      task.until(
          "what is left of a snapshot",
          () -> events(task, golden.resource()).size() >= unpublished);
      reconciled(task, golden.resource());
      assertThat(task.operations("pos." + golden.resource()))
          .as("rows that were not published yet")
          .hasSize(unpublished)
          .containsOnly(unpublished == 0 ? new String[0] : new String[] {"r"});

      List<String> expected = new ArrayList<>(task.operations("pos." + golden.resource()));
      expected.addAll(change(golden));
      task.until("every change", () -> events(task, golden.resource()).size() >= expected.size());
      reconciled(task, golden.resource());
      assertThat(task.operations("pos." + golden.resource()))
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(events(task, golden.resource()))
          .extracting(event -> event.getStruct("source").getInt64("seq"))
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, expected.size()).mapToObj(i -> golden.seq() + i).toList());
      assertThat(events(task, golden.resource()))
          .extracting(event -> event.getStruct("source").getInt64("epoch_ms"))
          .containsOnly(golden.position().context().numbering().epochMillis());
    }
    assertThat(log.lines()).isEmpty();
  }

  /** Positions of builds before 0.1.0 have no checksum, by which a change would be found. */
  @ParameterizedTest
  @MethodSource("released")
  void releasedOffsetsCanBeMoved(Path file) throws IOException {
    GoldenStream golden = GoldenStream.read(file);
    Map<Map<String, ?>, Map<String, ?>> set = new HashMap<>(golden.offsets());
    PosSourceConnector connector = new PosSourceConnector();

    if (file.getParent().endsWith("version-1")) {
      assertThatThrownBy(() -> connector.alterOffsets(golden.settings(service), set))
          .hasMessageStartingWith("POS-613 the memory of default/" + golden.resource());
    } else {
      assertThat(connector.alterOffsets(golden.settings(service), set)).isTrue();
    }
  }

  private DrivenTask start(GoldenStream golden) {
    return DrivenTask.start(golden.settings(service), time, golden.offsets());
  }

  private void serve(GoldenStream golden) {
    location.identity().updateRaw(1, golden.identity().toString());
    if (!golden.resource().equals(SimulatedLocation.LOCATIONS)) {
      golden.rows().forEach(row -> table(golden.resource()).createRaw(row.toString()));
    }
  }

  /** Changes rows in every way; returns the expected operations. */
  private List<String> change(GoldenStream golden) {
    Table table = table(golden.resource());
    table.updateEdited(table.ids().get(0), row -> row.put("changed", true));
    if (golden.resource().equals(SimulatedLocation.LOCATIONS)) {
      return List.of("u");
    }
    table.createEdited(GoldenOffsetsTest::withAnotherKey);
    // A date range proves no absence.
    boolean provesAbsence = !golden.resource().equals(SimulatedLocation.REGISTER_TRANSACTIONS);
    if (provesAbsence) {
      table.delete(table.ids().get(1));
    }
    return provesAbsence ? List.of("u", "c", "d") : List.of("u", "c");
  }

  private static ObjectNode withAnotherKey(ObjectNode row) {
    for (String field :
        List.of("productId", "customerID", "registerTransactionId", "inventoryId", "customerId")) {
      if (row.has(field)) {
        row.put(field, 900_001);
      }
    }
    return row;
  }

  private static List<Struct> events(DrivenTask task, String resource) {
    return task.values("pos." + resource);
  }

  /** Waits for a reconciliation that begins after this call. */
  private void reconciled(DrivenTask task, String resource) {
    Instant now = service.now();
    // More than its interval, and than the second of a date.
    time.advance(Duration.ofSeconds(2));
    Map<String, String> position = Map.of("stream", "default/" + resource);
    task.until(
        "a reconciliation",
        () ->
            task.offsets().containsKey(position)
                && task.offsets().get(position).get("last.reconciliation") instanceof String last
                && Instant.parse(last).isAfter(now));
  }

  private static List<Path> earlier() {
    return Io.list(GoldenKind.EARLIER);
  }

  /** The builds before 0.1.0 changed the form without its version: nobody can tell them apart. */
  @ParameterizedTest
  @MethodSource("earlier")
  void emitsEarlierFormsOnceMoreByName(Path file) throws IOException {
    GoldenStream golden = GoldenStream.read(file);
    serve(golden);
    try (DrivenTask task = startNow(golden.offsets())) {
      task.until("all rows", () -> events(task, "products").size() >= golden.rows().size());
      reconciled(task, "products");
      assertThat(task.operations("pos.products")).hasSize(golden.rows().size()).containsOnly("r");
      assertThat(log.lines())
          .singleElement()
          .satisfies(line -> assertThat(line).startsWith("WARN POS-612 default/products: "))
          .satisfies(line -> assertThat(line).doesNotContain("damaged", "lost"))
          .satisfies(Messages::assertExplained);
      task.close();
      try (DrivenTask second = startNow(task.offsets())) {
        reconciled(second, "products");
        assertThat(events(second, "products")).isEmpty();
      }
    }
    assertThat(log.lines()).hasSize(1);
  }

  private DrivenTask startNow(Map<Map<String, ?>, Map<String, Object>> offsets) {
    return DrivenTask.start(GoldenKind.MODIFIED_SINCE.settings(service), time, offsets);
  }

  @Test
  void refusesPositionThatNamesBuckets() throws IOException {
    GoldenStream golden = GoldenStream.read(GoldenKind.FOLDER.resolveSibling("buckets.json"));

    assertThatThrownBy(() -> startNow(golden.offsets()))
        .hasMessageStartingWith("POS-612 default/products: ")
        .satisfies(refusal -> Messages.assertExplained(refusal.getMessage()));
  }

  @Test
  void hasOneFileOfEachKind() {
    for (GoldenKind kind : GoldenKind.values()) {
      assertThat(kind.file())
          .as("write it with mvn -B test -Dtest=GoldenOffsetsTest -Dgolden=write")
          .exists();
    }
  }

  /** A change to the form of what is stored or compared changes its version too. */
  @ParameterizedTest
  @MethodSource("released")
  void storesSameRowsInSameForm(Path file) throws IOException {
    GoldenStream golden = GoldenStream.read(file);
    serve(golden);
    try (DrivenTask task = DrivenTask.start(() -> golden.settings(service), time)) {
      task.until("all rows", () -> events(task, golden.resource()).size() >= golden.rows().size());
      reconciled(task, golden.resource());
      GoldenStream now =
          GoldenStream.of(
              golden.settings(service), service, table(golden.resource()), task.offsets());
      assertThat(now.digest()).containsAllEntriesOf(golden.digest());
      DigestScope scope = now.position().context().scope();
      DigestScope known = golden.position().context().scope();
      assertThat(scope.withContract(known.contract())).isEqualTo(known);
      Contract contract = Contract.parse(scope.contract());
      Contract before = Contract.parse(known.contract());
      assertThat(contract.types()).isEqualTo(before.types());
      // Earlier builds wrote the scales of decimals alone, and read nothing else.
      SortedMap<String, String> scales = new TreeMap<>(contract.meanings());
      scales.values().removeIf(meaning -> !meaning.matches("\\d+"));
      assertThat(scales).isEqualTo(before.meanings());
      assertThat(now.position().context().identity())
          .as("the identity, and how far it has proven the digest")
          .matches(golden.position().context().identity() + "[+]\\d+[.]\\d+[.]\\d+");
    }
  }

  @ParameterizedTest
  @MethodSource("released")
  void refusesAndKeepsOffsetsOfNewerVersion(Path file) throws IOException {
    GoldenStream golden = GoldenStream.read(file);
    serve(golden);
    service.forgetRequests();
    for (Map<String, ?> partition : golden.offsets().keySet()) {
      assertRefused(golden.with(partition, newer(golden.offsets().get(partition))), partition);
    }
    assertThat(service.requests()).isEmpty();
  }

  private void assertRefused(GoldenStream newer, Map<String, ?> partition) {
    assertThatThrownBy(() -> start(newer))
        .hasMessageStartingWith("POS-610 " + partition.get("stream") + ":")
        .hasMessageContaining("version 3")
        .hasMessageContaining("Install the newer version again")
        .satisfies(refusal -> Messages.assertExplained(refusal.getMessage()));
  }

  /** The same with the next version and an unknown form. */
  private static Map<String, Object> newer(Map<String, Object> offset) {
    Map<String, Object> newer = new HashMap<>(offset);
    if (offset.containsKey("version")) {
      newer.put("version", 3L);
      newer.put("watermark", "a form of the future");
      return newer;
    }
    byte[] bytes = Base64.getDecoder().decode((String) offset.get("digest"));
    bytes[0] = 3;
    bytes[1] ^= 0x55;
    newer.put("digest", StoredStream.withChecksum(bytes));
    return newer;
  }
}
