package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.TaskContext;
import io.posconnect.TaskLog;
import io.posconnect.metrics.StreamMetrics.State;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.utils.MockTime;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** On Connect 4.1 and newer the metrics of a task are among the worker's own. */
class WorkerDisplayTest {

  private static final Stream PRODUCTS = new Stream("downtown", "products");
  private static final Stream INVENTORY = new Stream("airport", "inventory");

  private final MockTime time = new MockTime();
  @AutoClose private final Metrics worker = new Metrics(time);
  private final int own = worker.metrics().size();

  /** What the worker gives to each start of the task. */
  private PluginMetricsImpl plugin() {
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("connector", "till");
    tags.put("task", "3");
    return new PluginMetricsImpl(worker, tags);
  }

  private TaskMetrics task(PluginMetrics plugin, Stream... streams) {
    return TaskMetricsTest.task(time, "till", 3, new WorkerDisplay(plugin), streams);
  }

  @Test
  void everyMetricOfEachStreamIsAmongTheWorkers() {
    try (TaskMetrics metrics = task(plugin(), PRODUCTS, INVENTORY)) {
      TaskMetricsTest.of(metrics, PRODUCTS).add(State.SENT, 1);

      for (Stream stream : List.of(PRODUCTS, INVENTORY)) {
        assertThat(names("stream-metrics", stream.location()))
            .isEqualTo(
                Metric.OF_STREAM.stream()
                    .map(metric -> metric.template().name())
                    .collect(Collectors.toSet()));
      }
      KafkaMetric sent =
          worker.metrics().entrySet().stream()
              .filter(each -> each.getKey().name().equals("requests-total"))
              .filter(each -> each.getKey().tags().containsValue("downtown"))
              .map(Map.Entry::getValue)
              .findAny()
              .orElseThrow();
      assertThat(sent.metricName().group()).isEqualTo("plugins");
      assertThat(sent.metricName().description())
          .isEqualTo("Requests sent; retries, redirects and requests for `/whoami` count too.");
      assertThat(sent.metricName().tags())
          .containsExactly(
              Map.entry("connector", "till"),
              Map.entry("task", "3"),
              Map.entry("pos", "stream-metrics"),
              Map.entry("location", "downtown"),
              Map.entry("resource", "products"));
      assertThat(sent.metricValue()).isEqualTo(1L);
      assertThat(worker.metrics())
          .hasSize(own + 2 * Metric.OF_STREAM.size() + Metric.OF_TASK.size());
    }
    assertThat(worker.metrics()).hasSize(own);
  }

  private Set<String> names(String group, String location) {
    return worker.metrics().keySet().stream()
        .filter(name -> group.equals(name.tags().get("pos")))
        .filter(name -> location.equals(name.tags().get("location")))
        .map(MetricName::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void noNameIsInJmxTwice() throws JMException {
    JmxReporter reporter = new JmxReporter();
    reporter.contextChange(new KafkaMetricsContext("kafka.connect"));
    worker.addReporter(reporter);
    try (TaskMetrics metrics = task(plugin(), PRODUCTS)) {
      assertThat(metrics.streams).hasSize(1);
      assertThat(beans("kafka.connect:type=plugins,*"))
          .containsExactlyInAnyOrder(
              "kafka.connect:type=plugins,connector=till,task=3,pos=task-metrics",
              "kafka.connect:type=plugins,connector=till,task=3,pos=stream-metrics,"
                  + "location=downtown,resource=products");
      assertThat(beans("kafka.connect.pos:*")).isEmpty();
    }
    assertThat(beans("kafka.connect:type=plugins,*")).isEmpty();
  }

  private static Set<String> beans(String pattern) throws JMException {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName(pattern), null)
        .stream()
        .map(ObjectName::toString)
        .collect(Collectors.toSet());
  }

  @Test
  void aNewerTaskTakesOverTheNamesOfOneThatEndsLate() throws IOException {
    PluginMetricsImpl ofTheOlder = plugin();
    TaskMetrics older = task(ofTheOlder, PRODUCTS, INVENTORY);
    try (TaskMetrics newer = task(plugin(), PRODUCTS)) {
      older.close();
      ofTheOlder.close();

      assertThat(newer.streams).hasSize(1);
      assertThat(worker.metrics()).hasSize(own + Metric.OF_STREAM.size() + Metric.OF_TASK.size());
    }
    assertThat(worker.metrics()).hasSize(own);
  }

  @Test
  void theWorkerMayRemoveThemFirst() throws IOException {
    PluginMetricsImpl plugin = plugin();
    try (TaskLog log = TaskLog.listen()) {
      TaskMetrics metrics = task(plugin, PRODUCTS);
      plugin.close();
      metrics.close();

      assertThat(log.lines()).noneMatch(line -> line.startsWith("WARN"));
    }
    assertThat(worker.metrics()).hasSize(own);
  }

  @Test
  void noneStayWhereMemoryRunsOutBeforeAllAreShown() {
    Map<String, String> tags = new LinkedHashMap<>(Map.of("connector", "till", "task", "3"));
    PluginMetrics plugin =
        new PluginMetricsImpl(worker, tags) {
          @Override
          public void addMetric(MetricName name, MetricValueProvider<?> value) {
            if (worker.metrics().size() == own + 7) {
              throw new OutOfMemoryError("Java heap space");
            }
            super.addMetric(name, value);
          }
        };
    assertThatThrownBy(() -> task(plugin, PRODUCTS)).isInstanceOf(OutOfMemoryError.class);
    assertThat(worker.metrics()).hasSize(own);
  }

  @Test
  void theTaskGoesOnWithoutWhenTheWorkerRefuses() {
    PluginMetrics other = plugin();
    // Of a task of another version of the plugin, which this one does not know.
    new WorkerDisplay(other)
        .show(Map.of(new MetricName("streams", "task-metrics", "", Map.of()), (config, now) -> 1));
    try (TaskLog log = TaskLog.listen();
        TaskMetrics refused = task(plugin(), PRODUCTS)) {
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("WARN"))
          .singleElement()
          .asString()
          .startsWith("WARN " + Problem.METRICS_REFUSED.at("till/3"));
      TaskMetricsTest.of(refused, PRODUCTS).add(State.SENT, 1);
      assertThat(worker.metrics()).hasSize(own + 1);
    }
    assertThat(worker.metrics()).hasSize(own + 1);
  }

  @Test
  void aWorkerWithoutTheMethodGetsThemInJmx() {
    assertThat(Display.of(context(new NoSuchMethodError("pluginMetrics")), time))
        .isInstanceOf(JmxDisplay.class);
    assertThat(Display.of(context(new NoClassDefFoundError("PluginMetrics")), time))
        .isInstanceOf(JmxDisplay.class);
    assertThat(Display.of(context(null), time)).isInstanceOf(WorkerDisplay.class);
  }

  private TaskContext context(Error missing) {
    return new TaskContext(
        Map::of,
        TaskContext.unused(),
        () -> {
          if (missing != null) {
            throw missing;
          }
          return plugin();
        });
  }
}
