package io.posconnect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * The only task of a connector, run as a worker runs it but without one: polled, acknowledged, and
 * its offsets kept, so that another run can follow.
 */
final class TaskRun implements AutoCloseable {

  private static final RecordMetadata WRITTEN =
      new RecordMetadata(new TopicPartition("any", 0), 0, 0, 0, 0, 0);

  private final PosSourceTask task = new PosSourceTask();
  private final List<SourceRecord> records = new ArrayList<>();
  private final Map<Map<String, ?>, Map<String, Object>> offsets;
  private final Thread poller = new Thread(this::poll, "worker");
  private volatile boolean stopping;
  private volatile Throwable failure;

  private TaskRun(
      Map<Map<String, ?>, Map<String, Object>> offsets, Supplier<Map<String, String>> settings) {
    this.offsets = offsets;
    task.initialize(new Context(() -> taskSettings(settings.get())));
    task.start(taskSettings(settings.get()));
    poller.start();
  }

  /** Without any past. */
  static TaskRun start(Map<String, String> settings) {
    return start(() -> settings);
  }

  /** Whose settings, asked again, may have changed meanwhile, as a rotated secret does. */
  static TaskRun start(Supplier<Map<String, String>> settings) {
    return new TaskRun(new ConcurrentHashMap<>(), settings);
  }

  /** Ends this one and begins another with what was committed. */
  TaskRun restart(Map<String, String> settings) {
    close();
    return new TaskRun(offsets, () -> settings);
  }

  private static Map<String, String> taskSettings(Map<String, String> settings) {
    PosSourceConnector connector = new PosSourceConnector();
    connector.start(settings);
    return connector.taskConfigs(1).get(0);
  }

  private void poll() {
    try {
      while (!stopping) {
        List<SourceRecord> batch = task.poll();
        for (SourceRecord written : batch == null ? List.<SourceRecord>of() : batch) {
          commit(written);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      task.stop();
    }
  }

  private void commit(SourceRecord record) {
    offsets.put(record.sourcePartition(), new TreeMap<>(record.sourceOffset()));
    synchronized (records) {
      records.add(record);
    }
    task.commitRecord(record, WRITTEN);
  }

  /** All records of a topic so far. */
  List<SourceRecord> records(String topic) {
    synchronized (records) {
      return records.stream().filter(record -> record.topic().equals(topic)).toList();
    }
  }

  /** What is committed, by source partition. */
  Map<Map<String, ?>, Map<String, Object>> offsets() {
    return offsets;
  }

  /** What the task died of; null while it has not. */
  Throwable failure() {
    return failure;
  }

  @Override
  public void close() {
    stopping = true;
    try {
      poller.join(Duration.ofSeconds(10).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (poller.isAlive()) {
      throw new IllegalStateException("poll() did not return");
    }
  }

  private final class Context implements SourceTaskContext {

    private final Supplier<Map<String, String>> settings;

    Context(Supplier<Map<String, String>> settings) {
      this.settings = settings;
    }

    @Override
    public Map<String, String> configs() {
      return settings.get();
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
      return new Stored();
    }

    /** As a worker before 4.1 does. */
    @Override
    public PluginMetrics pluginMetrics() {
      throw new NoSuchMethodError("pluginMetrics");
    }
  }

  private final class Stored implements OffsetStorageReader {

    @Override
    public <T> Map<String, Object> offset(Map<String, T> partition) {
      return offsets.get(partition);
    }

    @Override
    public <T> Map<Map<String, T>, Map<String, Object>> offsets(
        Collection<Map<String, T>> partitions) {
      Map<Map<String, T>, Map<String, Object>> found = new HashMap<>();
      partitions.forEach(
          partition -> {
            if (offsets.containsKey(partition)) {
              found.put(partition, offsets.get(partition));
            }
          });
      return found;
    }
  }
}
