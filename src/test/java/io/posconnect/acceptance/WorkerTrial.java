package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.KafkaRelease;
import io.posconnect.cluster.MetricsWitness;
import io.posconnect.simulator.SimulatedLocation;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tries a worker with the archive: read a location, follow it while the worker is killed with -9,
 * show metrics, and let its offsets be shown, set and deleted. Fails where one does not; what a
 * worker does not have, and we can do without, is only named.
 */
final class WorkerTrial {

  private static final String NAME = "pos";
  private static final String POSITION = "default/products";
  private static final int KILLS = 1;
  private static final double CHANGES_PER_SECOND = 15;

  /** The errors of a JVM that misses a class, a method or a field of another version. */
  private static final Pattern NOT_THERE =
      Pattern.compile("NoSuchMethod|NoSuchField|NoClassDefFound|AbstractMethod|LinkageError");

  /** What the connector asks for, and does without where it is not there. */
  private static final Pattern OF_PLUGINS =
      Pattern.compile("\\.PluginMetrics\\b|\\.SourceTaskContext\\.pluginMetrics\\(");

  private final KafkaRelease release;
  private final Cluster cluster;
  private final MetricsWitness witness;
  private final ConnectClient connect;

  /** With a witness of the metrics that the cluster's worker reports. */
  WorkerTrial(KafkaRelease release, Cluster cluster, MetricsWitness witness) {
    this.release = release;
    this.cluster = cluster;
    this.witness = witness;
    this.connect = cluster.connect();
  }

  /** Does it all; returns the worker's row of docs/versions.md, but for its first two cells. */
  String run() throws Exception {
    assertThat(connect.version()).isEqualTo(release.version());
    assertThat(connect.plugins()).contains(Connector.CLASS);
    KafkaReferences references = KafkaReferences.in(release.jars());
    assertThat(references.missing())
        .as("named by the archive")
        .allMatch(name -> !knowsPlugins(release) && OF_PLUGINS.matcher(name).find());
    try (ChaosRun chaos = new ChaosRun(cluster, NAME)) {
      assertThat(validated(chaos)).isEmpty();
      chaos.begin(CHANGES_PER_SECOND);
      int snapshot = events(chaos).values().stream().mapToInt(List::size).sum();
      for (int kill = 0; kill < KILLS; kill++) {
        awaitNews(chaos);
        chaos.crash(cluster.worker(0));
      }
      chaos.revive();
      awaitNews(chaos);
      int metrics = metrics();
      chaos.assertExactlyOnce();
      int all = events(chaos).values().stream().mapToInt(List::size).sum();
      List<String> missing = missing(chaos);
      offsets(chaos);
      connect.stop(NAME);
      assertThat(witness.seen(cluster.worker(0))).isEmpty();
      assertThat(new ClusterInspector(cluster).metrics()).isEmpty();
      assertThat(complaints()).isEmpty();
      return String.format(
          Locale.ROOT,
          "%d | %,d | %,d | %d | %d | shown, set, deleted | %s |",
          references.checked(),
          snapshot,
          all - snapshot,
          KILLS,
          metrics,
          missing.isEmpty() ? "all there" : String.join(", ", missing));
    }
  }

  private Map<String, List<String>> validated(ChaosRun chaos) {
    Map<String, String> settings = new TreeMap<>(chaos.connector.settings());
    settings.put("validate.connection", "true");
    settings.put("name", NAME);
    return connect.validate(Connector.CLASS, settings);
  }

  private static Map<String, List<Event>> events(ChaosRun chaos) {
    Map<String, List<Event>> events = new LinkedHashMap<>();
    for (String resource : ChaosRun.RESOURCES) {
      events.put(resource, Event.of(chaos.connector.events(resource)));
    }
    return events;
  }

  private static void awaitNews(ChaosRun chaos) {
    int before = chaos.connector.events(SimulatedLocation.PRODUCTS).size();
    Connector.await(
        "more is published",
        () -> chaos.connector.events(SimulatedLocation.PRODUCTS).size() > before + 20);
  }

  /**
   * Each stream has all its metrics in JMX once, and so has each reporter where a worker takes
   * metrics of its plugins. Returns how many a stream has.
   */
  private int metrics() throws Exception {
    List<Map<String, String>> streams = new ClusterInspector(cluster).streams();
    assertThat(streams)
        .extracting(stream -> stream.get("resource"))
        .containsExactlyInAnyOrder(ChaosRun.RESOURCES);
    assertThat(streams).extracting(stream -> stream.get("suspended")).containsOnly("0");
    assertThat(streams).noneMatch(stream -> stream.get("requests-total").equals("0"));
    Set<String> documented = documented("stream");
    assertThat(streams).allSatisfy(stream -> assertThat(stream.keySet()).containsAll(documented));
    Set<String> reported = new TreeSet<>();
    for (Map<String, String> stream : streams) {
      String place = "connector=%s,%s,task=" + stream.get("task");
      String own = "location=default,pos=stream-metrics,resource=" + stream.get("resource");
      documented.forEach(name -> reported.add(name + "{" + place.formatted(NAME, own) + "}"));
      documented("task")
          .forEach(
              name -> reported.add(name + "{" + place.formatted(NAME, "pos=task-metrics") + "}"));
    }
    assertThat(witness.seen(cluster.worker(0)))
        .isEqualTo(knowsPlugins(release) ? reported : Set.of());
    return documented.size();
  }

  /**
   * Returns whether it takes metrics of its plugins, and can run several versions of one, as Kafka
   * 4.1 and newer.
   */
  static boolean knowsPlugins(KafkaRelease release) {
    return Version.parse(release.version()).compareTo(Version.parse("4.1")) >= 0;
  }

  /** The names that the page has for each stream, or for each task. */
  private static Set<String> documented(String subject) throws IOException {
    String section =
        Files.readString(Path.of("docs", "metrics.md"))
            .split("## Each " + subject, 2)[1]
            .split("\n## ", 2)[0];
    return Pattern.compile("^\\| `([a-z0-9-]+)` \\|", Pattern.MULTILINE)
        .matcher(section)
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toSet());
  }

  /** A rewound position repeats nothing; deleted offsets emit everything again, and only once. */
  private void offsets(ChaosRun chaos) {
    Offsets offsets = new Offsets(cluster, NAME);
    JsonNode position = offsets.shown().get(POSITION);
    assertThat(position.path("snapshot").asText()).isEqualTo("completed");
    Map<String, List<Event>> before = events(chaos);

    connect.stop(NAME);
    String rewound = chaos.service.now().minus(Duration.ofDays(2)).toString();
    connect.alterOffset(NAME, Offsets.partition(POSITION), Map.of("watermark", rewound));
    assertThat(offsets.shown().get(POSITION).path("watermark").asText()).isEqualTo(rewound);
    connect.resume(NAME);
    awaitCheckpoints(chaos);
    assertThat(events(chaos)).isEqualTo(before);

    connect.stop(NAME);
    connect.deleteOffsets(NAME);
    assertThat(offsets.shown()).isEmpty();
    connect.resume(NAME);
    chaos.awaitTruth();
    awaitCheckpoints(chaos);
    events(chaos)
        .forEach(
            (resource, events) -> {
              List<Event> again = events.subList(before.get(resource).size(), events.size());
              assertThat(again).as(resource).extracting(Event::op).containsOnly("r");
              assertThat(again).as(resource).extracting(Event::id).doesNotHaveDuplicates();
              assertThat(again).as(resource).hasSize(chaos.location.truth(resource).size());
            });
  }

  /** Every stream has been read to its end twice more. */
  private static void awaitCheckpoints(ChaosRun chaos) {
    Map<String, Integer> before = new TreeMap<>();
    for (String resource : ChaosRun.RESOURCES) {
      before.put(resource, chaos.connector.checkpoints("default", resource).size());
    }
    before.forEach(
        (resource, count) ->
            Connector.await(
                "two more checkpoints of " + resource,
                () -> chaos.connector.checkpoints("default", resource).size() >= count + 2));
  }

  /** Features that the pages mention and this worker lacks. */
  private List<String> missing(ChaosRun chaos) throws IOException {
    List<String> missing = new ArrayList<>();
    if (!connect.knows("PATCH", "/connectors/" + NAME + "/config", Map.of())) {
      missing.add("`PATCH` of a configuration");
    }
    if (!connect.knows("GET", "/health", null)) {
      missing.add("`GET /health`");
    }
    if (readsAnyFile(chaos)) {
      missing.add("`allowed.paths` of config providers");
    }
    return missing;
  }

  /** Returns whether the worker reads a file outside the allowed paths. */
  private boolean readsAnyFile(ChaosRun chaos) throws IOException {
    Path outside = Files.writeString(cluster.logs().resolve("outside.properties"), "number=100\n");
    Map<String, String> settings = new TreeMap<>(chaos.connector.settings());
    settings.put("name", NAME);
    settings.put("batch.max.records", "${file:" + outside + ":number}");
    return connect.validate(Connector.CLASS, settings).isEmpty();
  }

  private List<String> complaints() throws IOException {
    try (Stream<String> lines = Files.lines(cluster.worker(0).log())) {
      return lines.filter(line -> NOT_THERE.matcher(line).find()).toList();
    }
  }
}
