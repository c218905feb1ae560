package io.posconnect.metrics;

import java.util.List;

/** Prints the README's section on metrics, from the templates that the metrics are made of. */
public final class MetricsDocs {

  private MetricsDocs() {}

  /** Writes the section to the standard output. */
  public static void main(String[] args) {
    System.out.print(markdown());
  }

  /** The section: two tables in Markdown, with a line break at the end. */
  public static String markdown() {
    StringBuilder text = new StringBuilder();
    table(
        text,
        "Of each stream",
        "kafka.connect.pos:type=stream-metrics,connector=*,task=*,location=*,resource=*",
        MetricTemplate.STREAM);
    text.append('\n');
    table(
        text,
        "Of each task",
        "kafka.connect.pos:type=task-metrics,connector=*,task=*",
        MetricTemplate.TASK);
    return text.toString();
  }

  private static <B> void table(
      StringBuilder text, String title, String bean, List<MetricTemplate<B>> templates) {
    text.append(title).append(" (`").append(bean).append("`):\n\n");
    text.append("| JMX attribute | worker metric | |\n|---|---|---|\n");
    for (MetricTemplate<B> template : templates) {
      text.append("| `").append(template.attribute());
      text.append("` | `").append(template.name());
      text.append("` | ").append(template.description()).append(" |\n");
    }
  }
}
