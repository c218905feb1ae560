package io.posconnect.metrics;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricNameTemplate;

/** Renders the templates of the metrics as the tables of {@code docs/metrics.md}. */
public final class MetricsDocs {

  private MetricsDocs() {}

  /** The whole page in Markdown, ending with a line break. */
  public static String markdown() {
    return """
        # Metrics

        Each task shows its metrics and those of its streams under the names below. There is \
        nothing to configure. On Connect 4.1 and newer they are among the worker's own metrics, \
        so JMX has them and every other class of `metric.reporters` too; the group is then \
        `plugins`, and the tag `pos` names the table of a metric. Older workers \
        have them in JMX alone. They are never in both. A `-total` counts from the start of the task, \
        and -1 means "not known yet".

        """
        + section("Each stream", Metric.OF_STREAM)
        + "\n"
        + section("Each task", Metric.OF_TASK);
  }

  private static <S> String section(String title, List<Metric<S>> metrics) {
    MetricNameTemplate any = metrics.get(0).template();
    String tags = any.tags().stream().map(tag -> "," + tag + "=*").collect(Collectors.joining());
    return metrics.stream()
        .map(Metric::template)
        .map(metric -> "| `" + metric.name() + "` | " + metric.description() + " |\n")
        .collect(
            Collectors.joining(
                "",
                """
                ## %1$s

                On Connect 4.1 and newer `kafka.connect:type=plugins%4$s`, before it \
                `%2$s:type=%3$s%5$s`:

                | attribute | meaning |
                |---|---|
                """
                    .formatted(
                        title,
                        JmxDisplay.DOMAIN,
                        any.group(),
                        tags.replace(
                            ",task=*", ",task=*," + WorkerDisplay.GROUP_TAG + "=" + any.group()),
                        tags),
                ""));
  }

  /** The file for Strimzi's reporter with today's counts; it takes the ending off each of them. */
  public static String strimzi(String file) {
    String counts =
        Stream.concat(names(Metric.OF_STREAM), names(Metric.OF_TASK))
            .filter(name -> name.endsWith("-total") && !name.startsWith("events-"))
            .map(name -> name.replaceFirst("-total$", "").replace('-', '_'))
            .collect(Collectors.joining("|"));
    return file.replaceFirst("(?<=plugins_\\()[a-z0-9_]+\\|[a-z0-9_|]*", counts);
  }

  private static <S> Stream<String> names(List<Metric<S>> metrics) {
    return metrics.stream().map(metric -> metric.template().name());
  }

  /** The rules for OpenTelemetry's JMX metrics. */
  public static String openTelemetry() {
    return """
        # The connector's metrics for OpenTelemetry: give this file to its Java agent, or to its JMX scraper, as otel.jmx.config.
        # Exported to Prometheus they have the names of jmx-exporter.yml, so alerts and dashboard fit. Units are in the names.
        # Connect's own states have names of OpenTelemetry's there: panels and alerts that use them need otel.jmx.target.system.
        # A text (suspension-reason) is no metric there. Written by GeneratedDocsTest.
        rules:
        """
        + rule("stream", Metric.OF_STREAM)
        + rule("task", Metric.OF_TASK);
  }

  private static <S> String rule(String kind, List<Metric<S>> metrics) {
    MetricNameTemplate any = metrics.get(0).template();
    List<String> tags = List.copyOf(any.tags());
    String all = tags.stream().map(tag -> "," + tag + "=*").collect(Collectors.joining());
    return """
            - beans:
                - "kafka.connect:type=plugins,pos=%1$s%2$s"
                - "%3$s:type=%1$s%2$s"
              prefix: kafka.connect.pos.%4$s.
              metricAttribute:
          """
            .formatted(any.group(), all, JmxDisplay.DOMAIN, kind)
        + tags.stream()
            .map(tag -> "      " + tag + ": param(" + tag + ")\n")
            .collect(Collectors.joining())
        + "    mapping:\n"
        + metrics.stream()
            .map(Metric::template)
            .filter(metric -> !metric.name().equals("suspension-reason"))
            .map(MetricsDocs::mapping)
            .collect(Collectors.joining());
  }

  private static String mapping(MetricNameTemplate metric) {
    String name = metric.name().replaceFirst("-total$", "");
    String operation =
        name.matches("events-(created|updated|deleted|read)") ? name.substring(7) : "";
    return """
                %s:
                  metric: %s
                  type: %s
                  desc: "%s of docs/metrics.md"
          """
            .formatted(
                metric.name(),
                operation.isEmpty() ? name.replace('-', '.') : "events",
                metric.name().endsWith("-total") ? "counter" : "gauge",
                operation.isEmpty() ? metric.name() : "events-...-total")
        + (operation.isEmpty()
            ? ""
            : "        metricAttribute:\n          op: const(" + operation + ")\n");
  }
}
