package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import io.posconnect.task.RunningTask;
import io.posconnect.task.TaskFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The only task of a connector, run as a worker runs it but without one: polled on a thread of its
 * own, every record acknowledged and its offset kept at once, so that another run can follow.
 */
final class DrivenTask implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A change event.
   *
   * @param id the last field of its key
   * @param revision of the row, 0 for a delete
   */
  record Event(long id, String op, int revision) {}

  private final Supplier<Map<String, String>> settings;
  private final Time time;
  private final SharedRateLimits rateLimits;
  private final Map<Map<String, ?>, Map<String, Object>> offsets;
  private final List<SourceRecord> records = new ArrayList<>();
  private RunningTask running;
  private Thread worker;
  private volatile boolean stopping;
  private volatile boolean paused;
  private volatile Throwable failure;

  private DrivenTask(
      Supplier<Map<String, String>> settings,
      Time time,
      SharedRateLimits rateLimits,
      Map<Map<String, ?>, Map<String, Object>> offsets) {
    this.settings = settings;
    this.time = time;
    this.rateLimits = rateLimits;
    this.offsets = offsets;
    begin();
  }

  private void begin() {
    stopping = false;
    Map<String, String> started = taskSettings();
    running =
        new TaskFactory(
                SourceConfig.started(started),
                TaskContext.of(() -> resolvedAgain(started), offsets),
                time,
                rateLimits)
            .start();
    worker = new Thread(this::run, "worker");
    worker.start();
  }

  /** Settings under which one resource is read as often as possible. */
  static Props props(Simulator service, String resource) {
    return Props.hasty(service.baseUrl(), resource)
        .without("poll.interval.ms")
        .with("api.key", Simulator.KEY)
        .with("resources." + resource + ".poll.interval.ms", "20")
        .with("retry.backoff.ms", "20")
        .with("retry.backoff.max.ms", "200");
  }

  /** Without any past. */
  static DrivenTask start(Map<String, String> settings) {
    return start(() -> settings);
  }

  /** Whose settings, asked again, may have changed meanwhile, as a rotated secret does. */
  static DrivenTask start(Supplier<Map<String, String>> settings) {
    return start(settings, Time.SYSTEM);
  }

  static DrivenTask start(Supplier<Map<String, String>> settings, Time time) {
    return new DrivenTask(settings, time, new SharedRateLimits(), new ConcurrentHashMap<>());
  }

  /** With what another one has committed. */
  static DrivenTask start(
      Map<String, String> settings,
      Time time,
      Map<? extends Map<String, ?>, Map<String, Object>> offsets) {
    return new DrivenTask(
        () -> settings, time, new SharedRateLimits(), new ConcurrentHashMap<>(offsets));
  }

  /** Ends this one and begins another with what was committed, and without its records. */
  DrivenTask restart(Map<String, String> newSettings) {
    close();
    return new DrivenTask(() -> newSettings, time, rateLimits, offsets);
  }

  /** Stops the task and starts another one on what was committed; records are added to. */
  void restart() {
    close();
    begin();
  }

  private Map<String, String> taskSettings() {
    PosSourceConnector connector = new PosSourceConnector();
    connector.start(settings.get());
    return connector.taskConfigs(1).get(0);
  }

  /** As a worker does, which checks no value. */
  private Map<String, String> resolvedAgain(Map<String, String> started) {
    Map<String, String> resolved = new TreeMap<>(started);
    resolved.putAll(settings.get());
    return resolved;
  }

  private void run() {
    try {
      while (!stopping) {
        if (paused) {
          Thread.onSpinWait();
          continue;
        }
        for (SourceRecord record : running.poll()) {
          offsets.put(record.sourcePartition(), new TreeMap<>(record.sourceOffset()));
          synchronized (records) {
            records.add(record);
          }
          running.acknowledged(record, true);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /** Stops polling, as a worker does when its connector is paused. */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
  }

  void until(String what, BooleanSupplier holds) {
    await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> failure != null || holds.getAsBoolean());
    if (failure != null) {
      throw new AssertionError(what + ", but the task failed", failure);
    }
  }

  /** Waits until the task has died, and returns of what. */
  Throwable death() {
    await("the end of the task").atMost(PATIENCE).until(() -> failure != null);
    return failure;
  }

  /** Waits until a consumer has each row of the table in its latest revision, and no other. */
  void rows(Table table) {
    until("the truth", () -> folded().equals(table.revisions()));
  }

  /** Waits until so many more fetches are complete. */
  void fetches(int count) {
    int wanted = checkpoints() + count;
    until(count + " more checkpoints", () -> checkpoints() >= wanted);
  }

  /**
   * Waits until the snapshots of so many streams are stored as complete. The record that reports
   * the end of one comes before the offset that stores it.
   */
  void snapshots(int streams) {
    until(
        streams + " snapshots stored",
        () ->
            offsets.values().stream()
                    .filter(offset -> "completed".equals(offset.get("snapshot")))
                    .count()
                >= streams);
  }

  private int checkpoints() {
    synchronized (records) {
      return (int) records.stream().filter(r -> r.topic().endsWith(".checkpoints")).count();
    }
  }

  List<SourceRecord> records(String topic) {
    synchronized (records) {
      return records.stream().filter(record -> record.topic().equals(topic)).toList();
    }
  }

  /** The values of a topic's records so far, without tombstones. */
  List<Struct> values(String topic) {
    return records(topic).stream()
        .map(record -> (Struct) record.value())
        .filter(Objects::nonNull)
        .toList();
  }

  /** The operations of a topic's events so far. */
  List<String> operations(String topic) {
    return values(topic).stream().map(value -> value.getString("op")).toList();
  }

  /** That field of the key of each event so far with that operation. */
  List<Object> keys(String topic, String operation, String field) {
    return records(topic).stream()
        .filter(r -> r.value() instanceof Struct value && value.getString("op").equals(operation))
        .map(record -> ((Struct) record.key()).get(field))
        .toList();
  }

  /** The stream, type and additional data of each status so far. */
  List<String> statuses() {
    synchronized (records) {
      return records.stream()
          .filter(record -> record.topic().endsWith(".status"))
          .map(record -> status((Struct) record.value()))
          .toList();
    }
  }

  private static String status(Struct value) {
    String stream = value.getString("location") + "/" + value.getString("resource_name");
    return stream + " " + value.getString("type") + " " + value.getString("additional_data");
  }

  /** Those of one type. */
  List<String> statuses(String type) {
    return statuses().stream().filter(status -> status.contains(" " + type + " ")).toList();
  }

  /** All change events so far, whatever their topic. */
  List<Event> events() {
    synchronized (records) {
      return records.stream()
          .filter(r -> r.value() != null)
          .filter(r -> !r.topic().matches(".*\\.(checkpoints|status|dead-letters)"))
          .map(DrivenTask::event)
          .toList();
    }
  }

  private static Event event(SourceRecord record) {
    Struct key = (Struct) record.key();
    Struct value = (Struct) record.value();
    List<Field> fields = key.schema().fields();
    Object id = key.get(fields.get(fields.size() - 1));
    Struct after = value.getStruct("after");
    return new Event(
        id instanceof Number number ? number.longValue() : -1,
        value.getString("op"),
        after == null ? 0 : revision(after.getString("extra")));
  }

  private static int revision(String extra) {
    return Io.unchecked(() -> JSON.readTree(extra)).path("revision").asInt();
  }

  /** The revision that a consumer has of each row. */
  Map<Long, Integer> folded() {
    return folded(events());
  }

  /** The revision that a consumer of a topic has of each row of a location. */
  Map<Long, Integer> folded(String topic, String location) {
    return folded(
        records(topic).stream()
            .filter(record -> record.value() != null)
            .filter(record -> ((Struct) record.key()).getString("location").equals(location))
            .map(DrivenTask::event)
            .toList());
  }

  static Map<Long, Integer> folded(List<Event> events) {
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

  /** Each revision that a row ever had is one event, where it was read before it changed again. */
  void assertEachRevisionOnce(Table table) {
    assertThat(events())
        .doesNotHaveDuplicates()
        .hasSize(table.revisions().values().stream().mapToInt(Integer::intValue).sum());
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
    if (!stopping) {
      stopping = true;
      running.close();
    }
    try {
      worker.join(Duration.ofSeconds(10).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (worker.isAlive()) {
      throw new IllegalStateException("poll() did not return");
    }
  }
}
