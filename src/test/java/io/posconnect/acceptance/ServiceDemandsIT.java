package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.SimulatorBuilder;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Services that answer what the interface leaves open in each way that it may be answered. */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class ServiceDemandsIT {

  private static final int[] CUSTOMERS = {0, 40, 99, 100, 101, 200};

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"false, 0", "true, 0", "true, 120"})
  void noRangeIsRefusedAndEachRowArrivesOnce(boolean bothBounds, int hours, Cluster cluster) {
    String name = "ranges-" + bothBounds + "-" + hours;
    try (ChaosRun run = new ChaosRun(cluster, name, ranges(bothBounds, hours))) {
      fillThirtyDays(run);
      if (hours > 0) {
        run.connector.set("window.max.ms", Long.toString(Duration.ofHours(hours).toMillis()));
      }
      run.connector.unset("validate.connection").set("retry.backoff.ms", "50");
      assertThat(check(run).succeeded()).contains("the service answers as it expects");
      run.begin(20);
      fail(run);
      run.assertExactlyOnce();
      assertThat(run.service.requests()).noneMatch(request -> request.status() == 400);
      System.out.printf("%s: %d ranges%n", name, sales(run).size());
    }
  }

  @Test
  void longestRangeIsFoundWhereSettingExceedsIt(Cluster cluster) throws IOException {
    try (ChaosRun run = new ChaosRun(cluster, "ranges-found", ranges(true, 120))) {
      fillThirtyDays(run);
      assertThat(check(run).code()).isZero();
      run.begin(20);
      run.assertExactlyOnce();
      List<LoggedRequest> refused =
          sales(run).stream().filter(request -> request.status() == 400).toList();
      System.out.printf("%d of %d ranges refused%n", refused.size(), sales(run).size());
      assertThat(refused).hasSizeBetween(1, 10);
      assertThat(Files.readAllLines(cluster.worker(0).log()))
          .anyMatch(
              line ->
                  line.contains("ranges-found")
                      && line.contains("POS-207")
                      && line.contains("Lower window.max.ms"));
    }
  }

  private static SimulatorBuilder ranges(boolean bothBounds, int hours) {
    SimulatorBuilder demands = Simulator.builder();
    if (bothBounds) {
      demands.needsBothBounds();
    }
    return hours == 0 ? demands : demands.longestRange(Duration.ofHours(hours));
  }

  private static void fillThirtyDays(ChaosRun run) {
    for (int hours = 1; hours < 30 * 24; hours += 5) {
      run.location
          .registerTransactions()
          .createAt(run.service.now().minus(Duration.ofHours(hours)));
    }
  }

  private static List<LoggedRequest> sales(ChaosRun run) {
    return run.service.requests(Endpoint.REGISTER_TRANSACTIONS);
  }

  private Program check(ChaosRun run) {
    return run.connector.tool(folder, "check");
  }

  /** Breaks answers during the day, and waits until each fault has struck. */
  private static void fail(ChaosRun run) {
    for (Fault kind : List.of(Fault.status(503), Fault.html(), Fault.cutChunks())) {
      List<ActiveFault> faults =
          Stream.of(Endpoint.REGISTER_TRANSACTIONS, Endpoint.PRODUCTS)
              .map(path -> run.service.faults().on(path).times(3).then(kind))
              .toList();
      Connector.await("faults", () -> faults.stream().allMatch(fault -> fault.hits() == 3));
    }
  }

  /** Of each store two customers are deleted, after which no list ends with a full page. */
  @ParameterizedTest
  @ValueSource(ints = {200, 404, 400})
  void listOfAnySizeArrivesWholeWhateverFollowsIt(int behind, Cluster cluster) {
    String name = "pages-" + behind;
    SimulatorBuilder demands = Simulator.builder().refusesBehindLastPage(behind);
    try (Simulator service = demands.unlimited().start();
        Connector connector = pages(cluster, name, service)) {
      for (int customers : CUSTOMERS) {
        connector.location(store(customers), store(customers));
        table(service, customers).generate(customers);
      }
      connector.start();
      for (int customers : CUSTOMERS) {
        SimulatedLocation location = service.location(store(customers));
        connector.awaitTruth(store(customers), location, SimulatedLocation.CUSTOMERS);
        assertThat(events(connector, customers)).hasSize(customers);
      }
      // Behind a full page this refusal may be a fault, so nothing is deleted.
      Set<String> undecided = behind == 400 ? Set.of(store(100), store(200)) : Set.of();
      Connector.await(
          "lists read to their end",
          () -> checkpoints(connector).size() == CUSTOMERS.length - undecided.size());
      for (int customers : CUSTOMERS) {
        Table table = table(service, customers);
        for (int change = 0; change < 2; change++) {
          if (customers == 0) {
            table.create();
          } else {
            table.delete(table.ids().get(customers / 2));
          }
        }
      }
      for (int customers : CUSTOMERS) {
        SimulatedLocation location = service.location(store(customers));
        connector.awaitTruth(store(customers), location, SimulatedLocation.CUSTOMERS);
      }
      for (int customers : CUSTOMERS) {
        List<TopicRecord> events = events(connector, customers);
        assertThat(events).as(store(customers)).hasSize(customers + 2);
        NumberCheck.assertComplete(
            events,
            connector.checkpoints(store(customers), SimulatedLocation.CUSTOMERS),
            store(customers));
      }
      assertThat(suspended(cluster, name)).isEqualTo(undecided);
    }
  }

  private static Connector pages(Cluster cluster, String name, Simulator service) {
    return new Connector(cluster, name, service)
        .eager(SimulatedLocation.CUSTOMERS)
        .set("resources.customers.snapshot", "pages")
        .set("reconcile.interval.ms", "2000")
        .set("lookback.ms", "1000")
        .set("retry.backoff.ms", "100")
        .set("retry.backoff.max.ms", "500");
  }

  private static String store(int customers) {
    return "store-" + customers;
  }

  private static Table table(Simulator service, int customers) {
    return service.location(store(customers)).customers();
  }

  private static List<TopicRecord> events(Connector connector, int customers) {
    return connector.events(store(customers), SimulatedLocation.CUSTOMERS).stream()
        .filter(event -> !event.tombstone())
        .toList();
  }

  private static Set<Object> checkpoints(Connector connector) {
    return connector.checkpoints().stream()
        .map(checkpoint -> checkpoint.at("location"))
        .collect(Collectors.toSet());
  }

  private static Set<Object> suspended(Cluster cluster, String name) {
    return cluster.topics().read(name + ".status").stream()
        .filter(status -> "SUSPENDED".equals(status.at("type")))
        .map(status -> status.at("location"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Keys are unreadable for longer than deletes are held, and then one list is empty. */
  @Test
  void emptyListAfterUnreadableKeysDeletesNothing(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector connector = new Connector(cluster, "unreadable", service)) {
      List<Table> tables = List.of(service.location().inventory(), service.location().products());
      tables.forEach(table -> table.generate(100));
      connector
          .eager(SimulatedLocation.INVENTORY, SimulatedLocation.PRODUCTS)
          .set("reconcile.interval.ms", "1000")
          .set("lookback.ms", "1000")
          .set("deletes.confirm.ms", "2000")
          .start();
      tables.forEach(table -> connector.awaitTruth(service.location(), table.resource()));

      answer(service, 15, unreadable(tables.get(0), "inventoryId"), Endpoint.INVENTORY);
      answer(service, 5, unreadable(tables.get(1), "productId"), Endpoint.PRODUCTS);
      assertThat(connector.deadLetters()).isNotEmpty();
      answer(service, 1, "[]", Endpoint.INVENTORY);
      answer(service, 1, "[]", Endpoint.PRODUCTS);
      for (Table table : tables) {
        table.delete(50);
        connector.awaitTruth(service.location(), table.resource());
        assertThat(connector.events(table.resource()))
            .extracting(event -> event.tombstone() ? "tombstone" : event.at("op"))
            .containsOnlyOnce("d", "tombstone");
      }
    }
  }

  /** The rows, each with a text that is no number as its key. */
  private static String unreadable(Table table, String key) {
    return table.truth().values().stream()
        .map(row -> ((ObjectNode) row).put(key, "no. " + row.path(key).asText()))
        .map(JsonNode::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** Answers so many requests for the whole list with this text. */
  private static void answer(Simulator service, int times, String list, String path) {
    ActiveFault fault =
        service
            .faults()
            .on(path)
            .whenQuery(query -> query.isEmpty())
            .times(times)
            .then(Fault.json(list));
    Connector.await(path + " answered", () -> fault.hits() == times);
  }
}
