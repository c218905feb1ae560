package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.ConnectorStatus;
import io.posconnect.cluster.Node;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.SimulatorBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A busy location, a connector that follows it, and what is done to the processes meanwhile. */
final class ChaosRun implements AutoCloseable {

  static final String[] RESOURCES = {
    SimulatedLocation.PRODUCTS,
    SimulatedLocation.CUSTOMERS,
    SimulatedLocation.REGISTER_TRANSACTIONS,
    SimulatedLocation.INVENTORY
  };

  final Simulator service;
  final SimulatedLocation location;
  final Connector connector;
  private final Cluster cluster;
  private final List<Outage> outages = new ArrayList<>();
  private String key = Simulator.KEY;
  private Churn churn;

  ChaosRun(Cluster cluster, String name) {
    this(cluster, name, Simulator.builder());
  }

  /** At a service with demands of its own, but without limits. */
  ChaosRun(Cluster cluster, String name, SimulatorBuilder demands) {
    this.cluster = cluster;
    service = demands.unlimited().start();
    location = service.location();
    service.fill(location, new InitialRows(400, 200, 400, Duration.ofDays(3), 400, 0));
    connector =
        new Connector(cluster, name, service)
            .eager(RESOURCES)
            .set("tasks.max", "4")
            .set("reconcile.interval.ms", "5000")
            // After a start a reconciliation waits for so long.
            .set("lookback.ms", "5000")
            .set("reconcile.window.ms", Long.toString(Duration.ofDays(10).toMillis()))
            // A day in a few minutes also deletes a day's rows: no reason to hold deletes back.
            .set("deletes.max.ratio", "1")
            .set("validate.connection", "false");
  }

  /** Starts the connector, lets it read everything, and then the day begins. */
  ChaosRun begin(double changesPerSecond) {
    connector.start();
    awaitTruth();
    churn = service.churn(location, 42).start(changesPerSecond);
    return this;
  }

  /** Has a transform drop the records that this predicate names; which may need more settings. */
  Connector drop(String predicate) {
    return connector
        .set("transforms", "drop")
        .set("transforms.drop.type", "org.apache.kafka.connect.transforms.Filter")
        .set("transforms.drop.predicate", "which")
        .set("predicates", "which")
        .set("predicates.which.type", predicate);
  }

  /** Has a transform fail on every record of such topics, and Connect go on without them. */
  void tolerateFailuresOf(String topics) {
    connector
        .set("errors.tolerance", "all")
        .set("transforms", "fail")
        .set("transforms.fail.type", "org.apache.kafka.connect.transforms.ExtractField$Value")
        .set("transforms.fail.field", "no such field")
        .set("transforms.fail.predicate", "which")
        .set("predicates", "which")
        .set(
            "predicates.which.type",
            "org.apache.kafka.connect.transforms.predicates.TopicNameMatches")
        .set("predicates.which.pattern", topics);
  }

  /** The service refuses the key from now on, and takes another one, which is then configured. */
  void rotateKey(String successor) {
    service.rotate(key, successor);
    key = successor;
    connector.set("api.key", successor).start();
  }

  /** The location goes by another name from now on. */
  void rename(String name) {
    location.identity().updateEdited(1, row -> row.put("LocationName", name));
  }

  /** Ends the day. */
  void end() {
    churn.close();
  }

  /** Waits until all topics equal the rows of the location. */
  void awaitTruth() {
    for (String resource : RESOURCES) {
      connector.awaitTruth(location, resource);
    }
  }

  /** Waits until the tasks run, and every worker has one. */
  void awaitTasksOnEveryWorker() {
    Awaitility.await("every worker has a task")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              ConnectorStatus status = cluster.connect().status(connector.name());
              Set<String> busy = new HashSet<>();
              status.tasks().forEach(task -> busy.add(task.worker()));
              return status.all("RUNNING") && busy.size() == cluster.workers().size();
            });
  }

  /** Lets time pass in which the processes work. */
  static void pass(Duration time) {
    Awaitility.await().pollDelay(time).atMost(time.plusMinutes(1)).until(() -> true);
  }

  /** Kills a process without warning and starts it again. */
  void crash(Node node) {
    outage(
        () -> {
          node.kill9();
          node.start();
        });
  }

  /**
   * Stops and resumes the connector while something of it has failed, which cannot be ours: a task
   * may have met no broker, or Connect no leader to fence its predecessor, and a resumption may
   * meet the next set of task configurations. An order to restart would not do: when it is the
   * first that a leader takes after it met no broker, it may fail and leave Connect 4.3 unable to
   * write configurations.
   */
  void revive() {
    ConnectClient connect = cluster.connect();
    for (int orders = 0; ; orders++) {
      ConnectorStatus status =
          connect.await(
              connector.name(),
              "settle",
              state -> state.all("RUNNING") || state.failed(),
              Connector.PATIENCE);
      if (!status.failed()) {
        return;
      }
      assertThat(status.toString()).doesNotContain("io.posconnect");
      assertThat(orders).as("%s", status).isLessThan(5);
      outage(
          () -> {
            connect.stop(connector.name());
            connect.orderResumption(connector.name());
          });
    }
  }

  /** Does something after which tasks may have stopped or moved. */
  void outage(Runnable what) {
    Instant from = Instant.now();
    what.run();
    outages.add(new Outage(from, Instant.now()));
  }

  List<Outage> outages() {
    return List.copyOf(outages);
  }

  /** Each resource's events against what was served. */
  Map<String, DeliveryCheck> compare() {
    Map<String, DeliveryCheck> results = new TreeMap<>();
    for (String resource : RESOURCES) {
      results.put(
          resource,
          DeliveryCheck.of(location, resource, Event.of(connector.events(resource)), outages));
    }
    return results;
  }

  /** Every change that was shown is one event, in order; says the figures. */
  void assertExactlyOnce() {
    assertEvents(DeliveryCheck::holds);
  }

  /**
   * The same of a run of many minutes, in which a reconciliation may skip an earlier content of a
   * row that an increment has just returned.
   */
  void assertOrderlyAndWhole() {
    assertEvents(DeliveryCheck::isOrderly);
  }

  private void assertEvents(Predicate<DeliveryCheck> law) {
    end();
    awaitTruth();
    pass(Duration.ofSeconds(2));
    awaitTruth();
    Map<String, DeliveryCheck> results = compare();
    System.out.printf("%s: %d outages, %s%n", connector.name(), outages.size(), results);
    results.forEach((resource, result) -> assertThat(law.test(result)).as("%s", result).isTrue());
    for (String resource : RESOURCES) {
      List<TopicRecord> checkpoints = connector.checkpoints("default", resource);
      NumberCheck.assertComplete(connector.events(resource), checkpoints, resource);
    }
  }

  @Override
  public void close() {
    if (churn != null) {
      churn.close();
    }
    connector.close();
    service.close();
  }

  /**
   * A time in which a process died or tasks moved.
   *
   * @param from when it was killed
   * @param to when it served again
   */
  record Outage(Instant from, Instant to) {

    /** The longest time from a response to its commit on a busy machine. */
    private static final Duration IN_FLIGHT = Duration.ofSeconds(15);

    /** The longest time after a start in which tasks move, or repeat what was in flight. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    /** Returns whether a response of that time may have been lost on its way. */
    boolean excuses(Instant served) {
      return served.isAfter(from.minus(IN_FLIGHT)) && served.isBefore(to.plus(IN_FLIGHT));
    }

    /** Returns whether a record of that time may be a repeat. */
    boolean mayRepeat(Instant written) {
      return written.isAfter(from) && written.isBefore(to.plus(SETTLING));
    }
  }
}
