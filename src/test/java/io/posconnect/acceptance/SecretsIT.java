package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ConnectorStatus;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Marked secrets and marked rows, much that goes wrong, and a search for the marks everywhere. */
@ExtendWith(SharedCluster.class)
class SecretsIT {

  private static final String KEY = "keymark-7f3ac1";
  private static final String PASSWORD = "passmark-91c2bb";
  private static final String ROW = "rowmark-5d20ee";
  private static final String BASIC =
      Base64.getEncoder().encodeToString((KEY + ":" + PASSWORD).getBytes(UTF_8));
  private static final List<String> SECRETS = List.of(KEY, PASSWORD, BASIC);
  private static final List<String> MARKS = List.of(KEY, PASSWORD, BASIC, ROW);

  /** Every one of them tells what must not be repeated. */
  private static List<Supplier<Fault>> indiscretions() {
    String all = ROW + " " + KEY + " " + PASSWORD;
    return List.of(
        () -> Fault.error(500, all),
        () -> Fault.answer(200, "text/html", "<html>" + all + "</html>"),
        () -> Fault.json("[{\"productId\":\"" + ROW + "\",\"" + ROW + "\":" + all),
        () -> Fault.json("{\"" + ROW + "\":\"" + all + "\"}"),
        () -> Fault.contentType("text/" + KEY),
        () -> Fault.answer(429, "application/json", "{\"TraceId\":\"" + KEY + "\"}"),
        () -> Fault.redirect(URI.create("https://other.example.com/" + ROW + "?" + KEY)),
        Fault::cutChunks,
        () -> Fault.error(400, all));
  }

  @Test
  void neitherKeysNorRowsReachWhatOperatorsRead(Cluster cluster) throws Exception {
    ClusterInspector inspector = new ClusterInspector(cluster);
    inspector.debug("io.posconnect");
    try (Simulator service = Simulator.builder().unlimited().password(PASSWORD).start()) {
      SimulatedLocation location = service.location(KEY);
      service.fill(location, new InitialRows(30, 0, 0, Duration.ofDays(1), 30, 0));
      markEverything(location);
      try (Connector connector = connector(cluster, service)) {
        connector.start();
        Connector.await("both dead letters", () -> connector.deadLetters().size() >= 2);
        for (Supplier<Fault> each : indiscretions()) {
          // Refused streams would stay apart for half a minute.
          cluster.connect().restart(connector.name());
          cluster.connect().awaitRunning(connector.name());
          try (ActiveFault fault = service.faults().everywhere().then(each.get())) {
            Connector.await("it strikes", () -> fault.hits() >= 2);
          }
        }
        service.revoke(KEY);
        cluster.connect().restart(connector.name());
        // While a restart replaces the task, there are none for a while.
        String metrics =
            Connector.await("metrics tell", inspector::metrics, text -> text.contains("401"));
        connector.set("errors.streams", "fail").set("validate.connection", "false");
        cluster.connect().put(connector.name(), connector.settings());
        ConnectorStatus status = cluster.connect().awaitFailed(connector.name());

        assertThat(status.toString()).contains("401").doesNotContain(MARKS.toArray(String[]::new));
        assertThat(metrics).contains("suspension").doesNotContain(MARKS.toArray(String[]::new));
        assertThat(cluster.connect().offsets(connector.name()).toString())
            .contains("default/products/")
            .doesNotContain(MARKS.toArray(String[]::new));
        assertThat(connector.checkpoints().toString()).doesNotContain(MARKS.toArray(String[]::new));
        List<String> log = Files.readAllLines(cluster.worker(0).log());
        assertThat(log.stream().anyMatch(line -> line.contains(" DEBUG "))).isTrue();
        assertThat(log).filteredOn(line -> MARKS.stream().anyMatch(line::contains)).isEmpty();
        String topics = inspector.everyTopic();
        assertThat(SECRETS).filteredOn(topics::contains).isEmpty();
        assertThat(topics.contains(ROW)).as("rows do reach their topic").isTrue();
      }
    }
  }

  private static Connector connector(Cluster cluster, Simulator service) {
    return new Connector(cluster, "secret", service)
        .eager(SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY)
        .set("api.key", cluster.secret("secret.properties", "key", KEY))
        .set("api.password", cluster.secret("password.properties", "password", PASSWORD))
        .set("retry.backoff.ms", "50")
        .set("retry.backoff.max.ms", "200");
  }

  /** Good rows, type mismatches and broken ones. */
  private static void markEverything(SimulatedLocation location) {
    Table products = location.products();
    products.ids().forEach(id -> products.updateEdited(id, row -> row.put("name", ROW + id)));
    products.updateEdited(5, row -> row.put("price", ROW));
    products.updateEdited(6, row -> row.put(ROW, ROW));
    products.createRaw("{\"name\":\"" + ROW + "\"}");
    location.inventory().createRaw("\"" + ROW + "\"");
  }
}
