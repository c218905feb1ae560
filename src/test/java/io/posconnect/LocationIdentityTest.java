package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key opens one store: the rows of another are never compared with its digest. */
class LocationIdentityTest {

  private static final int ROWS = 30;
  private static final String INVENTORY = "chain.inventory";
  private static final String ALPHA = "store000";
  private static final String SECRET = "hush-9Tz";
  private static final String BETA = "store001";

  @AutoClose private final Simulator service = Simulator.builder().unlimited().start();
  private final Chain chain = Chain.of(service, 1);
  private final Chain both = Chain.of(service, 2);

  @BeforeEach
  void fill() {
    both.locations().forEach(name -> both.location(name).inventory().generate(ROWS));
  }

  private Map<String, String> settings() {
    return chain.settings(100, "inventory");
  }

  /** Makes alpha's key open beta's store. */
  private void swapKeys() {
    service.rotate(Chain.key(ALPHA), "unused");
    service.rotate(Chain.key(BETA), Chain.key(ALPHA));
  }

  private void rename() {
    Table identity = chain.location(ALPHA).identity();
    identity.updateEdited(1, row -> row.put("LocationName", "Renamed").put("LocationId", 4711));
  }

  private static Map<String, Object> position(DrivenTask run) {
    return run.offsets().getOrDefault(Map.of("stream", ALPHA + "/inventory"), Map.of());
  }

  private static String identity(DrivenTask run) {
    return String.valueOf(position(run).getOrDefault("identity", ""));
  }

  private void awaitSnapshot(DrivenTask run) {
    run.until(
        "the snapshot",
        () ->
            run.operations(INVENTORY).size() == ROWS
                && !identity(run).isEmpty()
                && position(run).toString().contains("snapshot=completed"));
  }

  @Test
  void identifiesLocationOnceBeforeFirstRowAndStoresOnlyItsHash() {
    try (DrivenTask run = DrivenTask.start(chain.settings(100, "inventory", "products"))) {
      awaitSnapshot(run);
      assertThat(service.requests().get(0).path()).isEqualTo("/whoami");
      assertThat(service.requests().get(1).path()).isNotEqualTo("/whoami");
      // And once after the first rows of each stream.
      assertThat(service.requests("/whoami")).hasSizeLessThanOrEqualTo(3);
      assertThat(identity(run)).matches("[0-9a-f]{16}[+]\\d+[.]\\d+[.]\\d+");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void suspendsStreamWhenKeyOpensOtherStoreAfterRestartOrRewind(boolean rewound) {
    DrivenTask first = DrivenTask.start(settings());
    awaitSnapshot(first);
    first.close();
    if (rewound) {
      Map<String, Object> watermark = Map.of("watermark", "2026-01-01T00:00:00Z");
      first.offsets().put(Map.of("stream", "store000/inventory"), watermark);
    }
    swapKeys();
    try (DrivenTask second = first.restart(settings("errors.streams", "fail"))) {
      assertThat(second.death())
          .hasMessageContaining(
              "POS-203 store000/inventory: the key of location store000 opens another")
          .hasMessageContaining("location name of its own");
      assertThat(second.records(INVENTORY)).isEmpty();
    }
  }

  private Map<String, String> settings(String name, String value) {
    Map<String, String> settings = new TreeMap<>(settings());
    settings.put(name, value);
    return settings;
  }

  @Test
  void readsRenamedStoreAndEmitsUpdateOfLocation() {
    Map<String, String> settings = chain.settings(100, "inventory", "locations");
    settings.put("checkpoint.interval.ms", "0");
    DrivenTask first = DrivenTask.start(settings);
    awaitSnapshot(first);
    first.until("the location", () -> !first.records("chain.locations").isEmpty());
    // Rows that the location has not answered for prove no renamed store beside a missing one.
    first.until("a proof by all", () -> identity(first).endsWith("." + ROWS));
    first.close();
    String before = identity(first);
    rename();
    Table inventory = chain.location(ALPHA).inventory();
    inventory.delete(inventory.ids().get(0));
    try (DrivenTask second = first.restart(settings)) {
      second.until("the delete", () -> second.operations(INVENTORY).contains("d"));
      assertThat(second.operations(INVENTORY)).containsExactly("d");
      second.until("the location", () -> second.records("chain.locations").size() == 1);
      second.until("its name", () -> !identity(second).equals(before));
      assertThat(second.failure()).isNull();
    }
  }

  @Test
  void resetPositionAcceptsNewStore() {
    DrivenTask first = DrivenTask.start(settings());
    awaitSnapshot(first);
    String before = identity(first);
    first.close();
    swapKeys();
    first.offsets().clear();
    try (DrivenTask second = first.restart(settings())) {
      awaitSnapshot(second);
      assertThat(identity(second)).isNotEqualTo(before);
    }
  }

  @Test
  void resetPositionAcceptsRenamedStoreAndRepeatsNothing() {
    DrivenTask first = DrivenTask.start(settings());
    awaitSnapshot(first);
    first.close();
    String before = identity(first);
    first.offsets().values().removeIf(offset -> offset.containsKey("identity"));
    rename();
    try (DrivenTask second = first.restart(settings())) {
      second.until("its name", () -> !identity(second).isEmpty());
      assertThat(identity(second)).isNotEqualTo(before);
      assertThat(second.operations(INVENTORY)).isEmpty();
    }
  }

  @Test
  void retriesIdentityUntilAnswered() {
    Map<String, String> settings = settings("retry.backoff.ms", "20");
    service.faults().on("/whoami").times(5).then(Fault.status(503));
    try (DrivenTask run = DrivenTask.start(settings)) {
      awaitSnapshot(run);
      assertThat(service.requests("/whoami")).hasSize(6);
    }
  }

  @Test
  void identifiesStoreOfRotatedKeyBeforeReading() {
    AtomicReference<Map<String, String>> configured =
        new AtomicReference<>(settings("errors.streams", "fail"));
    try (DrivenTask run = DrivenTask.start(configured::get)) {
      awaitSnapshot(run);
      Map<String, String> mixedUp = settings("errors.streams", "fail");
      mixedUp.put("locations.store000.api.key", Chain.key(BETA));
      configured.set(mixedUp);
      service.revoke(Chain.key(ALPHA));
      assertThat(run.death()).hasMessageContaining("opens another store");
      assertThat(run.operations(INVENTORY)).containsOnly("r");
    }
  }

  @Test
  void readsForbiddenKeyAgainFromConfiguration() {
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(settings());
    try (DrivenTask run = DrivenTask.start(configured::get)) {
      awaitSnapshot(run);
      service.issue("successor", chain.location(ALPHA));
      configured.set(settings("locations.store000.api.key", "successor"));
      service
          .faults()
          .on("/reporting/inventory")
          .times(1)
          .then(Fault.error(403, "not for this key"));
      run.until("a refusal", () -> answered(403) == 1);
      service.forgetRequests();
      run.until("answers", () -> answered(200) > 5);

      service.revoke(Chain.key(ALPHA));
      service.forgetRequests();
      run.until("answers", () -> answered(200) > 5);
      assertThat(answered(401)).as("requests with the old key").isZero();
    }
  }

  private long answered(int status) {
    return service.requests().stream().filter(request -> request.status() == status).count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"inventory", "inventory products"})
  void resumesEveryStreamWithKeyOfSecondAttempt(String streams) {
    String[] resources = streams.split(" ", -1);
    Map<String, String> settings = chain.settings(100, resources);
    SimulatedLocation location = chain.location(ALPHA);
    location.products().generate(ROWS);
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(settings);
    try (DrivenTask run = DrivenTask.start(configured::get)) {
      for (String resource : resources) {
        run.until("all rows", () -> run.records("chain." + resource).size() == ROWS);
      }
      Map<String, String> mistyped = new TreeMap<>(settings);
      mistyped.put("locations.store000.api.key", "mistyped");
      configured.set(mistyped);
      service.revoke(Chain.key(ALPHA));
      run.until("refusals", () -> answered(401) > 6);

      service.issue("right", location);
      Map<String, String> corrected = new TreeMap<>(settings);
      corrected.put("locations.store000.api.key", "right");
      configured.set(corrected);
      location.inventory().update(location.inventory().ids().get(0));
      location.products().update(location.products().ids().get(0));
      for (String resource : resources) {
        run.until("a change", () -> run.records("chain." + resource).size() == ROWS + 1);
      }
      assertThat(run.failure()).isNull();
    }
  }

  static List<Throwable> providersFailures() {
    return List.of(
        new IllegalStateException(SECRET),
        new ConfigException("key", SECRET),
        new AssertionError(SECRET),
        new NoClassDefFoundError(SECRET),
        new IOException(SECRET),
        new Error(SECRET, new IllegalStateException(SECRET)));
  }

  @ParameterizedTest
  @MethodSource("providersFailures")
  void survivesProviderFailuresAndLogsOnlyTheirClass(Throwable failure) {
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(settings());
    try (TaskLog log = TaskLog.listen();
        DrivenTask run =
            DrivenTask.start(
                () -> {
                  if (configured.get() == null) {
                    throw LocationIdentityTest.<RuntimeException>undeclared(failure);
                  }
                  return configured.get();
                })) {
      awaitSnapshot(run);
      configured.set(null);
      service.revoke(Chain.key(ALPHA));
      String message = "POS-205 store000: no new key can be read (" + failure.getClass().getName();
      run.until(message, () -> log.text().contains(message));
      service.restore(Chain.key(ALPHA));
      chain.location(ALPHA).inventory().update(chain.location(ALPHA).inventory().ids().get(0));
      run.until("the update", () -> run.operations(INVENTORY).contains("u"));
      assertThat(run.failure()).isNull();
      assertThat(log.text()).doesNotContain(SECRET);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hush-9Tz:, POS-107 locations.store000.api.key: the API key holds a colon",
    "${file:hush-9Tz:key}, POS-107 locations.store000.api.key: the API key is a reference",
    "key-of-store001, POS-108 locations.store000.api.key: is the same key as"
  })
  void saysWhyTheKeyOfTheConfigurationIsNotUsed(String key, String why) {
    Map<String, String> settings = both.settings(100, "inventory");
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(settings);
    try (TaskLog log = TaskLog.listen();
        DrivenTask run = DrivenTask.start(configured::get)) {
      run.snapshots(2);
      Map<String, String> wrong = new TreeMap<>(settings);
      wrong.put("locations.store000.api.key", key);
      configured.set(wrong);
      service.revoke(Chain.key(ALPHA));
      run.until(why, () -> log.text().contains(why));
      assertThat(log.text()).doesNotContain(SECRET, "POS-205");
    }
  }

  /** Throws undeclared exceptions, as providers in other languages can. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E undeclared(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void failsTaskForRevokedKeyDespiteSlowStream() {
    Map<String, String> settings = chain.settings(100, "inventory", "locations");
    settings.put("resources.locations.poll.interval.ms", "3600000");
    settings.put("errors.fail.after.ms", "500");
    try (DrivenTask run = DrivenTask.start(settings)) {
      awaitSnapshot(run);
      run.until("the location", () -> !run.records("chain.locations").isEmpty());
      service.revoke(Chain.key(ALPHA));
      assertThat(run.death()).hasMessageContaining("401");
    }
  }

  @Test
  void lostPermissionSuspendsOnlyItsStreams() {
    Map<String, String> settings = chain.settings(100, "inventory", "products");
    settings.put("errors.fail.after.ms", "200");
    chain.location(ALPHA).forbid(Permission.REPORTING);
    chain.location(ALPHA).products().generate(1);
    try (DrivenTask run = DrivenTask.start(settings)) {
      run.until("reads", () -> service.requests("/products").size() > 20);
      // Only probes, however slow the machine.
      assertThat(service.requests("/reporting/inventory").size())
          .isLessThan(service.requests("/products").size() / 4);
      assertThat(run.failure()).isNull();
      List<SourceRecord> products = new ArrayList<>(run.records("chain.products"));
      assertThat(products).hasSize(1);
    }
  }
}
