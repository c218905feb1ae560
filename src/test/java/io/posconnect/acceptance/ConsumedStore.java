package io.posconnect.acceptance;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A busy store and the connector that follows it, for the consumers that others wrote. */
final class ConsumedStore implements AutoCloseable {

  static final List<String> RESOURCES =
      List.of(
          SimulatedLocation.PRODUCTS,
          SimulatedLocation.CUSTOMERS,
          SimulatedLocation.REGISTER_TRANSACTIONS,
          SimulatedLocation.INVENTORY,
          SimulatedLocation.LOYALTY,
          SimulatedLocation.LOCATIONS);

  /** Columns of every type, three of them with a name that Flink reserves. */
  private static final String TYPED =
      "sku:string,categoryId:int,brand:json,tags:json,value|onlineAvailable:boolean,"
          + "variant|category:string,lastModifiedDateUTC:timestamp,day|reviewedAt1:timestamp-micros,"
          + "weight1:decimal(2),weight2:double,rank1:long,expires:timestamp";

  /** How rows are put together again from those columns. */
  static final TableRows ROWS =
      new TableRows(
          Map.of(
              "value",
              "onlineavailable",
              "variant",
              "category",
              "day",
              "reviewedat1",
              "commenttext",
              "comment"),
          Set.of("day"));

  final Simulator service = Simulator.builder().unlimited().withoutHistory().start();
  final SimulatedLocation location = service.location();
  final Connector connector;
  private final long withoutTransaction;
  private final Path folder;

  ConsumedStore(Cluster cluster, String name, Path folder) {
    this.folder = folder;
    service.fill(location, new InitialRows(120, 80, 60, Duration.ofDays(5), 90, 40));
    // A part of the key of loyalty may be null: one of the two stays.
    location.loyaltyTransactions().createEdited(row -> row.putNull("registerTransactionId"));
    withoutTransaction =
        location.loyaltyTransactions().createEdited(row -> row.putNull("registerTransactionId"));
    connector =
        new Connector(cluster, name, service)
            .eager(RESOURCES.toArray(String[]::new))
            .set("resources.products.fields", TYPED)
            .set("reconcile.interval.ms", "2000")
            .set("lookback.ms", "1000")
            .set("deletes.max.ratio", "1")
            .partitions(3);
  }

  /** Begins a busy day, which lasts until it is closed. */
  Churn begin(double changesPerSecond) {
    return service.churn(location, 11).start(changesPerSecond);
  }

  /** Lets so many changes happen, and some deletes. */
  void churn(int events) {
    Connector.churn(service, location, events);
    delete();
  }

  /** Deletes some of the rows that came last. */
  void delete() {
    for (Table table :
        List.of(location.products(), location.inventory(), location.loyaltyTransactions())) {
      List<Long> ids = table.ids();
      ids.subList(ids.size() - 5, ids.size()).forEach(table::delete);
    }
    location.loyaltyTransactions().delete(withoutTransaction);
  }

  /** Waits until the audit finds the topics equal to the store, now at rest. */
  void awaitPublished() {
    RESOURCES.forEach(resource -> connector.awaitCheckpoint("default", resource));
    connector.audit(folder).ending(0);
  }

  /** Runs the command line tool on the connector's configuration. */
  Program tool(String command, String... options) {
    return connector.tool(folder, command, options);
  }

  /** The name of the table of a resource's topic. */
  String table(String resource) {
    return (connector.name() + "." + resource).replaceAll("\\W", "_");
  }

  /** The store's rows, in the form of {@link TableRows#rows}. */
  List<String> truth(String resource) {
    return TableRows.truth(location.truth(resource).values());
  }

  Stream<String> tables() {
    return RESOURCES.stream().map(this::table);
  }

  @Override
  public void close() {
    connector.close();
    service.close();
  }
}
