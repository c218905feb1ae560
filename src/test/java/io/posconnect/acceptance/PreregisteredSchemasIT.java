package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A converter that registers nothing finds every schema that the tool wrote. */
@ExtendWith(SharedCluster.class)
class PreregisteredSchemasIT {

  private static final String NAME = "preregistered";

  @TempDir private Path folder;

  @Test
  void everyTopicIsWrittenWithSchemasOfTool(Cluster cluster) throws Exception {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector connector = connector(cluster, service)) {
      List<String> subjects = register(cluster, connector.settings());
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
      assertThat(subjects(cluster)).containsExactlyInAnyOrderElementsOf(subjects);
    }
  }

  private static Connector connector(Cluster cluster, Simulator service) {
    Connector connector = new Connector(cluster, NAME, service).eager(SimulatedLocation.PRODUCTS);
    connector.set("resources.products.reconcile.interval.ms", "1000");
    cluster.preregisteredConverters().forEach(connector::set);
    return connector;
  }

  /** Returns the subjects. */
  private List<String> register(Cluster cluster, Map<String, String> settings) throws Exception {
    Path configuration = folder.resolve("pos.json");
    new ObjectMapper().writeValue(configuration.toFile(), settings);
    Path schemas = folder.resolve("schemas");
    Program.tool("schemas", configuration, "--out", schemas).succeeded();
    try (Stream<Path> files = Files.list(schemas)) {
      List<Path> written = files.filter(file -> file.toString().endsWith(".avsc")).toList();
      for (Path file : written) {
        cluster.registry().register(subject(file), new Schema.Parser().parse(file.toFile()));
      }
      return written.stream().map(PreregisteredSchemasIT::subject).toList();
    }
  }

  private static String subject(Path file) {
    return file.getFileName().toString().replaceFirst("\\.avsc$", "");
  }

  private static Stream<TopicRecord> products(Connector connector) {
    return connector.events(SimulatedLocation.PRODUCTS).stream();
  }

  private static List<String> subjects(Cluster cluster) {
    return cluster.registry().subjects().stream().filter(s -> s.startsWith(NAME + ".")).toList();
  }
}
