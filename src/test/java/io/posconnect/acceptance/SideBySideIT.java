package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.KafkaRelease;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.cluster.VersionedArchive;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two versions of the archive on one plugin path, on the workers that can tell them apart (4.1 and
 * newer): one connector stays with the built one, another goes back and forth as the canary of
 * {@code docs/upgrading.md} does, while both stores are busy.
 */
@EnabledIfSystemProperty(named = "worker.versions", matches = ".+")
class SideBySideIT {

  private static final String VERSION = "connector.plugin.version";
  private static final int A_MINUTE = 200;
  private static final double CHANGES_PER_SECOND = 10;
  private static final int MORE = 15;

  @TempDir private Path folder;

  static List<KafkaRelease> releases() {
    return WorkerVersionsIT.releases().stream().filter(WorkerTrial::knowsPlugins).toList();
  }

  // The selected workers may all be older.
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("releases")
  void oneStaysAndTheOtherGoesBackAndForth(KafkaRelease release) throws IOException {
    VersionedArchive built = VersionedArchive.built();
    VersionedArchive next = built.as("99.1.0", folder);
    ClusterOptions options =
        ClusterOptions.of("beside").withWorkerRelease(release).withPlugins(next.unzip(folder));
    try (Cluster cluster = Cluster.start(options);
        ChaosRun pinned = limited(new ChaosRun(cluster, "pinned"), built);
        ChaosRun canary = limited(new ChaosRun(cluster, "canary"), built)) {
      assertThat(cluster.connect().versions(Connector.CLASS))
          .containsExactlyInAnyOrder(built.version(), next.version());
      pinned.begin(CHANGES_PER_SECOND);
      canary.begin(CHANGES_PER_SECOND);
      for (VersionedArchive archive : List.of(next, built, next, built)) {
        canary.outage(
            () -> {
              cluster.connect().patch("canary", Map.of(VERSION, archive.version()));
              awaitEventsOf(canary, archive);
            });
        canary.revive();
      }
      pinned.assertExactlyOnce();
      canary.assertExactlyOnce();
      assertThat(versions(pinned)).containsOnly(built.version());
      assertThat(versions(canary)).contains(built.version(), next.version());
      assertWithinTheLimit(pinned, release);
      assertWithinTheLimit(canary, release);
    }
  }

  /** Of a version, and allowed less than it would read. */
  private static ChaosRun limited(ChaosRun chaos, VersionedArchive archive) {
    for (String resource : ChaosRun.RESOURCES) {
      chaos.connector.set("resources." + resource + ".requests.per.minute", "" + A_MINUTE);
    }
    chaos.connector.set(VERSION, archive.version());
    return chaos;
  }

  private static void awaitEventsOf(ChaosRun chaos, VersionedArchive archive) {
    for (String resource : ChaosRun.RESOURCES) {
      int before = chaos.connector.events(resource).size();
      Connector.await(
          "events of " + resource + " by " + archive.version(),
          () -> {
            List<TopicRecord> events = chaos.connector.events(resource);
            return events.subList(before, events.size()).stream()
                    .filter(event -> !event.tombstone())
                    .filter(event -> archive.version().equals(event.at("source.version")))
                    .count()
                >= MORE;
          });
    }
  }

  private static Set<Object> versions(ChaosRun chaos) {
    return Arrays.stream(ChaosRun.RESOURCES)
        .flatMap(resource -> chaos.connector.events(resource).stream())
        .filter(event -> !event.tombstone())
        .map(event -> event.at("source.version"))
        .collect(Collectors.toSet());
  }

  private static void assertWithinTheLimit(ChaosRun chaos, KafkaRelease release) {
    Set<String> paths =
        chaos.service.requests().stream().map(LoggedRequest::path).collect(Collectors.toSet());
    assertThat(paths).hasSizeGreaterThan(ChaosRun.RESOURCES.length - 1);
    for (String path : paths) {
      int most = chaos.service.maxInAnySlidingMinute(path, chaos.location);
      System.out.printf(
          "%s, %s %s: at most %d a minute of %d%n",
          release, chaos.connector.name(), path, most, A_MINUTE);
      assertThat(most).as(path).isLessThanOrEqualTo(A_MINUTE);
    }
  }
}
