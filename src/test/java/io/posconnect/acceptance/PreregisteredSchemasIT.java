package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.RegistryGate;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.hostile.Certificates;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A registry that demands a token, over TLS of a private authority: a converter that registers
 * nothing finds every schema that the tool wrote, and the tool reads what the converter wrote.
 */
@ExtendWith(SharedCluster.class)
class PreregisteredSchemasIT {

  private static final String NAME = "preregistered";
  private static final String TOKEN = "token-of-the-registry";
  private static final String PASSWORD = "store-password";

  @TempDir private Path folder;

  @Test
  void everyTopicIsWrittenWithSchemasOfTool(Cluster cluster) throws Exception {
    Certificates certificates = new Certificates(folder, PASSWORD);
    try (Simulator service = Simulator.builder().unlimited().start();
        RegistryGate registry =
            new RegistryGate(cluster.registry(), certificates.context(), "Bearer " + TOKEN);
        Connector connector = new Connector(cluster, NAME, service)) {
      connector
          .eager(SimulatedLocation.PRODUCTS)
          .set("resources.products.reconcile.interval.ms", "1000");
      converters(connector, cluster, registry, certificates);
      Path client = client(cluster, registry, token(cluster, TOKEN), certificates);
      String registered = register(connector, cluster, registry, client).succeeded();
      List<String> subjects = subjects(cluster);
      assertThat(subjects).hasSize(8);
      assertThat(subjects)
          .allSatisfy(subject -> assertThat(registered).contains(subject + " registered as "));

      Table products = service.location().products();
      products.generate(3);
      products.createRaw("{\"name\":\"has no key\"}");
      connector.start();
      Connector.await("a dead letter", () -> !connector.deadLetters().isEmpty());
      products.delete(1);
      Connector.await("a tombstone", () -> products(connector).anyMatch(TopicRecord::tombstone));
      Connector.await("a checkpoint of it", () -> connector.checkpoints().size() > 1);
      Connector.await("a status", () -> !cluster.topics().read(NAME + ".status").isEmpty());

      assertThat(products(connector).filter(event -> !event.tombstone())).hasSize(4);
      assertThat(cluster.connect().status(NAME).all("RUNNING")).isTrue();
      assertThat(subjects(cluster)).isEqualTo(subjects);
      assertThat(registry.stopped()).isZero();
      assertThat(audit(connector, client).succeeded()).contains("Every stream is equal");

      Path wrong = client(cluster, registry, token(cluster, "x" + TOKEN), certificates);
      assertEnds(audit(connector, wrong), "does not admit the tool (401)", "bearer.auth.token");
      assertEnds(
          register(connector, cluster, registry, wrong),
          "does not admit the tool (401)",
          "--client");
      Path trusting = client(cluster, registry, token(cluster, TOKEN));
      String remedy = "schema.registry.ssl.truststore";
      assertEnds(audit(connector, trusting), "do not trust each other", remedy);
      assertEnds(
          register(connector, cluster, registry, trusting), "do not trust each other", remedy);
    }
  }

  private static String token(Cluster cluster, String token) {
    return cluster.secret("registry-" + token.length() + ".properties", "token", token);
  }

  /** The shipped converters, which register nothing. */
  private static void converters(
      Connector connector, Cluster cluster, RegistryGate registry, Certificates certificates) {
    cluster.converters(registry.url(cluster.registry().converterUrl())).forEach(connector::set);
    for (String side : List.of("key", "value")) {
      String request = side + ".converter.apicurio.rest.request.";
      connector
          .set(side + ".converter.apicurio.registry.auto-register", "false")
          // By the text it finds none: it looks for a schema whose records are references.
          .set(side + ".converter.apicurio.registry.find-latest", "true")
          .set(request + "headers.Authorization", "Bearer " + token(cluster, TOKEN))
          .set(request + "ssl.truststore.location", certificates.trusted().toString())
          .set(request + "ssl.truststore.type", "PKCS12")
          .set(request + "ssl.truststore.password", PASSWORD);
    }
  }

  /** The file for the tool; without certificates it trusts what Java trusts. */
  private Path client(Cluster cluster, RegistryGate registry, String token, Certificates... trusted)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("bootstrap.servers=").append(cluster.bootstrapServers());
    text.append("\nschema.registry.url=").append(registry.url(cluster.registry().confluentUrl()));
    text.append("\nbearer.auth.credentials.source=STATIC_TOKEN\nbearer.auth.token=").append(token);
    for (Certificates each : trusted) {
      text.append("\nschema.registry.ssl.truststore.location=").append(each.trusted());
      text.append("\nschema.registry.ssl.truststore.password=").append(PASSWORD);
    }
    return Files.writeString(Files.createTempFile(folder, "client", ".properties"), text);
  }

  private Program register(
      Connector connector, Cluster cluster, RegistryGate registry, Path client) {
    String url = registry.url(cluster.registry().confluentUrl()).toString();
    return shown(
        connector.tool(folder, "schemas", "--register", url, "--client", client.toString()));
  }

  private Program audit(Connector connector, Path client) {
    return shown(connector.tool(folder, "audit", "--client", client.toString(), "--wait", "20"));
  }

  private static Program shown(Program run) {
    assertThat(run.out() + run.err()).doesNotContain(TOKEN, PASSWORD);
    return run;
  }

  private static void assertEnds(Program run, String reason, String remedy) {
    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(3);
    assertThat(run.err().replaceAll("\\s", "")).contains(reason.replace(" ", "")).contains(remedy);
  }

  private static Stream<TopicRecord> products(Connector connector) {
    return connector.events(SimulatedLocation.PRODUCTS).stream();
  }

  private static List<String> subjects(Cluster cluster) {
    return cluster.registry().subjects().stream().filter(s -> s.startsWith(NAME + ".")).toList();
  }
}
