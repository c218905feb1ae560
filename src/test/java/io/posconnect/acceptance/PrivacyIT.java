package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.util.List;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Planted addresses and card numbers, and a search for them in everything that Kafka holds. */
@ExtendWith(SharedCluster.class)
class PrivacyIT {

  private static final String ADDRESS = "addrmark-81c2";
  private static final String CARD = "4012888888881";
  private static final String SALT = "saltmark-of-the-earth-3f";
  private static final List<String> MARKS = List.of(ADDRESS, CARD, SALT);

  @Test
  void excludedAndHashedValuesAreNowhereInKafka(Cluster cluster) throws Exception {
    ClusterInspector inspector = new ClusterInspector(cluster);
    inspector.level("DEBUG");
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(0, 30, 20, Duration.ofDays(1), 0, 0));
      plant(location);
      try (Connector connector = connector(cluster, service).start()) {
        Connector.await("all five are published", () -> connector.deadLetters().size() >= 5);
        Connector.await(
            "all customers are published",
            () -> connector.events(SimulatedLocation.CUSTOMERS).size() >= 30);
        Connector.await(
            "all transactions are published",
            () -> connector.events(SimulatedLocation.REGISTER_TRANSACTIONS).size() >= 20);
        String body = "[{\"emailAddress\":\"" + ADDRESS + "\",\"card\":" + CARD + "777";
        for (Fault each :
            List.of(Fault.json(body), Fault.error(500, body), Fault.error(400, body))) {
          try (ActiveFault fault = service.faults().everywhere().then(each)) {
            Connector.await("it strikes", () -> fault.hits() >= 2);
          }
        }
        cluster.connect().restart(connector.name());
        cluster.connect().awaitRunning(connector.name());
        checkRows(connector);
        assertExcludedFieldsEmitNothing(connector, location.customers());

        String seen = inspector.metrics() + inspector.seenByOperators(connector);
        assertThat(seen).contains("default/customers/", "excluded", " DEBUG ");
        assertThat(MARKS).filteredOn(seen::contains).isEmpty();
        String topics = inspector.everyTopic();
        assertThat(MARKS).filteredOn(topics::contains).isEmpty();
      }
    }
  }

  private static Connector connector(Cluster cluster, Simulator service) {
    return new Connector(cluster, "privacy", service)
        .eager(SimulatedLocation.CUSTOMERS, SimulatedLocation.REGISTER_TRANSACTIONS)
        .set("resources.customers.exclude.fields", "address.street,cards,profile.home.line")
        .set("resources.customers.hash.fields", "EMAILADDRESS,customerID")
        .set("resources.customers.fields", "customerID:string")
        .set("resources.register-transactions.exclude.fields", "payments.card.number")
        .set("resources.register-transactions.hash.fields", "customerId")
        .set("hash.salt", cluster.secret("salt.properties", "salt", SALT))
        .set("row.max.bytes", "20000")
        .set("retry.backoff.ms", "50")
        .set("retry.backoff.max.ms", "200");
  }

  /** In good rows at any depth, and in a broken one of each kind. */
  private static void plant(SimulatedLocation location) {
    Table customers = location.customers();
    for (long id : customers.ids()) {
      customers.updateEdited(
          id,
          row -> {
            row.put("emailAddress", ADDRESS + id + "@example.com").put("Cards", CARD + "001");
            row.withObject("/address").put("Street", ADDRESS);
            row.withArray("/profile").addObject().withObject("/home").put("line", ADDRESS);
            return row;
          });
    }
    Table transactions = location.table(SimulatedLocation.REGISTER_TRANSACTIONS);
    for (long id : transactions.ids()) {
      transactions.updateEdited(
          id,
          row -> {
            row.withArray("/payments").addObject().withObject("/card").put("NUMBER", CARD + "002");
            return row;
          });
    }
    String secrets =
        "\"cards\":[\"%s003\"],\"emailAddress\":\"%s\",\"address\":{\"street\":\"%s\"}"
            .formatted(CARD, ADDRESS, ADDRESS);
    customers.createRaw("{" + secrets + "}");
    customers.createRaw("{\"customerID\":1,\"CustomerId\":2," + secrets + "}");
    customers.createRaw(
        "{\"customerID\":98001,\"z\":\"" + "z".repeat(30_000) + "\"," + secrets + "}");
    customers.createRaw(
        "{\"customerID\":98002," + secrets + ",\"z\":" + "[".repeat(300) + "]".repeat(300) + "}");
    customers.createRaw("\"" + ADDRESS + "\"");
  }

  private static void checkRows(Connector connector) {
    assertThat(connector.events(SimulatedLocation.CUSTOMERS))
        .allSatisfy(
            event -> {
              assertThat(event.keyAt("customerID")).asString().matches("[0-9a-f]{64}");
              GenericRecord row = (GenericRecord) event.at("after");
              assertThat(
                      CompactedTopic.parse(row.get("extra").toString())
                          .path("emailAddress")
                          .asText())
                  .matches("[0-9a-f]{64}");
            });
    assertThat(connector.deadLetters())
        .extracting(letter -> String.valueOf(letter.at("reason")))
        .anyMatch(reason -> reason.startsWith("not an object: key.fields=value"))
        .anyMatch(reason -> reason.startsWith("key named twice"))
        .anyMatch(reason -> reason.startsWith("no key"))
        .anyMatch(reason -> reason.startsWith("too large"));
  }

  private static void assertExcludedFieldsEmitNothing(Connector connector, Table customers) {
    List<TopicRecord> before = connector.events(SimulatedLocation.CUSTOMERS);
    int checkpoints = connector.checkpoints("default", SimulatedLocation.CUSTOMERS).size();
    for (long id : customers.ids().subList(0, 10)) {
      customers.updateRaw(id, customers.row(id).toString().replace(CARD + "001", CARD + "004"));
    }
    Connector.await(
        "they are read",
        () ->
            connector.checkpoints("default", SimulatedLocation.CUSTOMERS).size()
                >= checkpoints + 3);

    assertThat(connector.events(SimulatedLocation.CUSTOMERS)).hasSameSizeAs(before);
  }
}
