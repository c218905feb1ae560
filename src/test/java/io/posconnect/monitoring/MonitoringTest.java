package io.posconnect.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.StrictFiles;
import io.posconnect.cluster.Prometheus;
import io.posconnect.metrics.MetricsDocs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files for Prometheus and Grafana agree with the metrics, the runbook and each other. */
class MonitoringTest {

  private static final Path CONFIG_MAP = Path.of("config", "strimzi", "metrics-config.yaml");
  private static final Path TESTS = Path.of("src/test/resources/monitoring/alerts-test.yml");
  private static final String STREAM = "kafka_connect_pos_stream_";
  private static final Pattern METRIC = Pattern.compile("^\\| `([a-z0-9-]+)` \\|");
  private static final Path REPORTER = Path.of("config", "strimzi", "metrics-reporter.yaml");

  /** Beans as the exporter writes them, from Connect 4.1 on and before it. */
  private static final Map<String, List<String>> BEANS =
      Map.of(
          "task",
          List.of(
              "kafka.connect<type=plugins, connector=c, task=0, pos=task-metrics",
              "kafka.connect.pos<type=task-metrics, connector=c, task=0"),
          "stream",
          List.of(
              "kafka.connect<type=plugins, connector=c, task=0, pos=stream-metrics, location=l,"
                  + " resource=r",
              "kafka.connect.pos<type=stream-metrics, connector=c, task=0, location=l,"
                  + " resource=r"));

  private static final Pattern GROUP = Pattern.compile("type=(stream|task)-metrics");

  /** The series that the rules of the exporter make of our metrics and of Connect's. */
  private static Set<String> series() throws IOException {
    List<JsonNode> rules =
        StrictFiles.yaml(MonitoringFiles.EXPORTER).path("rules").valueStream().toList();
    Set<String> names = new TreeSet<>();
    for (JsonNode rule : rules) {
      if (!rule.path("name").asText().contains("$")) {
        names.add(rule.path("name").asText());
      }
    }
    for (OwnMetric metric : own()) {
      Set<String> given =
          BEANS.get(metric.group()).stream()
              .map(bean -> series(rules, bean + "><>" + metric.name() + ": 1"))
              .collect(Collectors.toSet());
      assertThat(given).as(metric.name()).hasSize(1);
      names.addAll(given);
    }
    return names;
  }

  /** A metric of ours, and whose it is: of a stream or of a task. */
  private record OwnMetric(String group, String name) {}

  private static List<OwnMetric> own() {
    List<OwnMetric> all = new ArrayList<>();
    String group = "";
    for (String line : MetricsDocs.markdown().lines().toList()) {
      Matcher heading = GROUP.matcher(line);
      Matcher metric = METRIC.matcher(line);
      if (heading.find()) {
        group = heading.group(1);
      } else if (metric.find()) {
        all.add(new OwnMetric(group, metric.group(1)));
      }
    }
    return all;
  }

  /** The name that the first rule of the exporter that fits gives to an attribute. */
  private static String series(List<JsonNode> rules, String attribute) {
    for (JsonNode rule : rules) {
      Matcher fits = Pattern.compile(rule.path("pattern").asText()).matcher(attribute);
      if (fits.find()) {
        String name = rule.path("name").asText();
        for (int i = 1; i <= fits.groupCount(); i++) {
          name = name.replace("$" + i, fits.group(i));
        }
        return name.replace('-', '_');
      }
    }
    throw new AssertionError("no rule for " + attribute);
  }

  @Test
  void rulesAndPanelsNameExistingMetrics() throws IOException {
    assertThat(MonitoringFiles.namedMetrics()).hasSizeGreaterThan(30);
    assertThat(series()).containsAll(MonitoringFiles.namedMetrics());
  }

  @Test
  void everyAlertLinksToTheRunbookAndIsTestedFiringAndSilent() throws IOException {
    Set<String> fire = new HashSet<>();
    Set<String> silent = new HashSet<>();
    for (JsonNode test : StrictFiles.yaml(TESTS).path("tests")) {
      for (JsonNode check : test.path("alert_rule_test")) {
        (check.path("exp_alerts").isEmpty() ? silent : fire).add(check.path("alertname").asText());
      }
    }
    Set<String> anchors =
        Files.readAllLines(Path.of("docs", "operating.md")).stream()
            .filter(line -> line.startsWith("### "))
            .map(line -> line.substring(4).toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    List<String> linked = new ArrayList<>();
    for (JsonNode alert : MonitoringFiles.alerts()) {
      String link = alert.at("/annotations/runbook_url").asText();
      assertThat(link).as("%s", alert.path("alert")).startsWith("docs/operating.md#");
      linked.add(link.substring(link.indexOf('#') + 1));
      assertThat(alert.at("/labels/severity").asText()).isIn("critical", "warning", "info");
      assertThat(alert.at("/annotations/summary").asText()).isNotEmpty();
      assertThat(fire).contains(alert.path("alert").asText());
      assertThat(silent).contains(alert.path("alert").asText());
    }
    assertThat(linked).hasSameElementsAs(anchors).doesNotHaveDuplicates();
  }

  @Test
  void promtoolAcceptsTheAlertsAndTheirTests() throws Exception {
    Optional<Path> promtool = Prometheus.program("promtool");
    assumeTrue(promtool.isPresent(), "there is no promtool");
    succeeds(promtool.get(), "check", "rules", MonitoringFiles.ALERTS.toString());
    succeeds(promtool.get(), "test", "rules", TESTS.toString());
  }

  @Test
  void alertmanagerSendsOnePageForARevokedKey() throws Exception {
    JsonNode file = StrictFiles.yaml(MonitoringFiles.ALERTMANAGER);
    assertThat(file.at("/route/group_by"))
        .extracting(JsonNode::asText)
        .containsExactly("connector", "location");
    List<String> alerts =
        MonitoringFiles.alerts().stream().map(alert -> alert.path("alert").asText()).toList();
    assertThat(Pattern.compile("\"(Pos\\w+)\\\\?\"").matcher(file.toString()).results())
        .extracting(match -> match.group(1).replace("\\", ""))
        .isNotEmpty()
        .isSubsetOf(alerts);
    Optional<Path> amtool = Prometheus.program("amtool");
    if (amtool.isPresent()) {
      succeeds(amtool.get(), "check-config", MonitoringFiles.ALERTMANAGER.toString());
    }
  }

  @Test
  void prometheusDropsWhatNoPanelShowsAndNothingThatAnAlertUses() throws Exception {
    List<Set<String>> drops = drops();
    assertThat(drops).hasSize(2);
    assertThat(drops.get(0))
        .as("what the first list of %s drops, and what no panel shows", MonitoringFiles.PROMETHEUS)
        .isEqualTo(unused());
    assertThat(streamSeries()).containsAll(drops.get(1));
    assertThat(MonitoringFiles.alertMetrics()).doesNotContainAnyElementsOf(drops.get(1));
    Optional<Path> promtool = Prometheus.program("promtool");
    if (promtool.isPresent()) {
      succeeds(promtool.get(), "check", "config", MonitoringFiles.PROMETHEUS.toString());
    }
  }

  @Test
  void docsCountTheSeriesOfStreams() throws Exception {
    // The reason of a suspension is a text, and no series.
    long all = own().stream().filter(metric -> metric.group().equals("stream")).count() - 1;
    long rest = all - drops().get(0).size() - drops().get(1).size();

    assertSays(
        Path.of("docs/operating.md"),
        "A stream has %d series".formatted(all),
        "%d of %d remain".formatted(rest, all),
        "1,000 streams are %d,000 series".formatted(all));
    assertSays(Path.of("docs/scaling.md"), "| series in Prometheus | %d |".formatted(all));
  }

  /** Shows the sentence that is absent, and not the whole page. */
  private static void assertSays(Path page, String... sentences) throws IOException {
    String text = Files.readString(page);
    assertThat(sentences).as("what %s says", page).allMatch(text::contains);
  }

  /** The series of a stream: numbers only, so not the reason of a suspension. */
  private static Set<String> streamSeries() throws IOException {
    Set<String> names = series();
    names.removeIf(name -> !name.startsWith(STREAM) || name.equals(STREAM + "suspension_reason"));
    return names;
  }

  /** Those that neither an alert nor a panel uses. */
  private static Set<String> unused() throws IOException {
    Set<String> unused = streamSeries();
    unused.removeAll(MonitoringFiles.namedMetrics());
    return unused;
  }

  /** The lists of series that the example for Prometheus drops. */
  private static List<Set<String>> drops() throws IOException {
    return Pattern.compile(STREAM + "\\((\\S+)\\)")
        .matcher(Files.readString(MonitoringFiles.PROMETHEUS))
        .results()
        .map(match -> Stream.of(match.group(1).split("\\|", -1)).map(STREAM::concat))
        .map(names -> names.collect(Collectors.toSet()))
        .toList();
  }

  private static void succeeds(Path program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
  }

  @Test
  void strimziHasTheRulesOfTheAgent() throws IOException {
    JsonNode configMap = StrictFiles.yaml(CONFIG_MAP);
    assertThat(configMap.path("kind").asText()).isEqualTo("ConfigMap");
    assertThat(StrictFiles.yaml(configMap.at("/data/metrics-config.yml").asText()))
        .isEqualTo(StrictFiles.yaml(MonitoringFiles.EXPORTER));
  }

  @Test
  void otherPluginsKeepTheirNames() throws IOException {
    List<JsonNode> rules =
        StrictFiles.yaml(MonitoringFiles.EXPORTER).path("rules").valueStream().toList();
    for (String other :
        List.of(
            "kafka.connect<type=plugins, connector=c, task=0><>records-total: 1",
            "kafka.connect<type=plugins, connector=c, task=0, location=l, resource=r><>a: 1")) {
      assertThat(rules)
          .noneMatch(rule -> Pattern.compile(rule.path("pattern").asText()).matcher(other).find());
    }
  }

  @Test
  void strimzisReporterGivesTheSameNames() throws IOException {
    List<JsonNode> rules =
        StrictFiles.yaml(REPORTER)
            .at("/spec/podMetricsEndpoints/0/metricRelabelings")
            .valueStream()
            .toList();
    Set<String> names = new TreeSet<>();
    for (OwnMetric metric : own()) {
      // The reporter takes reserved endings off, and a text becomes a label of an "info".
      String reported = ("kafka_connect_plugins_" + metric.name()).replace('-', '_');
      List<String> forms = new ArrayList<>(List.of(reported));
      while (reported.matches(".*_(total|created)")) {
        reported = reported.replaceFirst("_(total|created)$", "");
        forms.add(reported);
      }
      if (metric.name().equals("suspension-reason")) {
        forms = List.of(reported + "_info");
      }
      for (String form : List.of(forms.get(0), forms.get(forms.size() - 1))) {
        relabelled(rules, metric.group() + "-metrics", form).ifPresent(names::add);
      }
    }
    for (String status :
        List.of(
            "kafka_connect_connector_metrics_status_info",
            "kafka_connect_connector_task_metrics_status_info",
            "kafka_connect_connector_task_metrics_offset_commit_failure_percentage",
            "kafka_connect_source_task_metrics_source_record_write")) {
      names.add(relabelled(rules, "", status).orElseThrow());
    }
    Set<String> exported = series();
    exported.remove(STREAM + "suspension_reason");
    assertThat(names)
        .as("what %s names, and what the metrics and jmx-exporter.yml do", REPORTER)
        .isEqualTo(exported);
  }

  /** The name of a series after the rules, as Prometheus applies them; empty if it is dropped. */
  private static Optional<String> relabelled(List<JsonNode> rules, String group, String series) {
    String name = series;
    for (JsonNode rule : rules) {
      List<String> sources = new ArrayList<>();
      for (JsonNode source : rule.path("sourceLabels")) {
        sources.add(source.asText().equals("pos") ? group : name);
      }
      Matcher fits =
          Pattern.compile("^(?:" + rule.path("regex").asText() + ")$")
              .matcher(String.join(";", sources));
      if (!fits.find()) {
        continue;
      }
      if (rule.path("action").asText().equals("drop")) {
        return Optional.empty();
      }
      if (rule.path("targetLabel").asText().equals("__name__")) {
        name =
            fits.replaceFirst(
                rule.path("replacement").asText().replaceAll("\\$\\{(\\d)\\}", "\\$$1"));
      }
    }
    return Optional.of(name);
  }

  @Test
  void openTelemetryGivesTheSameNames() throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonNode rule : StrictFiles.yaml(MonitoringFiles.OPEN_TELEMETRY).path("rules")) {
      String group = rule.path("prefix").asText().contains(".stream.") ? "stream" : "task";
      assertThat(rule.path("beans")).hasSize(2);
      Set<String> ours =
          own().stream()
              .filter(metric -> metric.group().equals(group))
              .map(OwnMetric::name)
              .collect(Collectors.toSet());
      ours.remove("suspension-reason");
      assertThat(rule.path("mapping").fieldNames())
          .toIterable()
          .as("%s, which GeneratedDocsTest writes", MonitoringFiles.OPEN_TELEMETRY)
          .hasSameElementsAs(ours);
      for (JsonNode metric : rule.path("mapping")) {
        String name = rule.path("prefix").asText() + metric.path("metric").asText();
        // As the exporter for Prometheus names a counter.
        names.add(
            name.replaceAll("[.-]", "_")
                + (metric.path("type").asText().equals("counter") ? "_total" : ""));
      }
    }
    Set<String> exported = series();
    exported.removeIf(name -> !name.startsWith("kafka_connect_pos_"));
    exported.remove(STREAM + "suspension_reason");
    assertThat(names)
        .as(
            "what %s names, and what the metrics and jmx-exporter.yml do",
            MonitoringFiles.OPEN_TELEMETRY)
        .isEqualTo(exported);
  }

  @Test
  void panelsHaveDescriptionsKnownVariablesAndLegendsThatNameTheConnector() throws IOException {
    Set<String> variables =
        MonitoringFiles.dashboard()
            .at("/templating/list")
            .valueStream()
            .map(variable -> variable.path("name").asText())
            .collect(Collectors.toSet());
    variables.add("__rate_interval");
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : MonitoringFiles.dashboard().path("panels")) {
      assertThat(ids.add(panel.path("id").intValue())).as("%s", panel.path("id")).isTrue();
    }
    for (JsonNode panel : MonitoringFiles.panels()) {
      String title = panel.path("title").asText();
      assertThat(panel.path("description").asText()).as(title).isNotEmpty();
      assertThat(panel.at("/datasource/uid").asText()).as(title).isEqualTo("${datasource}");
      assertThat(panel.path("targets")).as(title).isNotEmpty();
      assertThat(
              Pattern.compile("\\$\\{?(\\w+)")
                  .matcher(panel.path("targets").toString())
                  .results()
                  .map(match -> match.group(1)))
          .as(title)
          .isSubsetOf(variables);
      for (JsonNode target : panel.path("targets")) {
        String legend = target.path("legendFormat").asText();
        String expression = target.path("expr").asText();
        boolean isOfAll = expression.matches("(sum|count)( by \\((op|status)\\))? ?\\(.*");
        boolean isTable = target.path("format").asText().equals("table");
        assertThat(isOfAll || isTable || legend.startsWith("{{connector}} "))
            .as("%s: %s", title, legend)
            .isTrue();
      }
    }
  }

  @Test
  void panelsShowNoUnknownValues() throws IOException {
    Set<String> mayBeUnknown =
        MetricsDocs.markdown()
            .lines()
            .filter(line -> line.startsWith("| `") && line.contains("-1"))
            .map(line -> line.substring(3, line.indexOf('`', 3)).replace('-', '_'))
            .collect(Collectors.toSet());
    assertThat(mayBeUnknown).contains("watermark_lag_ms", "snapshot_rows");
    for (JsonNode panel : MonitoringFiles.panels()) {
      MonitoringFiles.expressions(panel)
          .filter(expr -> mayBeUnknown.stream().anyMatch(name -> expr.contains("_" + name + "{")))
          .forEach(expr -> assertThat(expr).endsWith(">= 0"));
    }
  }
}
