package io.posconnect.acceptance;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Io;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One connector of a test, with its own topics: its settings, and what its topics say. */
final class Connector implements AutoCloseable {

  static final String CLASS = "io.posconnect.PosSourceConnector";

  /** The resources that the interface publishes. */
  static final String[] PUBLISHED = {
    SimulatedLocation.PRODUCTS,
    SimulatedLocation.CUSTOMERS,
    SimulatedLocation.REGISTER_TRANSACTIONS,
    SimulatedLocation.INVENTORY,
    SimulatedLocation.LOCATIONS
  };

  static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Brokers with the names in use there: two clusters may share a broker, so its topics. */
  private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();

  private final Cluster cluster;
  private final String name;
  private final Map<String, String> settings = new TreeMap<>();

  /** Of the location behind {@link Simulator#KEY}, as the location {@code default}. */
  Connector(Cluster cluster, String name, Simulator service) {
    if (!NAMES.add(cluster.bootstrapServers() + "/" + name)) {
      throw new IllegalArgumentException("another test has topics of the name " + name);
    }
    this.cluster = cluster;
    this.name = name;
    set("connector.class", CLASS);
    set("exactly.once.support", "required");
    set("base.url", service.baseUrl().toString());
    set("api.key", Simulator.KEY);
    set("topic.prefix", name);
    set("start.from", service.now().minus(Duration.ofDays(30)).toString());
    set("checkpoint.interval.ms", "500");
    set("resources.loyalty-transactions.path", Endpoint.LOYALTY);
  }

  Connector set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  Connector unset(String key) {
    settings.remove(key);
    return this;
  }

  /** One more location; then the general key serves none. */
  Connector location(String location, String key) {
    settings.remove("api.key");
    settings.merge("locations", location, (before, added) -> before + "," + added);
    return set("locations." + location + ".api.key", key);
  }

  Connector resources(String... resources) {
    return set("resources", String.join(",", resources));
  }

  /** Reads these as often as it is allowed, and is allowed a lot. */
  Connector eager(String... resources) {
    for (String resource : resources) {
      set("resources." + resource + ".requests.per.minute", "6000");
      set("resources." + resource + ".poll.interval.ms", "250");
    }
    return resources(resources);
  }

  /** Spreads each topic over so many partitions, of one replica. */
  Connector partitions(int count) {
    set("topic.creation.default.replication.factor", "1");
    return set("topic.creation.default.partitions", Integer.toString(count));
  }

  Connector start() {
    cluster.connect().put(name, settings);
    cluster.connect().awaitRunning(name);
    return this;
  }

  /** Runs the command line tool on the settings, which it finds in a file of the folder. */
  Program tool(Path folder, String command, String... options) {
    return Io.unchecked(() -> Program.tool(arguments(folder, command, options)));
  }

  private Object[] arguments(Path folder, String command, String... options) throws IOException {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", name);
    settings.forEach(json::put);
    Path file = Files.writeString(folder.resolve(name + ".json"), json.toString());
    return Stream.concat(Stream.of(command, file), Stream.of(options)).toArray();
  }

  /** Runs the audit, against the topics of the cluster. */
  Program audit(Path folder, String... options) {
    return tool(folder, "audit", audited(options));
  }

  /** The same with a library of the broker beside the tool. */
  Program auditWith(String library, Path folder) throws IOException {
    return Program.toolWith(library, arguments(folder, "audit", audited()));
  }

  private String[] audited(String... options) {
    List<String> all = new ArrayList<>(List.of("--bootstrap", cluster.bootstrapServers()));
    all.addAll(List.of("--registry", cluster.registry().confluentUrl().toString()));
    all.addAll(List.of(options));
    return all.toArray(String[]::new);
  }

  Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  String name() {
    return name;
  }

  List<TopicRecord> events(String resource) {
    return cluster.topics().read(name + "." + resource);
  }

  List<TopicRecord> events(String location, String resource) {
    return events(resource).stream()
        .filter(event -> location.equals(event.keyAt("location")))
        .toList();
  }

  List<TopicRecord> checkpoints() {
    return cluster.topics().read(name + ".checkpoints");
  }

  /** The checkpoints of one stream, in order. */
  List<TopicRecord> checkpoints(String location, String resource) {
    return checkpoints().stream()
        .filter(checkpoint -> location.equals(checkpoint.at("location")))
        .filter(checkpoint -> resource.equals(checkpoint.at("resource_name")))
        .toList();
  }

  /** Before the first checkpoint of a stream an audit decides nothing of it. */
  void awaitCheckpoint(String location, String resource) {
    await(
        "a checkpoint of " + location + "/" + resource,
        () -> !checkpoints(location, resource).isEmpty());
  }

  /** The additional data of every status event of that type, in order. */
  List<String> statuses(String type) {
    return cluster.topics().read(name + ".status").stream()
        .filter(status -> type.equals(status.at("type")))
        .map(status -> String.valueOf(status.at("additional_data")))
        .toList();
  }

  List<TopicRecord> deadLetters() {
    return cluster.topics().read(name + ".dead-letters");
  }

  /**
   * Waits until the compacted topic holds what the location, now at rest, holds, field by field.
   */
  void awaitTruth(SimulatedLocation location, String resource) {
    awaitTruth("default", location, resource);
  }

  void awaitTruth(String name, SimulatedLocation location, String resource) {
    List<String> truth = CompactedTopic.canonical(location.truth(resource).values());
    AtomicInteger compared = new AtomicInteger(-1);
    AtomicReference<String> difference = new AtomicReference<>("no event");
    try {
      await(
          resource + " of " + name + " equals the service's",
          () -> {
            List<TopicRecord> events = events(name, resource);
            // Folding costs much more than reading, and what was unequal stays so without news.
            if (compared.getAndSet(events.size()) != events.size()) {
              difference.set(CompactedTopic.difference(CompactedTopic.rows(events), truth));
            }
            return difference.get().isEmpty();
          });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + "; " + difference, e);
    }
  }

  /** Lets so many changes happen at a location, on a busy day. */
  static void churn(Simulator service, SimulatedLocation location, int changes) {
    try (Churn churn = service.churn(location, 11).start(150)) {
      await(
          "the day is over",
          () -> churn.counts().values().stream().mapToInt(Integer::intValue).sum() >= changes);
    }
  }

  static void await(String what, Callable<Boolean> condition) {
    await(what, condition, Boolean::booleanValue);
  }

  /** Asks until the answer is as wanted, and returns that answer: the next one may differ. */
  static <T> T await(String what, Callable<T> question, Predicate<? super T> wanted) {
    return Awaitility.await(what)
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(700))
        .until(question, wanted);
  }

  @Override
  public void close() {
    cluster.connect().delete(name);
  }
}
