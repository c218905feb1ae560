package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.posconnect.resource.Stream;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.utils.MockTime;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PluginMetricsBridgeTest {

  private static final Stream PRODUCTS = new Stream("downtown", "products");
  private static final Stream INVENTORY = new Stream("downtown", "inventory");
  private static final Map<String, String> PRODUCTS_TAGS =
      Map.of("location", "downtown", "resource", "products");

  private final FakePluginMetrics worker = new FakePluginMetrics();
  private final TaskMetrics metrics =
      new TaskMetrics("till", 0, Set.of(PRODUCTS, INVENTORY), new MockTime());

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void showsEveryMetricOfTheTaskAndOfEachStream() {
    PluginMetricsBridge.bridge(context(() -> worker), metrics);

    assertThat(worker.metrics)
        .hasSize(MetricTemplate.TASK.size() + 2 * MetricTemplate.STREAM.size());
    assertThat(worker.metrics.keySet())
        .allSatisfy(name -> assertThat(name.description()).isNotBlank())
        .extracting(MetricName::name)
        .contains("requests-total", "watermark-lag-ms", "suspension-reason", "buffer-bytes");
  }

  @Test
  void readsValuesWhenAsked() {
    PluginMetricsBridge.bridge(context(() -> worker), metrics);
    metrics.stream(PRODUCTS).requested();
    metrics.stream(PRODUCTS).suspended("403");
    metrics.buffer(() -> 12, () -> 34L);

    assertThat(worker.value("requests-total", PRODUCTS_TAGS)).isEqualTo(1L);
    assertThat(worker.value("suspension-reason", PRODUCTS_TAGS)).isEqualTo("403");
    assertThat(worker.value("buffer-records", Map.of())).isEqualTo(12);
    assertThat(worker.value("streams-suspended", Map.of())).isEqualTo(1);
  }

  @Test
  void closingTakesItsMetricsOutAndMayBeRepeated() {
    PluginMetricsBridge bridge = PluginMetricsBridge.bridge(context(() -> worker), metrics);

    bridge.close();
    bridge.close();

    assertThat(worker.metrics).isEmpty();
  }

  @Test
  void closesAlsoAfterTheWorkerHasClosedItsMetrics() {
    PluginMetricsBridge bridge = PluginMetricsBridge.bridge(context(() -> worker), metrics);
    worker.close();

    assertThatCode(bridge::close).doesNotThrowAnyException();
  }

  @Test
  void leavesNothingHalfAddedWhenTheWorkerRefuses() {
    worker.capacity = MetricTemplate.TASK.size() + 5;

    PluginMetricsBridge.bridge(context(() -> worker), metrics);

    assertThat(worker.metrics).isEmpty();
  }

  @Test
  void leavesTheMetricsOfATaskThatIsStillThere() {
    PluginMetricsBridge.bridge(context(() -> worker), metrics);
    int before = worker.metrics.size();

    PluginMetricsBridge.bridge(context(() -> worker), metrics).close();

    assertThat(worker.metrics).hasSize(before);
  }

  @Test
  void aTaskThatStartsBeforeItsForerunnerIsGoneGoesOnWithoutTheWorkersMetrics() throws IOException {
    Map<String, String> tags = Map.of("connector", "till", "task", "0");
    try (Metrics all = new Metrics();
        PluginMetricsImpl older = new PluginMetricsImpl(all, tags);
        PluginMetricsImpl newer = new PluginMetricsImpl(all, tags)) {
      int others = all.metrics().size();
      PluginMetricsBridge first = PluginMetricsBridge.bridge(context(() -> older), metrics);
      int full = all.metrics().size();
      PluginMetricsBridge second = PluginMetricsBridge.bridge(context(() -> newer), metrics);
      assertThat(full).isGreaterThan(others);

      second.close();
      assertThat(all.metrics()).hasSize(full);
      first.close();
      assertThat(all.metrics()).hasSize(others);
    }
  }

  @Test
  void doesNothingWhereTheRuntimeHasNothingBehindTheMethod() {
    assertThatCode(() -> PluginMetricsBridge.bridge(context(() -> null), metrics).close())
        .doesNotThrowAnyException();
  }

  @Test
  void doesNothingOnAWorkerThatLacksTheMethodOrTheType() {
    for (LinkageError lack :
        new LinkageError[] {new NoSuchMethodError(), new NoClassDefFoundError()}) {
      SourceTaskContext older =
          context(
              () -> {
                throw lack;
              });
      assertThatCode(() -> PluginMetricsBridge.bridge(older, metrics).close())
          .doesNotThrowAnyException();
    }
  }

  private static SourceTaskContext context(Supplier<PluginMetrics> pluginMetrics) {
    return new SourceTaskContext() {
      @Override
      public Map<String, String> configs() {
        return Map.of();
      }

      @Override
      public OffsetStorageReader offsetStorageReader() {
        throw new AssertionError("metrics read no offsets");
      }

      @Override
      public PluginMetrics pluginMetrics() {
        return pluginMetrics.get();
      }
    };
  }
}
