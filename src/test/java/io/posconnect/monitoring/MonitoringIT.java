package io.posconnect.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.MetricsAgent;
import io.posconnect.cluster.Prometheus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The JMX exporter in a worker shows all that rules and panels name, and a Prometheus that scrapes
 * it fires an alert for what goes wrong, and resolves it when the runbook was followed.
 */
@Tag("practice")
class MonitoringIT {

  /** Of the rules and the dashboard: minutes and hours become seconds. */
  private static final String WAIT = "2s";

  private static final String LOOK_BACK = "15s";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static MetricsAgent agent;
  @AutoClose private static Cluster cluster;

  @BeforeAll
  static void start() {
    agent = MetricsAgent.of(MonitoringFiles.EXPORTER);
    cluster = Cluster.start(ClusterOptions.of("monitoring").withWorkerJvm(agent.option()));
  }

  @Test
  void theAgentShowsEveryNamedMetric() throws Exception {
    try (WatchedConnectors connectors = new WatchedConnectors(cluster)) {
      connectors.startCalm();
      Set<String> names = MonitoringFiles.namedMetrics();
      Awaitility.await("every metric that is named")
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(shown()).containsAll(names));
      assertThat(shown()).doesNotContain("kafka_connect_pos_stream_suspension_reason");
    }
  }

  /** Names of the series that have a value. */
  private static Set<String> shown() {
    Set<String> names = new TreeSet<>();
    Pattern.compile("^(kafka_\\w+)\\{[^}]+\\} [-\\d.E]+$", Pattern.MULTILINE)
        .matcher(agent.metrics())
        .results()
        .forEach(match -> names.add(match.group(1)));
    return names;
  }

  @Test
  void alertsFireAndResolve() throws Exception {
    assumeTrue(Prometheus.program("prometheus").isPresent(), "there is no prometheus");
    String rules = MonitoringFiles.alertsWithin(WAIT, LOOK_BACK);
    Set<String> panels = new TreeSet<>();
    for (JsonNode panel : MonitoringFiles.panels()) {
      MonitoringFiles.expressions(panel)
          .forEach(expression -> panels.add(MonitoringFiles.chosen(expression, LOOK_BACK)));
    }
    try (Prometheus prometheus = Prometheus.start(rules, agent.address());
        WatchedConnectors connectors = new WatchedConnectors(cluster)) {
      Trouble nothing =
          new Trouble("PosNothingRuns", "")
              .done("no connector exists")
              .mend("create the connectors", connectors::start);
      watch(prometheus, List.of(nothing), panels);
      connectors.awaitRead();
      Awaitility.await("no alert")
          .atMost(PATIENCE)
          .until(() -> prometheus.alerts().valueStream().noneMatch(Trouble::isFiring));

      List<Trouble> troubles = connectors.befall();
      watch(prometheus, troubles, panels);

      System.out.println(
          "| alert | what was done | fired after | what the runbook says | resolved after | runbook"
              + " |\n"
              + "|---|---|---|---|---|---|\n"
              + nothing.row());
      troubles.forEach(trouble -> System.out.println(trouble.row()));
      assertThat(panels).as("panels that have shown nothing").isEmpty();
    }
  }

  /** Follows the troubles to their end; takes out what a panel asks for once there is an answer. */
  private static void watch(Prometheus prometheus, List<Trouble> troubles, Set<String> panels) {
    Awaitility.await("every alert fires and resolves")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .untilAsserted(
            () -> {
              // A scrape that a loaded machine misses ends every alert for a moment.
              assertThat(prometheus.query("min_over_time(up[3s]) == 1")).isNotEmpty();
              JsonNode alerts = prometheus.alerts();
              troubles.forEach(trouble -> trouble.look(alerts));
              alerts.valueStream().filter(Trouble::isFiring).forEach(MonitoringIT::assertNotCalm);
              panels.removeIf(expression -> !prometheus.query(expression).isEmpty());
              assertThat(troubles).allMatch(Trouble::isOver);
            });
  }

  private static void assertNotCalm(JsonNode alert) {
    if (alert.at("/labels/location").asText().equals(WatchedConnectors.CALM)) {
      throw new IllegalStateException("an alert about a location without trouble: " + alert);
    }
  }
}
