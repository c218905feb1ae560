package io.posconnect.metrics;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.MetricNameTemplate;

/** Renders the templates of the metrics as the tables of {@code docs/metrics.md}. */
public final class MetricsDocs {

  private MetricsDocs() {}

  /** The whole page in Markdown, ending with a line break. */
  public static String markdown() {
    return """
        # Metrics

        Each task shows its metrics and those of its streams in the worker's JMX, under the names \
        below. There is nothing to configure. A `-total` counts from the start of the task, a \
        `-rate` is an average over the last 30 to 60 seconds, and -1 means "not known yet".

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
                "## %s\n\n`%s:type=%s%s`\n\n| attribute | meaning |\n|---|---|\n"
                    .formatted(title, TaskMetrics.DOMAIN, any.group(), tags),
                ""));
  }
}
