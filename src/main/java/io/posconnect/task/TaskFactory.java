package io.posconnect.task;

import io.posconnect.change.Digest.Segments;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.client.Transports;
import io.posconnect.config.SourceConfig;
import io.posconnect.fetch.Buffer;
import io.posconnect.fetch.Scheduler;
import io.posconnect.fetch.StreamFetcher;
import io.posconnect.fetch.StreamFetcher.Resumed;
import io.posconnect.fetch.StreamFetcher.Surroundings;
import io.posconnect.fetch.StreamOutput;
import io.posconnect.location.LocationClient;
import io.posconnect.location.ResolvedConfig;
import io.posconnect.metrics.Display;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.metrics.StreamMetrics.State;
import io.posconnect.metrics.TaskMetrics;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import io.posconnect.task.OffsetLoader.ResumedStream;
import io.posconnect.task.OffsetLoader.StreamToResume;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Puts a task together from its configuration and its offsets; makes no request. */
public final class TaskFactory {

  private final SourceConfig config;
  private final SourceTaskContext context;
  private final Time time;
  private final InstantSource wallClock;
  private final LocationClient.Task common;
  private final Buffer buffer;
  private final Map<String, LocationClient> locations = new HashMap<>();
  private final Map<String, RowSchema> contracts = new HashMap<>();

  /**
   * @param rateLimits of the limits that others use as well, on the same clock
   */
  public TaskFactory(
      SourceConfig config, SourceTaskContext context, Time time, SharedRateLimits rateLimits) {
    ResolvedConfig resolved = new ResolvedConfig(context::configs, time);
    this.common = new LocationClient.Task(config, resolved, time, rateLimits, new Transports());
    this.config = config;
    this.context = context;
    this.time = time;
    this.wallClock = () -> Instant.ofEpochMilli(time.milliseconds());
    this.buffer =
        new Buffer(config.batchMaxRecords(), config.bufferMaxBytes(), !config.exactlyOnce());
  }

  /** The task, its fetch threads running; everything is closed again when that fails. */
  public RunningTask start() {
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      List<Stream> streams = config.taskStreams();
      Map<Stream, ResumedStream> resumed =
          new OffsetLoader(
                  context.offsetStorageReader(),
                  wallClock,
                  Segments.DEFAULT,
                  new SplittableRandom())
              .restore(
                  streams.stream()
                      .map(stream -> StreamToResume.of(config, stream, contract(stream)))
                      .toList());
      List<StreamFetcher> fetchers = new ArrayList<>(streams.size());
      Map<Stream, StreamMetrics> metrics = new HashMap<>();
      for (Stream stream : streams) {
        LocationClient location = location(stream.location(), opened);
        ResumedStream from = Objects.requireNonNull(resumed.get(stream));
        StreamMetrics own = new StreamMetrics(time);
        metrics.put(stream, own);
        fetchers.add(fetcher(stream, location, from, own));
      }
      Scheduler schedule = new Scheduler(fetchers, config.connectorName(), buffer, time);
      opened.addLast(
          new TaskMetrics(
              config.connectorName(),
              config.taskNumber(),
              metrics,
              buffer::use,
              schedule::overdue,
              Display.of(context, time)));
      opened.addLast(schedule);
      schedule.start();
      return new RunningTask(config, buffer, schedule, opened, time);
    } catch (RuntimeException | Error e) {
      RunningTask.closeAll(opened);
      throw e;
    }
  }

  private LocationClient location(String name, Deque<AutoCloseable> opened) {
    return locations.computeIfAbsent(
        name,
        each -> {
          LocationClient location = new LocationClient(each, common);
          opened.push(location);
          return location;
        });
  }

  private RowSchema contract(Stream stream) {
    return contracts.computeIfAbsent(
        stream.resource(), any -> RecordContracts.contract(config, stream));
  }

  private StreamFetcher fetcher(
      Stream stream, LocationClient location, ResumedStream resumed, StreamMetrics metrics) {
    show(resumed, metrics);
    StreamSettings settings = config.settings(stream);
    metrics.set(State.INTERVAL, location.interval(settings.resource()));
    metrics.set(State.RECONCILE_INTERVAL, settings.reconciliationInterval());
    metrics.set(State.DIGEST_KEYS_MAX, settings.digestMaxKeys());
    RowSchema contract = contract(stream);
    RecordBuilder records = new RecordBuilder(contract, config.destination(stream), wallClock);
    StreamOutput output = new StreamOutput(resumed.offset(), resumed.digest(), records, buffer);
    StreamFetcher fetcher =
        new StreamFetcher(
            new Resumed(settings, resumed.offset(), resumed.digest(), contract),
            new Surroundings(output, location, metrics, time));
    if (resumed.plan() instanceof ResumePlan.Refuse refused) {
      fetcher.refuse(refused.reason());
    } else if (resumed.plan() instanceof ResumePlan.Continue unchanged
        && unchanged.notice() != null) {
      fetcher.contractChanged(unchanged.notice());
    }
    return fetcher;
  }

  /** Where a stream stands is to be seen also while its service does not answer. */
  private static void show(ResumedStream resumed, StreamMetrics metrics) {
    metrics.set(State.WATERMARK, resumed.offset().watermark());
    metrics.set(State.RECONCILED, resumed.offset().lastReconciliation());
    metrics.set(State.DIGEST_KEYS, resumed.digest().keys());
  }
}
