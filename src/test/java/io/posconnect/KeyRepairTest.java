package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.metrics.Readings;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The log and the status topic, whole, of keys that are revoked or swapped by mistake and then put
 * right.
 */
class KeyRepairTest {

  private static final String ALPHA = "store000";
  private static final String BETA = "store001";
  private static final int ROWS = 30;

  @AutoClose private final Simulator service = Simulator.builder().unlimited().start();

  private Chain chain(int stores) {
    Chain chain = Chain.of(service, stores);
    for (String name : chain.locations()) {
      chain.location(name).inventory().generate(ROWS);
      chain.location(name).products().generate(ROWS);
      chain.location(name).customers().generate(ROWS);
    }
    return chain;
  }

  @Test
  void reportsRevokedKeyOnceForItsLocation() {
    Chain chain = chain(1);
    Map<String, String> settings =
        chain.settings(100, "inventory", "products", "customers", "locations");
    settings.put("resources.locations.poll.interval.ms", "3600000");
    try (DrivenTask run = DrivenTask.start(settings)) {
      run.until("four snapshots", () -> run.statuses("SNAPSHOT_COMPLETED").size() == 4);
      int before = run.statuses().size();
      try (TaskLog log = TaskLog.listenAtInfo()) {
        service.revoke(Chain.key(ALPHA));
        run.until("all suspended", () -> run.statuses("SUSPENDED").size() == 4);
        service.restore(Chain.key(ALPHA));
        run.until("all resumed", () -> run.statuses("RESUMED").size() == 4);
        changeOneOfEach(chain.location(ALPHA));
        run.until("the changes", () -> updates(run) == 3);
        run.until("a line for the end", () -> log.text().contains("accepts the key again"));

        assertThat(log.lines())
            .satisfiesExactly(
                line ->
                    assertThat(line)
                        .matches(
                            "ERROR POS-201 store000: GET /\\S+ 401: the API key is unknown or"
                                + " revoked\\. Correct the key in its provider or in the"
                                + " configuration\\. The connector then resumes by itself\\. Until then,"
                                + " a changed configuration needs validate\\.connection=false\\. 4"
                                + " streams of this task are suspended; the next probe follows in"
                                + " 2 s\\."),
                line ->
                    assertThat(line)
                        .matches(
                            "INFO store000: the service accepts the key again; its streams resume"
                                + " where they were, after \\d failures? in \\d+ m?s"));
      }
      List<String> statuses = run.statuses().subList(before, run.statuses().size());
      assertThat(statuses)
          .filteredOn(status -> status.contains(" SUSPENDED "))
          .hasSize(4)
          .allSatisfy(
              status ->
                  assertThat(status)
                      .matches(
                          "(store000/\\w+) SUSPENDED .*POS-201 \\1: the key of its location is"
                              + " refused \\(store000: GET /\\S+ 401\\)\\. Correct the key.*"));
      assertThat(statuses)
          .filteredOn(status -> status.contains(" RESUMED "))
          .extracting(status -> status.split(" ", 2)[0])
          .containsExactlyInAnyOrder(
              "store000/inventory",
              "store000/products",
              "store000/customers",
              "store000/locations");
      assertThat(statuses).hasSize(8);
    }
  }

  @ParameterizedTest
  @CsvSource({"KEY:, POS-107", "${file:/secrets:key}, POS-107", "' ', POS-104", "same, POS-108"})
  void keyThatCannotBeUsedAtAStartCostsItsLocationAlone(String key, String code) {
    Chain chain = chain(2);
    Map<String, String> right = chain.settings(100, "inventory");
    Map<String, String> wrong = new TreeMap<>(right);
    wrong.put("locations.store001.api.key", key.equals("same") ? Chain.key(ALPHA) : key);
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(wrong);
    try (TaskLog log = TaskLog.listenAtInfo();
        DrivenTask run = DrivenTask.start(configured::get)) {
      Map<Long, Integer> rows = chain.location(ALPHA).inventory().revisions();
      run.until("the other", () -> run.folded("chain.inventory", ALPHA).equals(rows));
      run.until("a suspension", () -> run.statuses("SUSPENDED").size() == 1);
      assertThat(run.statuses()).anySatisfy(each -> assertThat(each).contains("POS-201"));
      assertThat(log.lines())
          .filteredOn(line -> line.contains(code))
          .singleElement()
          .asString()
          .contains("locations.store001.api.key");

      configured.set(right);
      Table healed = chain.location(BETA).inventory();
      run.until("it", () -> run.folded("chain.inventory", BETA).equals(healed.revisions()));
      assertThat(run.statuses("RESUMED").size()).isEqualTo(1);
    }
  }

  @Test
  void resumesBothLocationsWhenSwappedKeysArePutRight() {
    Chain chain = chain(2);
    Map<String, String> right = chain.settings(100, "inventory", "products", "customers");
    Map<String, String> swapped = keyed(right, List.of(Chain.key(BETA), Chain.key(ALPHA)));
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(right);
    try (DrivenTask run = DrivenTask.start(configured::get)) {
      run.snapshots(6);
      run.until("all identified", () -> identified(run) == 6);
      configured.set(swapped);
      int before = run.statuses().size();
      try (TaskLog log = TaskLog.listenAtInfo()) {
        run.restart();
        run.until("all suspended", () -> run.statuses("SUSPENDED").size() == 6);
        configured.set(right);
        run.until("all resumed", () -> run.statuses("RESUMED").size() == 6);
        changeOneOfEach(chain.location(ALPHA));
        changeOneOfEach(chain.location(BETA));
        run.until("the changes", () -> updates(run) == 6);
        assertThat(log.lines()).noneMatch(line -> line.contains("was renamed"));
        assertThat(log.lines()).filteredOn(line -> line.contains("new key")).hasSize(2);
      }
      assertThat(operations(run)).doesNotContain("d").hasSize(2 * 3 * ROWS + 6);
      assertThat(run.statuses().subList(before, run.statuses().size()))
          .filteredOn(status -> status.contains(" SUSPENDED "))
          .hasSize(6)
          .allSatisfy(status -> assertThat(status).contains("POS-203"));
      assertThat(run.failure()).isNull();
    }
  }

  @Test
  void smallStreamDoesNotTakeOtherStoreForItsOwn() {
    Chain chain = Chain.of(service, 2);
    chain.location(ALPHA).inventory().generate(8);
    chain.location(BETA).inventory().generate(60);
    Map<String, String> right = chain.settings(100, "inventory");
    right.put("deletes.confirm.ms", "1000");
    Map<String, String> swapped = keyed(right, List.of(Chain.key(BETA), Chain.key(ALPHA)));
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(right);
    try (DrivenTask run = DrivenTask.start(configured::get)) {
      run.until("all rows", () -> operations(run).size() == 8 + 60 && identified(run) == 2);
      run.snapshots(2);
      Table inventory = chain.location(ALPHA).inventory();
      configured.set(swapped);
      run.restart();
      run.until("both refused", () -> run.statuses("SUSPENDED").size() == 2);
      run.restart();
      run.until("both refused again", () -> run.statuses("SUSPENDED").size() == 4);
      assertThat(operations(run)).containsOnly("r").hasSize(8 + 60);

      inventory.update(inventory.ids().get(0));
      configured.set(right);
      run.until(
          "its own", () -> run.folded("chain.inventory", ALPHA).equals(inventory.revisions()));
      assertThat(operations(run)).doesNotContain("d");
    }
  }

  @Test
  void staysRightThroughMistakesAndRepairs() {
    Chain chain = chain(2);
    RandomCases.check(1, random -> mistakesAndRepairs(chain, random));
  }

  /** Keys are swapped, revoked and rotated while rows change; both stores come out right. */
  private void mistakesAndRepairs(Chain chain, RandomGenerator random) {
    List<SimulatedLocation> stores = chain.locations().stream().map(chain::location).toList();
    List<String> keys = new ArrayList<>(chain.locations().stream().map(Chain::key).toList());
    AtomicReference<Map<String, String>> configured = new AtomicReference<>(settings(chain, keys));
    try (DrivenTask run = DrivenTask.start(configured::get)) {
      run.until("all rows", () -> shown(run).equals(truth(stores)));
      // What a snapshot finds that a restart interrupts comes as r as well.
      run.snapshots(4);
      run.until("all identified", () -> identified(run) >= 4);
      for (int step = 0; step < 5; step++) {
        int store = random.nextInt(2);
        String key = keys.get(store);
        int mistake = random.nextInt(3);
        switch (mistake) {
          case 0 -> {
            configured.set(settings(chain, List.of(keys.get(1), keys.get(0))));
            run.restart();
          }
          case 1 -> service.revoke(key);
          default -> {
            keys.set(store, "key " + step);
            service.rotate(key, keys.get(store));
          }
        }
        stores.forEach(each -> change(each, random));
        // The status topic shows a trouble that comes again once.
        String task = "task-metrics,connector=chain";
        run.until("suspended", () -> Readings.inJmx(task, "streams-suspended") >= 2);
        stores.forEach(each -> change(each, random));
        if (mistake == 1) {
          service.restore(key);
        }
        configured.set(settings(chain, keys));
        run.until("the truth", () -> shown(run).equals(truth(stores)));
      }
      assertThat(run.events()).filteredOn(event -> event.op().equals("r")).hasSize(4 * ROWS);
      assertThat(run.failure()).isNull();
    }
  }

  private static Map<String, String> settings(Chain chain, List<String> keys) {
    Map<String, String> settings = chain.settings(100, "inventory", "products");
    // Another beginning at each call would be another configuration.
    settings.remove("start.from");
    return keyed(settings, keys);
  }

  private static Map<String, String> keyed(Map<String, String> settings, List<String> keys) {
    Map<String, String> keyed = new TreeMap<>(settings);
    keyed.put("locations.store000.api.key", keys.get(0));
    keyed.put("locations.store001.api.key", keys.get(1));
    return keyed;
  }

  private static void change(SimulatedLocation store, RandomGenerator random) {
    List<Long> ids = store.inventory().ids();
    store.inventory().update(ids.get(random.nextInt(ids.size())));
    store.inventory().delete(ids.get(random.nextInt(ids.size())));
    store.inventory().create();
    store.products().update(store.products().ids().get(0));
  }

  private static List<Map<Long, Integer>> truth(List<SimulatedLocation> stores) {
    return stores.stream()
        .flatMap(store -> Stream.of(store.inventory(), store.products()))
        .map(Table::revisions)
        .toList();
  }

  /** The rows that a consumer has, in the same order. */
  private static List<Map<Long, Integer>> shown(DrivenTask run) {
    return Stream.of(ALPHA, BETA)
        .flatMap(
            store ->
                Stream.of("inventory", "products")
                    .map(resource -> run.folded("chain." + resource, store)))
        .toList();
  }

  private static void changeOneOfEach(SimulatedLocation location) {
    location.inventory().update(location.inventory().ids().get(0));
    location.products().update(location.products().ids().get(0));
    location.customers().update(location.customers().ids().get(0));
  }

  private static long identified(DrivenTask run) {
    return run.offsets().values().stream()
        .filter(offset -> offset.get("identity") instanceof String text && !text.isEmpty())
        .count();
  }

  private static List<String> operations(DrivenTask run) {
    return Stream.of("inventory", "products", "customers")
        .flatMap(resource -> run.operations("chain." + resource).stream())
        .toList();
  }

  private static long updates(DrivenTask run) {
    return operations(run).stream().filter("u"::equals).count();
  }
}
