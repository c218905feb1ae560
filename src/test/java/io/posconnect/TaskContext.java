package io.posconnect;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** What a worker gives to a task. */
public record TaskContext(
    Supplier<Map<String, String>> settings,
    Supplier<OffsetStorageReader> offsets,
    Supplier<PluginMetrics> metrics)
    implements SourceTaskContext {

  /** What a worker before 4.1 does that is asked for metrics. */
  public static final Supplier<PluginMetrics> NO_METRICS =
      () -> {
        throw new NoSuchMethodError("pluginMetrics");
      };

  /** Of what must not be asked for. */
  public static <T> Supplier<T> unused() {
    return () -> {
      throw new UnsupportedOperationException();
    };
  }

  /** Of a worker before 4.1, for a task with these settings that has committed these offsets. */
  public static TaskContext of(
      Supplier<Map<String, String>> settings,
      Map<? extends Map<String, ?>, Map<String, Object>> offsets) {
    return new TaskContext(settings, () -> new OffsetMap(offsets), NO_METRICS);
  }

  @Override
  public Map<String, String> configs() {
    return settings.get();
  }

  @Override
  public OffsetStorageReader offsetStorageReader() {
    return offsets.get();
  }

  @Override
  public PluginMetrics pluginMetrics() {
    return metrics.get();
  }
}
