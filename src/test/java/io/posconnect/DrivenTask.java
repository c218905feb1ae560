package io.posconnect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.simulator.Simulator;
import io.posconnect.task.RunningTask;
import io.posconnect.task.TaskFactory;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * A whole task on a simulated service, within this process: the test plays the worker, which writes
 * every record at once and commits its offset with it.
 */
final class DrivenTask implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A change event.
   *
   * @param id the last field of its key
   * @param revision of the row, 0 for a delete
   */
  record Event(long id, String op, int revision) {}

  private final Map<String, String> props;
  private final Time time;
  private final SharedRateLimits rateLimits = new SharedRateLimits();
  private final Map<Map<String, ?>, Map<String, Object>> offsets = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Struct> checkpoints = new ArrayList<>();
  private RunningTask task;

  private DrivenTask(Map<String, String> props, Time time) {
    this.props = props;
    this.time = time;
  }

  /** Settings under which one resource is read as often as possible. */
  static Props props(Simulator service, String resource) {
    return Props.one()
        .with("base.url", service.baseUrl().toString())
        .with("api.key", Simulator.KEY)
        .with("exactly.once.support", "required")
        .with("task.streams", "default/" + resource)
        .with("resources", resource)
        .with("resources." + resource + ".requests.per.minute", "60000")
        .with("resources." + resource + ".poll.interval.ms", "20")
        .with("checkpoint.interval.ms", "0");
  }

  static DrivenTask start(Props props) {
    return start(props, Time.SYSTEM);
  }

  static DrivenTask start(Props props, Time time) {
    DrivenTask driven = new DrivenTask(props.map(), time);
    driven.restart();
    return driven;
  }

  /** Stops the task, if it runs, and starts another one on what was committed. */
  void restart() {
    if (task != null) {
      task.close();
    }
    task = new TaskFactory(new SourceConfig(props), context(), time, rateLimits).start();
  }

  /** Writes what comes until that holds. */
  void until(String what, BooleanSupplier holds) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(what + " within " + PATIENCE + ", but: " + events);
      }
      task.poll().forEach(this::write);
    }
  }

  /** Writes what comes until so many more fetches are complete. */
  void fetches(int count) throws InterruptedException {
    int wanted = checkpoints.size() + count;
    until(count + " more checkpoints", () -> checkpoints.size() >= wanted);
  }

  private void write(SourceRecord record) {
    offsets.put(record.sourcePartition(), new HashMap<>(record.sourceOffset()));
    if (record.topic().endsWith(".checkpoints")) {
      checkpoints.add((Struct) record.value());
    } else if (record.value() != null) {
      events.add(event((Struct) record.key(), (Struct) record.value()));
    }
    task.acknowledged(record, true);
  }

  private static Event event(Struct key, Struct value) {
    List<Field> fields = key.schema().fields();
    Object id = key.get(fields.get(fields.size() - 1));
    Struct after = value.getStruct("after");
    return new Event(
        id instanceof Number number ? number.longValue() : -1,
        value.getString("op"),
        after == null ? 0 : revision(after.getString("extra")));
  }

  private static int revision(String extra) {
    try {
      return JSON.readTree(extra).path("revision").asInt();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  List<Struct> checkpoints() {
    return List.copyOf(checkpoints);
  }

  /** The revision that a consumer has of each row. */
  Map<Long, Integer> folded() {
    Map<Long, Integer> rows = new TreeMap<>();
    for (Event event : events) {
      if (event.op().equals("d")) {
        rows.remove(event.id());
      } else {
        rows.put(event.id(), event.revision());
      }
    }
    return rows;
  }

  private SourceTaskContext context() {
    return new SourceTaskContext() {
      @Override
      public Map<String, String> configs() {
        return props;
      }

      @Override
      public OffsetStorageReader offsetStorageReader() {
        return new Stored();
      }

      @Override
      public PluginMetrics pluginMetrics() {
        throw new NoSuchMethodError("as a worker without plugin metrics has it");
      }
    };
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
      partitions.forEach(partition -> found.put(partition, offset(partition)));
      return found;
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
