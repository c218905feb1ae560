package io.posconnect.monitoring;

import io.posconnect.cluster.Cluster;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
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

/** Connectors of a cluster to whose locations all sorts of things happen. */
final class WatchedConnectors implements AutoCloseable {

  /** The location to which nothing happens. */
  static final String CALM = "calm";

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String CHAIN = "chain";
  private static final String FULL = "full";
  private static final String SLOW = "slow";
  private static final String FAILING = "failing";
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

  /** Lets everything happen. */
  List<Trouble> befall() {
    List<Trouble> troubles = new ArrayList<>();
    troubles.add(stoppedService());
    troubles.add(revokedKey());
    troubles.add(massDelete());
    addCeiling(troubles);
    troubles.add(blockedBuffer());
    addHanging(troubles);
    addBrokenRows(troubles);
    troubles.add(throttled());
    troubles.add(failedTask());
    return troubles;
  }

  private Trouble stoppedService() {
    otherService.goDown();
    return new Trouble(
        "PosStreamSuspended",
        "stopped",
        "the service was stopped",
        "the service was started",
        otherService::comeBack);
  }

  private Trouble revokedKey() {
    service.rotate("revoked", "revoked-2");
    return new Trouble(
        "PosStreamSuspended",
        "revoked",
        "the key was revoked",
        "the new key was written to its file",
        () -> cluster.secret("revoked", "key", "revoked-2"));
  }

  private Trouble massDelete() {
    ActiveFault forgetting =
        service
            .faults()
            .on(Endpoint.INVENTORY)
            .at(service.location("forgetting"))
            .then(Fault.json("[]"));
    return new Trouble(
        "PosDeletesHeld",
        "forgetting",
        "the service answered with an empty list",
        "the service was mended before deletes.confirm.ms",
        forgetting::close);
  }

  /** First nearly full, then more than full. */
  private void addCeiling(List<Trouble> troubles) {
    SimulatedLocation location = service.location(FULL);
    location.products().generate(15);
    Trouble full =
        new Trouble(
            "PosStreamSuspended",
            FULL,
            "15 rows more than digest.max.keys were created",
            "digest.max.keys was raised",
            () -> change(FULL, "digest.max.keys", "1000"));
    troubles.add(
        new Trouble(
            "PosDigestNearlyFull",
            FULL,
            "95 of 100 keys were created",
            "none: it is let fill up",
            () -> {
              location.products().generate(20);
              full.begins();
            }));
    troubles.add(full);
  }

  private Trouble blockedBuffer() {
    service.location(SLOW).products().generate(6000);
    return new Trouble(
        "PosBufferBlocked",
        SLOW,
        "6000 rows came, and went in transactions of two records",
        "batch.max.records was raised",
        () -> change(SLOW, "batch.max.records", "2000"));
  }

  private void change(String connector, String setting, String value) {
    Map<String, String> settings = new TreeMap<>(connectors.get(connector));
    settings.put(setting, value);
    put(connector, settings);
  }

  private void addHanging(List<Trouble> troubles) {
    ActiveFault hanging =
        service
            .faults()
            .on(Endpoint.INVENTORY)
            .at(service.location("hanging"))
            // A Date from before the wait would make the connector distrust the clock.
            .then(Fault.slowHeaders(Duration.ofMinutes(2)).and(Fault.noDate()));
    Trouble overdue =
        new Trouble(
            "PosStreamOverdue",
            "hanging",
            "the service accepted requests and said nothing",
            "none: it gets worse first",
            () -> {});
    troubles.add(overdue);
    troubles.add(
        new Trouble(
            "PosStreamBehind",
            "hanging",
            "the same, for longer",
            "the service was mended",
            hanging::close));
  }

  private void addBrokenRows(List<Trouble> troubles) {
    SimulatedLocation location = service.location("broken");
    long keyless = location.inventory().createRaw("{\"quantityAvailable\":1}");
    long mistyped = location.products().createEdited(row -> row.put("price", "a lot"));
    troubles.add(
        new Trouble(
            "PosDeadLetters",
            "broken",
            "a row without a key was created",
            "the row was removed",
            () -> location.inventory().delete(keyless)));
    troubles.add(
        new Trouble(
            "PosTypeMismatches",
            "broken",
            "a price was given in words",
            "the price was corrected",
            () -> location.products().updateEdited(mistyped, row -> row.put("price", 1.5))));
  }

  private Trouble throttled() {
    ActiveFault throttling =
        service
            .faults()
            .on(Endpoint.PRODUCTS)
            .at(service.location("throttled"))
            .then(Fault.throttled());
    return new Trouble(
        "PosThrottled",
        "throttled",
        "every request was answered with 429",
        "whoever else used the key stopped",
        throttling::close);
  }

  private Trouble failedTask() {
    service.revoke(FAILING);
    return new Trouble(
        "PosTaskFailed",
        FAILING,
        "the key of a connector with errors.fail.after.ms was revoked",
        "the key was restored, the connector restarted",
        () -> {
          service.restore(FAILING);
          cluster.connect().restart(FAILING);
        });
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
