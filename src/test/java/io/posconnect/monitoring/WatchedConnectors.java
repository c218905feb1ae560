package io.posconnect.monitoring;

import io.posconnect.cluster.Cluster;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** Connectors whose locations get into all the trouble that has an alert. */
final class WatchedConnectors implements AutoCloseable {

  /** The location to which nothing happens. */
  static final String CALM = "calm";

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String CHAIN = "chain";
  private static final String FULL = "full";
  private static final String SLOW = "slow";
  private static final String FAILING = "failing";
  private static final String DELETED = "deleted";
  private static final int CEILING = 100;

  private final Cluster cluster;
  private final Simulator service = Simulator.builder().unlimited().start();
  private final Simulator otherService = Simulator.builder().unlimited().start();
  private final Map<String, Map<String, String>> connectors = new LinkedHashMap<>();

  WatchedConnectors(Cluster cluster) {
    this.cluster = cluster;
  }

  private Map<String, String> settings(String connector) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("connector.class", "io.posconnect.PosSourceConnector");
    settings.put("exactly.once.support", "required");
    settings.put("base.url", service.baseUrl().toString());
    settings.put("topic.prefix", connector);
    settings.put("resources", "products,inventory");
    settings.put("resources.products.requests.per.minute", "6000");
    settings.put("resources.inventory.requests.per.minute", "6000");
    settings.put("poll.interval.ms", "1000");
    settings.put("reconcile.interval.ms", "2000");
    settings.put("retry.backoff.ms", "100");
    settings.put("retry.backoff.max.ms", "500");
    return settings;
  }

  /** One more location of the chain, called as its key. */
  private void locate(Map<String, String> chain, String name, Simulator where) {
    where.fill(where.location(name), new InitialRows(60, 0, 0, Duration.ofDays(1), 60, 0));
    chain.merge("locations", name, (before, added) -> before + "," + added);
    chain.put("locations." + name + ".api.key", cluster.secret(name, "key", name));
  }

  private Map<String, String> single(String name, int products) {
    service.fill(service.location(name), new InitialRows(products, 0, 0, Duration.ofDays(1), 9, 0));
    Map<String, String> settings = settings(name);
    settings.put("location.name", name);
    settings.put("api.key", cluster.secret(name, "key", name));
    return settings;
  }

  /** Creates one connector to whose only location nothing happens. */
  void startCalm() {
    Map<String, String> settings = settings(CHAIN);
    locate(settings, CALM, service);
    put(CHAIN, settings);
    cluster.connect().awaitRunning(CHAIN);
  }

  /** Creates all of them. */
  void start() {
    Map<String, String> chain = settings(CHAIN);
    for (String name : List.of(CALM, "revoked", "forgetting", "hanging", "broken", "throttled")) {
      locate(chain, name, service);
    }
    locate(chain, "stopped", otherService);
    chain.put("locations.stopped.base.url", otherService.baseUrl().toString());
    // So that a scrape meets a snapshot that runs.
    service
        .faults()
        .on(Endpoint.PRODUCTS)
        .at(service.location("broken"))
        .whenQuery(String::isEmpty)
        .times(1)
        .then(Fault.slowBody(10_000));
    // A loaded machine must not make it late.
    chain.put("locations." + CALM + ".poll.interval.ms", "10000");
    put(CHAIN, chain);
    Map<String, String> full = single(FULL, 80);
    full.put("digest.max.keys", Integer.toString(CEILING));
    put(FULL, full);
    Map<String, String> slow = single(SLOW, 9);
    slow.put("batch.max.records", "2");
    put(SLOW, slow);
    Map<String, String> failing = single(FAILING, 9);
    failing.put("errors.fail.after.ms", "1000");
    put(FAILING, failing);
    put(DELETED, single(DELETED, 9));
  }

  private void put(String name, Map<String, String> settings) {
    cluster.connect().put(name, settings);
    connectors.put(name, settings);
  }

  /** Waits until every row of every location is on its topic. */
  void awaitRead() {
    Map<String, Integer> expected = new HashMap<>();
    expected.put(CHAIN + ".products", 7 * 60);
    expected.put(CHAIN + ".inventory", 7 * 60);
    expected.put(FULL + ".products", 80);
    expected.put(SLOW + ".products", 9);
    expected.put(FAILING + ".products", 9);
    expected.put(DELETED + ".products", 9);
    Awaitility.await("every location is read")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(700))
        .untilAsserted(
            () -> {
              for (Map.Entry<String, Integer> topic : expected.entrySet()) {
                int events = cluster.topics().read(topic.getKey()).size();
                if (events < topic.getValue()) {
                  throw new AssertionError(topic + ": " + events);
                }
              }
            });
  }

  /** Starts every trouble. */
  List<Trouble> befall() {
    List<Trouble> troubles = new ArrayList<>();
    otherService.goDown();
    troubles.add(
        new Trouble("PosStreamSuspended", "stopped")
            .done("the service was stopped")
            .mend("the service was started", otherService::comeBack));
    service.rotate("revoked", "revoked-2");
    troubles.add(
        new Trouble("PosStreamSuspended", "revoked")
            .done("the key was revoked")
            .mend(
                "the new key was written to its file",
                () -> cluster.secret("revoked", "key", "revoked-2")));
    troubles.add(
        new Trouble("PosDeletesHeld", "forgetting")
            .done("the service answered with an empty list")
            .mend(
                "the service was mended before deletes.confirm.ms",
                fault(Endpoint.INVENTORY, "forgetting", Fault.json("[]"))));
    troubles.add(
        new Trouble("PosThrottled", "throttled")
            .done("every request was answered with 429")
            .mend(
                "the other user of the key stopped",
                fault(Endpoint.PRODUCTS, "throttled", Fault.throttled())));
    service.location(SLOW).products().generate(6000);
    troubles.add(
        new Trouble("PosBufferBlocked", SLOW)
            .done("6000 rows came, and went in transactions of two records")
            .mend("batch.max.records was raised", () -> change(SLOW, "batch.max.records", "4000")));
    service.revoke(FAILING);
    troubles.add(
        new Trouble("PosTaskFailed", FAILING)
            .done("the key of a connector with errors.fail.after.ms was revoked")
            .mend(
                "the key was restored, the connector restarted",
                () -> {
                  service.restore(FAILING);
                  cluster.connect().restart(FAILING);
                }));
    cluster.connect().delete(DELETED);
    troubles.add(
        new Trouble("PosStreamsLost", DELETED)
            .done("a connector was deleted")
            .mend("it was created again", () -> put(DELETED, connectors.get(DELETED))));
    addCeiling(troubles);
    addHanging(troubles);
    addBrokenRows(troubles);
    return troubles;
  }

  /** Starts a fault and returns what ends it. */
  private Runnable fault(String path, String location, Fault fault) {
    return service.faults().on(path).at(service.location(location)).then(fault)::close;
  }

  private void change(String connector, String setting, String value) {
    Map<String, String> settings = new TreeMap<>(connectors.get(connector));
    settings.put(setting, value);
    put(connector, settings);
  }

  /** First the digest is nearly full, then more than full. */
  private void addCeiling(List<Trouble> troubles) {
    SimulatedLocation location = service.location(FULL);
    location.products().generate(15);
    Trouble full =
        new Trouble("PosStreamSuspended", FULL)
            .done("15 rows more than digest.max.keys were created")
            .mend("digest.max.keys was raised", () -> change(FULL, "digest.max.keys", "1000"));
    troubles.add(
        new Trouble("PosDigestNearlyFull", FULL)
            .done("95 of 100 keys were created")
            .mend(
                "none: it fills up",
                () -> {
                  location.products().generate(20);
                  full.begins();
                }));
    troubles.add(full);
  }

  private void addHanging(List<Trouble> troubles) {
    // A Date from before the wait would make the connector distrust the clock.
    Fault hanging = Fault.slowHeaders(Duration.ofMinutes(2)).and(Fault.noDate());
    troubles.add(
        new Trouble("PosStreamOverdue", "hanging")
            .done("the service accepted requests and did not answer")
            .mend("none: it gets worse first", () -> {}));
    troubles.add(
        new Trouble("PosStreamBehind", "hanging")
            .done("the same, for longer")
            .mend("the service was mended", fault(Endpoint.INVENTORY, "hanging", hanging)));
  }

  private void addBrokenRows(List<Trouble> troubles) {
    SimulatedLocation location = service.location("broken");
    long keyless = location.inventory().createRaw("{\"quantityAvailable\":1}");
    long mistyped = location.products().createEdited(row -> row.put("price", "a lot"));
    troubles.add(
        new Trouble("PosDeadLetters", "broken")
            .done("a row without a key was created")
            .mend("the row was removed", () -> location.inventory().delete(keyless)));
    troubles.add(
        new Trouble("PosTypeMismatches", "broken")
            .done("a price was given in words")
            .mend(
                "the price was corrected",
                () -> location.products().updateEdited(mistyped, row -> row.put("price", 1.5))));
  }

  @Override
  public void close() {
    try {
      connectors.keySet().forEach(cluster.connect()::delete);
    } finally {
      service.close();
      otherService.close();
    }
  }
}
