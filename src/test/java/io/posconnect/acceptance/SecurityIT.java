package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.hostile.Certificates;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Over mutual TLS, with keys from files and everything logged, a service repeats secrets and rows
 * in all that it answers: no secret reaches what Kafka or an operator sees, and no row more than
 * its topic. A key is rotated meanwhile.
 */
@ExtendWith(SharedCluster.class)
class SecurityIT {

  private static final String KEY = "keymark-7f3ac1";
  private static final String SUCCESSOR = "nextkeymark-2b7c";
  private static final String PASSWORD = "passmark-91c2bb";
  private static final String STORE_PASSWORD = "storemark-4e77d0";
  private static final String ROW = "rowmark-5d20ee";
  private static final List<String> SECRETS =
      List.of(KEY, SUCCESSOR, PASSWORD, STORE_PASSWORD, basic(KEY), basic(SUCCESSOR));

  private static String basic(String key) {
    return Base64.getEncoder().encodeToString((key + ":" + PASSWORD).getBytes(UTF_8));
  }

  /** Each of them repeats what must not be repeated. */
  private static List<Supplier<Fault>> indiscretions() {
    String all = ROW + " " + SUCCESSOR + " " + PASSWORD + " " + basic(SUCCESSOR);
    return List.of(
        () -> Fault.error(500, all),
        () -> Fault.answer(200, "text/html", "<html>" + all + "</html>"),
        () -> Fault.json("[{\"productId\":\"" + ROW + "\",\"" + ROW + "\":" + all),
        () -> Fault.json("{\"" + ROW + "\":\"" + all + "\"}"),
        () -> Fault.contentType("text/" + SUCCESSOR),
        () -> Fault.answer(429, "application/json", "{\"TraceId\":\"" + SUCCESSOR + "\"}"),
        () -> Fault.redirect(URI.create("https://other.example.com/" + ROW + "?" + SUCCESSOR)),
        Fault::cutChunks,
        () -> Fault.error(400, all));
  }

  @Test
  void neitherSecretsNorRowsLeakAndAKeyRotatesLive(Cluster cluster, @TempDir Path folder)
      throws Exception {
    Certificates certificates = new Certificates(folder, STORE_PASSWORD);
    ClusterInspector inspector = new ClusterInspector(cluster);
    inspector.level("TRACE");
    try (Simulator service =
        Simulator.builder()
            .unlimited()
            .password(PASSWORD)
            .tls(certificates.context(), true)
            .start()) {
      SimulatedLocation location = service.location(KEY);
      service.fill(location, new InitialRows(30, 0, 0, Duration.ofDays(1), 30, 0));
      markEverything(location);
      try (Connector connector = connector(cluster, service, certificates).start()) {
        Connector.await("both dead letters", () -> connector.deadLetters().size() >= 2);
        rotate(cluster, service, connector);
        for (Supplier<Fault> each : indiscretions()) {
          // Refused streams would stay suspended for half a minute.
          cluster.connect().restart(connector.name());
          cluster.connect().awaitRunning(connector.name());
          try (ActiveFault fault = service.faults().everywhere().then(each.get())) {
            Connector.await("the fault strikes", () -> fault.hits() >= 2);
          }
        }
        service.revoke(SUCCESSOR);
        cluster.connect().restart(connector.name());
        // While a restart replaces the task, it has no metrics.
        String metrics =
            Connector.await("metrics", inspector::metrics, text -> text.contains("401"));
        cluster.connect().awaitFailed(connector.name());

        String seen = metrics + inspector.seenByOperators(connector);
        assertThat(seen).contains("401", " TRACE ", "default/products/");
        assertThat(SECRETS).filteredOn(seen::contains).isEmpty();
        assertThat(seen.contains(ROW)).as("a row outside its topic").isFalse();
        assertThat(connector.checkpoints().toString()).doesNotContain(ROW);
        String topics = inspector.everyTopic();
        assertThat(SECRETS).filteredOn(topics::contains).isEmpty();
        assertThat(topics.contains(ROW)).as("rows reach their topic").isTrue();
      }
    } finally {
      inspector.level("INFO");
    }
  }

  private static Connector connector(
      Cluster cluster, Simulator service, Certificates certificates) {
    String stores = cluster.secret("stores.properties", "password", STORE_PASSWORD);
    return new Connector(cluster, "secure", service)
        .eager(SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY)
        .set("api.key", cluster.secret("pos.properties", "key", KEY))
        .set("api.password", cluster.secret("password.properties", "password", PASSWORD))
        .set("ssl.truststore.location", certificates.trusted().toString())
        .set("ssl.truststore.password", stores)
        .set("ssl.keystore.location", certificates.client().toString())
        .set("ssl.keystore.password", stores)
        .set("retry.backoff.ms", "50")
        .set("retry.backoff.max.ms", "200")
        .set("errors.fail.after.ms", "5000");
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

  /** Nothing is restarted: the file changes, and the service's key with it. */
  private static void rotate(Cluster cluster, Simulator service, Connector connector) {
    int known = connector.events(SimulatedLocation.PRODUCTS).size();
    cluster.secret("pos.properties", "key", SUCCESSOR);
    service.rotate(KEY, SUCCESSOR);
    service.location(SUCCESSOR).products().update(1);
    Connector.await(
        "an event under the new key",
        () -> connector.events(SimulatedLocation.PRODUCTS).size() > known);
    assertThat(cluster.connect().status(connector.name()).all("RUNNING")).isTrue();
  }
}
