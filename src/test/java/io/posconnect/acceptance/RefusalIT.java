package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is wrong with a configuration is said before it runs, on the setting that is to blame. */
@ExtendWith(SharedCluster.class)
class RefusalIT {

  /**
   * @param name of the setting to spoil
   * @param value that it gets
   * @param blamed setting on which the error must stand
   * @param says what the message must contain: the fault, or what to do
   */
  private record Mistake(String name, String value, String blamed, List<String> says) {}

  private static final List<Mistake> MISTAKES =
      List.of(
          mistake("api.key", "not-a-key", "api.key", "401", "default"),
          mistake("resources", "inventory", "api.key", "403", "Reporting"),
          mistake("base.url", "not a url", "base.url", "http"),
          mistake("base.url", "http://pos.example.com", "base.url", "https", "allow.http"),
          mistake("base.url", "http://127.0.0.1:1", "base.url", "does not answer"),
          mistake("resources", "prodcuts", "resources", "prodcuts", "products"),
          mistake("lookback.ms", "-5", "lookback.ms", "-5"),
          mistake(
              "resources.products.requests.per.minute",
              "-1",
              "resources.products.requests.per.minute",
              "-1"),
          mistake(
              "resources.products.pol.interval.ms",
              "1000",
              "resources.products.pol.interval.ms",
              "poll.interval.ms"),
          mistake("resources.products.path", "/nowhere", "resources.products.path", "404"));

  private static Mistake mistake(String name, String value, String blamed, String... says) {
    return new Mistake(name, value, blamed, List.of(says));
  }

  @Test
  void everyMistakeIsRefusedByValidationAndByCreationOnTheSettingToBlame(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      service.fill(service.location(), InitialRows.SMALL);
      service.location().forbid(Permission.REPORTING);
      Connector good = new Connector(cluster, "refused", service).resources("products");
      assertThat(cluster.connect().validate(Connector.CLASS, good.settings())).isEmpty();
      for (Mistake mistake : MISTAKES) {
        Connector bad = new Connector(cluster, "refused", service).resources("products");
        bad.set(mistake.name(), mistake.value());
        assertRefused(cluster, bad, mistake);
      }
      assertThat(cluster.connect().connectors()).doesNotContain("refused");
    }
  }

  private static void assertRefused(Cluster cluster, Connector bad, Mistake mistake) {
    Map<String, List<String>> errors = cluster.connect().validate(Connector.CLASS, bad.settings());
    System.out.println(mistake.name() + "=" + mistake.value() + ": " + errors);
    assertThat(errors).as(mistake.name()).containsOnlyKeys(mistake.blamed());
    assertThat(String.join("\n", errors.get(mistake.blamed())))
        .contains(mistake.says().toArray(String[]::new));
    assertThatThrownBy(() -> cluster.connect().put(bad.name(), bad.settings()))
        .as(mistake.name())
        .hasMessageContaining(mistake.says().get(0))
        .hasMessageContaining(mistake.blamed());
  }
}
