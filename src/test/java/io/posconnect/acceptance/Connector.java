package io.posconnect.acceptance;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** One connector of a test, with its own topics: its settings, and what its topics say. */
final class Connector implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Cluster cluster;
  private final String name;
  private final Map<String, String> settings = new TreeMap<>();

  Connector(Cluster cluster, String name, Simulator service) {
    this.cluster = cluster;
    this.name = name;
    set("connector.class", "io.posconnect.PosSourceConnector");
    set("exactly.once.support", "required");
    set("base.url", service.baseUrl().toString());
    set("api.key", Simulator.KEY);
    set("topic.prefix", name);
    set("start.from", service.now().minus(Duration.ofDays(30)).toString());
  }

  Connector set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Reads as often as it is allowed, and is allowed a lot. */
  Connector eager(String... resources) {
    for (String resource : resources) {
      set("resources." + resource + ".requests.per.minute", "6000");
      set("resources." + resource + ".poll.interval.ms", "250");
    }
    set("resources", String.join(",", resources));
    set("receipts.interval.ms", "500");
    return this;
  }

  Connector start() {
    cluster.connect().put(name, settings);
    cluster.connect().awaitRunning(name);
    return this;
  }

  Map<String, String> settings() {
    return settings;
  }

  String name() {
    return name;
  }

  List<TopicRecord> events(String resource) {
    return cluster.topics().read(name + "." + resource);
  }

  /** Waits until the folded topic holds what the store holds. */
  void awaitTruth(Store store, String resource) {
    Awaitility.await(resource + " equals the store")
        .atMost(PATIENCE)
        .pollDelay(Duration.ofMillis(200))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () ->
                Folded.rows(events(resource))
                    .equals(Folded.canonical(store.truth(resource).values())));
  }

  List<TopicRecord> receipts() {
    return cluster.topics().read(name + ".receipts");
  }

  @Override
  public void close() {
    cluster.connect().delete(name);
  }
}
