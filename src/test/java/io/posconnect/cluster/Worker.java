package io.posconnect.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A worker, on the same port for its whole life. */
public final class Worker extends Node {

  private static final Path SHIPPED = Path.of("config", "worker-distributed.properties");
  private static final Duration START = Duration.ofMinutes(4);

  private final int port;
  private final KafkaRelease release;
  private final String heap;
  private final List<String> jvm;
  private final List<Path> classes;
  private final String main;
  private final Path settings;

  /** A worker that has not been started, and whose settings depend on its port. */
  Worker(
      String name,
      RunFolders run,
      ClusterOptions options,
      IntFunction<Map<String, String>> settings) {
    super(name, run);
    this.port = freePort();
    this.release = options.workerRelease;
    this.heap = options.workerHeap;
    this.jvm = options.workerJvm;
    this.classes = options.workerClasses;
    this.main = options.standalone ? "ConnectStandalone" : "ConnectDistributed";
    this.settings = run.settings(name + ".properties", settings.apply(port));
  }

  /**
   * The settings of {@code config/worker-distributed.properties} at this place.
   *
   * @param registry the address for the converters
   */
  static Map<String, String> shipped(String bootstrapServers, URI registry, int port) {
    Map<String, String> settings = new HashMap<>();
    Properties file = new Properties();
    try (var in = Files.newBufferedReader(SHIPPED)) {
      file.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (String name : file.stringPropertyNames()) {
      if (name.endsWith(".registry.url")) {
        settings.put(name, registry.toString());
      } else if (name.endsWith(".replication.factor")) {
        settings.put(name, "-1"); // The brokers decide.
      } else {
        settings.put(name, file.getProperty(name));
      }
    }
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("listeners", "http://127.0.0.1:" + port);
    return settings;
  }

  /**
   * What tests of one group change: plugins are found by their service files; a dead worker is
   * missed after six seconds, the least that a broker allows, and replaced at once; and connectors
   * may set everything.
   */
  static Map<String, String> hastened(String group) {
    Map<String, String> settings = new HashMap<>();
    settings.put("group.id", group);
    settings.put("plugin.discovery", "service_load");
    for (String topic : List.of("config", "offset", "status")) {
      settings.put(topic + ".storage.topic", group + "-" + topic);
    }
    settings.put("offset.storage.partitions", "5");
    settings.put("status.storage.partitions", "1");
    settings.put("session.timeout.ms", "6000");
    settings.put("heartbeat.interval.ms", "1500");
    settings.put("scheduled.rebalance.max.delay.ms", "0");
    settings.put("offset.flush.interval.ms", "1000");
    settings.put("connector.client.config.override.policy", "All");
    return settings;
  }

  @Override
  Child.Command command() {
    return Child.Command.kafka(
            release, heap, "org.apache.kafka.connect.cli." + main, settings.toString())
        .with(jvm.toArray(String[]::new))
        .seeing(classes)
        .with(
            "-Xlog:gc:file="
                + run.logs().resolve(name() + "." + System.currentTimeMillis() + ".gc")
                + "::filecount=0");
  }

  @Override
  void awaitReady(Child started) {
    Rest rest = new Rest(restUrl());
    started.awaitReady(
        START,
        () -> {
          Rest.Answer health = rest.get("/health");
          // Before 3.9 a worker does not say that it is well, but answers once it has joined.
          return health.status() == 404 ? rest.get("/connectors").ok() : health.ok();
        });
  }

  @Override
  String address() {
    return restUrl().toString();
  }

  /** Root of its REST interface. */
  public URI restUrl() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Its log, to which later starts append. */
  public Path log() {
    return run.logs().resolve(name() + ".log");
  }

  /** The heap that it has needed, over all its starts. */
  public HeapUse heap() {
    try (Stream<Path> logs = Files.list(run.logs())) {
      return logs.filter(this::isGcLog).map(HeapUse::read).reduce(HeapUse.NONE, HeapUse::plus);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isGcLog(Path path) {
    String file = path.getFileName().toString();
    return file.startsWith(name() + ".") && file.endsWith(".gc");
  }

  /**
   * The heap as a JVM's garbage collections saw it.
   *
   * @param peakBytes the most that was in use before a collection, garbage included
   * @param peakLiveBytes the most that was left after one: the smallest heap that would have done
   * @param collections how many there were; without any, both peaks are 0
   */
  public record HeapUse(long peakBytes, long peakLiveBytes, int collections) {

    static final HeapUse NONE = new HeapUse(0, 0, 0);

    /** {@code 45M->12M(256M)}, as the unified GC log writes it. */
    private static final Pattern PAUSE =
        Pattern.compile("Pause .* (\\d+)([KMG])->(\\d+)([KMG])\\(");

    /** Reads a log that was written with {@code -Xlog:gc}. */
    static HeapUse read(Path gcLog) {
      if (!Files.exists(gcLog)) {
        return NONE;
      }
      try (Stream<String> lines = Files.lines(gcLog)) {
        return lines.map(HeapUse::ofLine).reduce(NONE, HeapUse::plus);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    static HeapUse ofLine(String line) {
      Matcher pause = PAUSE.matcher(line);
      if (!pause.find()) {
        return NONE;
      }
      return new HeapUse(
          bytes(pause.group(1), pause.group(2)), bytes(pause.group(3), pause.group(4)), 1);
    }

    HeapUse plus(HeapUse other) {
      return new HeapUse(
          Math.max(peakBytes, other.peakBytes),
          Math.max(peakLiveBytes, other.peakLiveBytes),
          collections + other.collections);
    }

    private static long bytes(String number, String unit) {
      int shift =
          switch (unit) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> throw new IllegalArgumentException(unit);
          };
      return Long.parseLong(number) << shift;
    }
  }
}
