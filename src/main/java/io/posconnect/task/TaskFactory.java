package io.posconnect.task;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.StreamSettings;
import io.posconnect.fetch.AckTracker;
import io.posconnect.fetch.Buffer;
import io.posconnect.fetch.FetchListener;
import io.posconnect.fetch.FetchSettings;
import io.posconnect.fetch.Scheduler;
import io.posconnect.fetch.StreamFetcher;
import io.posconnect.fetch.StreamParts;
import io.posconnect.location.LocationClient;
import io.posconnect.metrics.PluginMetricsBridge;
import io.posconnect.metrics.TaskMetrics;
import io.posconnect.record.Contract;
import io.posconnect.record.RecordBuilder;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.Restart;
import io.posconnect.task.OffsetLoader.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Puts a task together from its configuration and its offsets; makes no request. */
public final class TaskFactory {

  // Room for the batch that is being handed over and the one that fills meanwhile.
  private static final int BATCHES_BUFFERED = 2;

  // In longest back-offs: what a person must mend takes longer than what passes by itself.
  private static final int PROBE_BACKOFF = 2;

  private final SourceConfig config;
  private final SourceTaskContext context;
  private final Time time;
  private final SharedRateLimits rateLimits;
  private final RandomGenerator random = new Random();
  private final Buffer buffer;
  private final Map<String, LocationClient> locations = new HashMap<>();
  private final Map<Stream, Contract> contracts = new HashMap<>();

  /**
   * @param rateLimits of the limits that others use as well, on the same clock
   */
  public TaskFactory(
      SourceConfig config, SourceTaskContext context, Time time, SharedRateLimits rateLimits) {
    this.rateLimits = rateLimits;
    this.config = config;
    this.context = context;
    this.time = time;
    this.buffer =
        new Buffer(
            BATCHES_BUFFERED * config.batchMaxRecords(),
            config.bufferMaxBytes(),
            !config.exactlyOnce());
  }

  /** The task, its fetch threads running; everything is closed again when that fails. */
  public RunningTask start() {
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      List<Stream> streams = config.taskStreams();
      TaskMetrics metrics =
          new TaskMetrics(
              config.connectorName(), config.taskNumber(), new TreeSet<>(streams), time);
      opened.push(metrics);
      metrics.buffer(buffer::records, buffer::bytes);
      opened.push(PluginMetricsBridge.bridge(context, metrics));
      FetchListener listener = new TaskListener(metrics);
      Map<Stream, Restart> restarts =
          new OffsetLoader(context.offsetStorageReader())
              .restore(streams.stream().map(this::wanted).toList());
      List<StreamFetcher> fetchers = new ArrayList<>(streams.size());
      for (Stream stream : streams) {
        LocationClient location = location(stream.location(), opened);
        Restart restart = Objects.requireNonNull(restarts.get(stream));
        show(stream, restart, listener);
        fetchers.add(fetcher(stream, location, restart, listener));
      }
      Scheduler schedule =
          new Scheduler(fetchers, config.fetchThreads(), config.connectorName(), buffer, time);
      schedule.start();
      return new RunningTask(config, buffer, fetchers, schedule, opened, time);
    } catch (RuntimeException e) {
      RunningTask.closeAll(opened);
      throw e;
    }
  }

  /** Where a stream stands is to be seen also while its service does not answer. */
  private static void show(Stream stream, Restart restart, FetchListener listener) {
    Instant watermark = restart.offset().watermark();
    if (!watermark.equals(Instant.MIN)) {
      listener.watermark(stream, watermark);
    }
    listener.digest(stream, restart.digest().size());
  }

  private LocationClient location(String name, Deque<AutoCloseable> opened) {
    LocationClient known = locations.get(name);
    if (known != null) {
      return known;
    }
    LocationClient beside = locations.values().stream().findAny().orElse(null);
    LocationClient location = new LocationClient(name, config, context, time, rateLimits, beside);
    opened.push(location);
    locations.put(name, location);
    return location;
  }

  private Wanted wanted(Stream stream) {
    StreamSettings settings = config.settings(stream);
    return new Wanted(
        stream,
        settings.snapshotId(),
        settings.digestBuckets(),
        settings.digestMaxKeys(),
        contract(stream).keyLayout());
  }

  private Contract contract(Stream stream) {
    return contracts.computeIfAbsent(stream, s -> Records.contract(config, s));
  }

  private StreamFetcher fetcher(
      Stream stream, LocationClient location, Restart restart, FetchListener listener) {
    StreamParts parts = parts(stream, location, restart, listener);
    String refusal = restart.refusal();
    return refusal == null ? new StreamFetcher(parts) : StreamFetcher.refused(parts, refusal);
  }

  private StreamParts parts(
      Stream stream, LocationClient location, Restart restart, FetchListener listener) {
    Contract contract = contract(stream);
    InstantSource wallClock = () -> Instant.ofEpochMilli(time.milliseconds());
    return new StreamParts(
        stream,
        config.resource(stream),
        fetchSettings(stream),
        restart.offset(),
        restart.digest(),
        new AckTracker(restart.offset().acknowledged()),
        contract,
        new RecordBuilder(contract, Records.destination(config, stream), wallClock),
        location.client(),
        location.limiters(stream),
        location.retries(),
        random,
        location.clock(),
        location::renewCredentials,
        buffer,
        listener,
        time,
        location.identity());
  }

  private FetchSettings fetchSettings(Stream stream) {
    StreamSettings settings = config.settings(stream);
    boolean neverReconciles =
        settings.reconcileWindow().isZero()
            && config.resource(stream).retrieval() instanceof DateRange;
    return new FetchSettings(
        settings.startFrom().latest(),
        settings.windowMax(),
        neverReconciles ? Duration.ZERO : settings.reconcileInterval(),
        settings.reconcileWindow(),
        config.exactlyOnce(),
        settings.checkpointInterval(),
        settings.deletesMaxRatio(),
        settings.deletesConfirm(),
        settings.digestMaxKeys(),
        settings.rowErrors(),
        config.retryBackoffMax().multipliedBy(PROBE_BACKOFF));
  }
}
