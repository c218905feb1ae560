package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A worker reports each fault of a configuration on its own setting, and creates no such connector.
 * Which faults there are is shown by the tests of validation; here they pass through REST.
 */
@ExtendWith(SharedCluster.class)
class ValidationIT {

  /**
   * One fault.
   *
   * @param setting to spoil
   * @param value that it gets
   * @param blamed the setting on which the error must stand
   * @param words that the error must contain
   */
  private record Mistake(String setting, String value, String blamed, List<String> words) {

    static Mistake of(String setting, String value, String blamed, String... words) {
      return new Mistake(setting, value, blamed, List.of(words));
    }
  }

  private static final List<Mistake> MISTAKES =
      List.of(
          Mistake.of("api.key", "not-a-key", "api.key", "401", "default"),
          Mistake.of("resources", "inventory", "api.key", "403", "Reporting"),
          Mistake.of("base.url", "http://pos.example.com", "base.url", "https", "allow.http"),
          Mistake.of("base.url", "http://127.0.0.1:1", "base.url", "does not answer"),
          Mistake.of("resources", "prodcuts", "resources", "prodcuts", "products"),
          Mistake.of("lookback.ms", "-5", "lookback.ms", "-5"),
          Mistake.of(
              "resources.products.pol.interval.ms",
              "1000",
              "resources.products.pol.interval.ms",
              "poll.interval.ms"),
          Mistake.of("resources.products.path", "/nowhere", "resources.products.path", "404"));

  @Test
  void refusesEachMistakeOnTheSettingToBlame(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      service.fill(service.location(), InitialRows.SMALL);
      service.location().forbid(Permission.REPORTING);
      Connector good = new Connector(cluster, "refused", service).resources("products");
      assertThat(cluster.connect().validate(Connector.CLASS, good.settings())).isEmpty();
      for (Mistake mistake : MISTAKES) {
        assertRefused(cluster, good, mistake);
      }
      assertThat(cluster.connect().connectors()).doesNotContain("refused");
    }
  }

  private static void assertRefused(Cluster cluster, Connector good, Mistake mistake) {
    Map<String, String> bad = new HashMap<>(good.settings());
    bad.put(mistake.setting(), mistake.value());
    Map<String, List<String>> errors = cluster.connect().validate(Connector.CLASS, bad);
    assertThat(errors).as(mistake.setting()).containsOnlyKeys(mistake.blamed());
    assertThat(String.join("\n", errors.get(mistake.blamed())))
        .contains(mistake.words().toArray(String[]::new))
        .doesNotContain("not-a-key", Simulator.KEY);
    assertThatThrownBy(() -> cluster.connect().put("refused", bad))
        .as(mistake.setting())
        .hasMessageContaining(mistake.words().get(0))
        .hasMessageContaining(mistake.blamed());
  }
}
