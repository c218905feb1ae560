package io.posconnect.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.StrictFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files for Prometheus and Grafana, read strictly, and what they name. */
final class MonitoringFiles {

  static final Path EXPORTER = Path.of("config", "monitoring", "jmx-exporter.yml");
  static final Path OPEN_TELEMETRY = Path.of("config", "monitoring", "otel-jmx.yml");
  static final Path ALERTS = Path.of("config", "monitoring", "alerts.yml");
  static final Path ALERTMANAGER = Path.of("config", "monitoring", "alertmanager.yml");
  static final Path PROMETHEUS = Path.of("config", "monitoring", "prometheus.yml");
  static final Path DASHBOARD = Path.of("config", "monitoring", "grafana-dashboard.json");

  private static final String GRACE = " + 600";
  private static final Pattern METRIC = Pattern.compile("kafka_[a-z0-9_]+");
  private static final Pattern DURATION = Pattern.compile("(?<![\\w.])\\d+[smhd]\\b");

  private MonitoringFiles() {}

  /** Each alert, in order. */
  static List<JsonNode> alerts() throws IOException {
    return StrictFiles.yaml(ALERTS).at("/groups/0/rules").valueStream().toList();
  }

  static JsonNode dashboard() throws IOException {
    return StrictFiles.json(DASHBOARD);
  }

  /** The panels that show something; rows do not. */
  static List<JsonNode> panels() throws IOException {
    return dashboard()
        .path("panels")
        .valueStream()
        .filter(panel -> !panel.path("type").asText().equals("row"))
        .toList();
  }

  static Stream<String> expressions(JsonNode panel) {
    return panel.path("targets").valueStream().map(target -> target.path("expr").asText());
  }

  /** The series that the rules of alerts name. */
  static Set<String> alertMetrics() throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonNode alert : alerts()) {
      addNames(names, alert.path("expr").asText());
    }
    return names;
  }

  /** The series that rules and panels name. */
  static Set<String> namedMetrics() throws IOException {
    Set<String> names = alertMetrics();
    for (JsonNode panel : panels()) {
      expressions(panel).forEach(expression -> addNames(names, expression));
    }
    return names;
  }

  private static void addNames(Set<String> names, String text) {
    METRIC.matcher(text).results().forEach(match -> names.add(match.group()));
  }

  /**
   * The rules with other waiting times: those before an alert, those that are looked back, and the
   * grace that a watermark has.
   */
  static String alertsWithin(String wait, String lookBack) throws IOException {
    JsonNode rules = StrictFiles.yaml(ALERTS);
    for (JsonNode rule : rules.at("/groups/0/rules")) {
      ObjectNode alert = (ObjectNode) rule;
      if (alert.has("for")) {
        alert.put("for", wait);
      }
      String expression = alert.path("expr").asText().replace(GRACE, "");
      alert.put("expr", DURATION.matcher(expression).replaceAll(lookBack));
    }
    return StrictFiles.YAML.writeValueAsString(rules);
  }

  /** An expression of the dashboard, as Grafana asks for it when everything is chosen. */
  static String chosen(String expression, String rateInterval) {
    return expression
        .replace("$__rate_interval", rateInterval)
        .replaceAll("\\$(connector|location|resource)", ".*");
  }
}
