package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.RequestLog.Delays;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Everything goes wrong at once for one connector of ten locations, a different thing at each:
 * whoever is not concerned is read on schedule, whoever is can be seen to be, and all heal without
 * a restart.
 *
 * <p>{@code -Dtrouble.seconds=300} lets it last longer. How late the others are is printed rather
 * than asserted, since a loaded machine delays everybody.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class TroubledLocationsIT {

  private static final Duration LASTS =
      Duration.ofSeconds(Integer.getInteger("trouble.seconds", 10));
  private static final int INTERVAL_MS = 1000;
  private static final char MARK = '`';

  /** What to expect of a stream in trouble: the code with which it is suspended. */
  private static final Map<String, String> SUSPENDED =
      Map.ofEntries(
          Map.entry("pageless/customers", "POS-408"),
          Map.entry("dripping/products", "POS-303"),
          Map.entry("revoked/products", "POS-201"),
          Map.entry("revoked/customers", "POS-201"),
          Map.entry("revoked/register-transactions", "POS-201"),
          Map.entry("revoked/inventory", "POS-201"),
          Map.entry("revoked/locations", "POS-201"),
          Map.entry("down/products", "POS-402"),
          Map.entry("down/customers", "POS-402"),
          Map.entry("down/register-transactions", "POS-402"),
          Map.entry("down/inventory", "POS-402"),
          Map.entry("down/locations", "POS-402"));

  @Test
  void whatBefallsOneLocationTouchesNoOtherAndHealsWithoutARestart(Cluster cluster)
      throws Exception {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector connector = new Connector(cluster, "troubled", service)) {
      Trouble trouble = new Trouble(cluster, service, connector);
      trouble.beginsBeforeTheStart();
      connector.start();
      trouble.befalls();
      Connector.await("what is suspended says so", trouble::suspended, SUSPENDED::equals);
      assertThat(trouble.metrics()).containsAllEntriesOf(SUSPENDED);
      int from = service.requests().size();
      ChaosRun.pass(LASTS);
      trouble.printDelaysSince(from);
      assertThat(trouble.metrics()).containsExactlyInAnyOrderEntriesOf(SUSPENDED);
      trouble.assertRowsAndBytesAreVisible();

      trouble.ends();
      Connector.await("all streams have resumed", () -> trouble.metrics().isEmpty());
      trouble.assertEverybodyHasHealed();
      assertThat(cluster.connect().status(connector.name()).all("RUNNING")).isTrue();
    }
  }

  /** What goes wrong where. */
  private static final class Trouble {

    private static final JsonMapper JSON = new JsonMapper();

    private final Cluster cluster;
    private final Simulator service;
    private final Connector connector;
    private final Map<String, SimulatedLocation> locations = new LinkedHashMap<>();
    private final List<ActiveFault> faults = new ArrayList<>();
    private long hugeRow;
    private long garbledRow;

    Trouble(Cluster cluster, Simulator service, Connector connector) {
      this.cluster = cluster;
      this.service = service;
      this.connector = connector;
      connector
          .eager(Connector.PUBLISHED)
          .set("resources.customers.snapshot", "pages")
          .set("resources.customers.page.size", "20")
          .set("retry.backoff.ms", "100")
          .set("retry.backoff.max.ms", "2000")
          .set("stall.timeout.ms", "1000")
          .set("validate.connection", "false");
      for (String resource : Connector.PUBLISHED) {
        connector.set("resources." + resource + ".poll.interval.ms", "" + INTERVAL_MS);
      }
      for (String name :
          List.of("calm", "calmer", "huge", "garbled", "pageless", "dripping", "renamed", "down")) {
        locate(name, keyOf(name, 1), keyOf(name, 1));
      }
      // Only here the key stands in a file that is taken away.
      locate("revoked", keyOf("revoked", 1), cluster.secret("trouble", "key", keyOf("revoked", 1)));
    }

    private static String keyOf(String name, int number) {
      return "key-" + number + "-of-" + name;
    }

    private void locate(String name, String key, String configured) {
      SimulatedLocation location = service.location(key);
      service.fill(location, new InitialRows(60, 60, 60, Duration.ofDays(1), 60, 0));
      locations.put(name, location);
      connector.location(name, configured);
    }

    private SimulatedLocation at(String name) {
      return locations.get(name);
    }

    void beginsBeforeTheStart() {
      hugeRow =
          at("huge").products().createEdited(row -> row.put("name", "x".repeat(3 * 1024 * 1024)));
      garbledRow =
          at("garbled").products().createEdited(row -> row.put("name", "Cr" + MARK + "me"));
      begin(at("garbled"), Endpoint.PRODUCTS, Fault.garbled(MARK));
      String always =
          at("pageless").truth(SimulatedLocation.CUSTOMERS).values().stream()
              .limit(20)
              .map(JsonNode::toString)
              .collect(Collectors.joining(",", "[", "]"));
      begin(at("pageless"), Endpoint.CUSTOMERS_PAGINATED, Fault.json(always));
    }

    /** Everybody else is read once before it. */
    void befalls() throws IOException {
      Set<String> expected = new TreeSet<>();
      for (String name : locations.keySet()) {
        for (String resource : Connector.PUBLISHED) {
          expected.add(name + "/" + resource);
        }
      }
      expected.remove("pageless/customers");
      Connector.await("everybody is read", () -> read().containsAll(expected));
      begin(at("dripping"), Endpoint.PRODUCTS, Fault.slowBody(100));
      at("dripping").products().ids().forEach(at("dripping").products()::update);
      at("renamed").identity().updateEdited(1, row -> row.put("LocationName", "Elsewhere"));
      ActiveFault down = service.faults().everywhere().at(at("down")).then(Fault.status(503));
      faults.add(down);
      // First nobody can read a new key, and then there is one.
      Files.delete(secret());
      service.rotate(keyOf("revoked", 1), keyOf("revoked", 2));
    }

    private void begin(SimulatedLocation location, String path, Fault fault) {
      faults.add(service.faults().on(path).at(location).then(fault));
    }

    private Path secret() {
      String reference = connector.settings().get("locations.revoked.api.key");
      return Path.of(reference.substring("${file:".length(), reference.lastIndexOf(':')));
    }

    /** The streams that have completed a fetch. */
    private Set<String> read() {
      return connector.checkpoints().stream().map(Trouble::stream).collect(Collectors.toSet());
    }

    private static String stream(TopicRecord about) {
      return about.at("location") + "/" + about.at("resource");
    }

    /** The code of every stream that the status topic calls suspended. */
    Map<String, String> suspended() {
      Map<String, String> suspended = new TreeMap<>();
      for (TopicRecord status : status()) {
        switch (String.valueOf(status.at("type"))) {
          case "SUSPENDED" -> suspended.put(stream(status), data(status, "code"));
          case "RESUMED" -> suspended.remove(stream(status));
          default -> {
            // Not about that.
          }
        }
      }
      return suspended;
    }

    private List<TopicRecord> status() {
      return cluster.topics().read(connector.name() + ".status");
    }

    private static String data(TopicRecord status, String name) {
      try {
        return JSON.readTree(String.valueOf(status.at("additional_data"))).path(name).asText();
      } catch (IOException e) {
        throw new AssertionError(status.toString(), e);
      }
    }

    /** The code of every stream that the metrics call suspended. */
    Map<String, String> metrics() throws Exception {
      Map<String, String> suspended = new TreeMap<>();
      for (Map<String, String> stream : new ClusterInspector(cluster).streams()) {
        if (stream.get("suspended").equals("1")) {
          String reason = stream.get("suspension-reason");
          suspended.put(
              stream.get("location") + "/" + stream.get("resource"),
              reason.substring(0, Math.max(0, reason.indexOf(' '))));
        }
      }
      return suspended;
    }

    private String metric(String location, String resource, String name) throws Exception {
      return new ClusterInspector(cluster)
          .streams().stream()
              .filter(stream -> stream.get("location").equals(location))
              .filter(stream -> stream.get("resource").equals(resource))
              .map(stream -> stream.get(name))
              .collect(Collectors.joining());
    }

    void assertRowsAndBytesAreVisible() throws Exception {
      assertThat(metric("huge", "products", "dead-letters-total")).isNotEqualTo("0");
      assertThat(connector.deadLetters()).hasSize(1);
      assertThat(connector.deadLetters().get(0).at("reason"))
          .asString()
          .contains("too large: more than 900000 bytes");
      assertThat(connector.events("huge", SimulatedLocation.PRODUCTS)).hasSize(60);
      assertThat(metric("garbled", "products", "replaced-bytes-total")).isNotEqualTo("0");
      assertThat(connector.events("garbled", SimulatedLocation.PRODUCTS))
          .hasSize(61)
          .anyMatch(event -> "Cr\uFFFDme".equals(event.at("after.name")));
      assertThat(connector.events("renamed", SimulatedLocation.LOCATIONS))
          .extracting(event -> event.at("op"))
          .containsExactly("r", "u");
    }

    void printDelaysSince(int index) {
      List<LoggedRequest> since =
          service.requests().subList(index, service.requests().size()).stream()
              .filter(request -> !isInTrouble(request))
              .toList();
      Delays late = Delays.of(since, INTERVAL_MS);
      System.out.printf(
          "%d requests in %s of streams without trouble, late by p50 %d, p99 %d, most %d ms%n",
          since.size(), LASTS, late.percentile(50), late.percentile(99), late.percentile(100));
      assertThat(late.size()).isPositive();
    }

    private boolean isInTrouble(LoggedRequest request) {
      String name =
          locations.entrySet().stream()
              .filter(entry -> entry.getValue().alias().equals(request.location()))
              .map(Map.Entry::getKey)
              .findFirst()
              .orElse("revoked");
      return switch (name) {
        case "down", "revoked" -> true;
        case "dripping" -> request.path().equals(Endpoint.PRODUCTS);
        case "pageless" -> request.path().startsWith(Endpoint.CUSTOMERS);
        default -> false;
      };
    }

    void ends() {
      faults.forEach(ActiveFault::close);
      at("huge").products().updateEdited(hugeRow, row -> row.put("name", "small again"));
      at("garbled").products().updateEdited(garbledRow, row -> row.put("name", "Crème"));
      cluster.secret("trouble", "key", keyOf("revoked", 2));
    }

    /** Every topic equals the service, and nothing came twice. */
    void assertEverybodyHasHealed() {
      locations.forEach(
          (name, location) -> {
            for (String resource : Connector.PUBLISHED) {
              if (!resource.equals(SimulatedLocation.LOCATIONS)) {
                connector.awaitTruth(name, location, resource);
              }
              NumberCheck.assertComplete(
                  connector.events(name, resource),
                  connector.checkpoints(name, resource),
                  name + "/" + resource);
            }
          });
      Set<String> resumed =
          status().stream()
              .filter(status -> "RESUMED".equals(status.at("type")))
              .map(Trouble::stream)
              .collect(Collectors.toSet());
      assertThat(resumed).containsAll(SUSPENDED.keySet());
      assertThat(status())
          .anyMatch(
              status ->
                  "KEY_ROTATED".equals(status.at("type"))
                      && "revoked".equals(status.at("location")));
    }
  }
}
