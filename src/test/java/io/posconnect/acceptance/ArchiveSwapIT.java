package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.VersionedArchive;
import io.posconnect.cluster.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another version of the archive on a running cluster, one worker after the other while the tills
 * are busy, as {@code docs/upgrading.md} says; and back again.
 */
@Tag("practice")
class ArchiveSwapIT {

  private static final Duration A_WHILE = Duration.ofSeconds(10);

  @TempDir private Path folder;

  @Test
  void anUpgradeAndItsReversalLoseAndRepeatNothing() throws IOException {
    VersionedArchive built = VersionedArchive.built();
    VersionedArchive next = built.as("99.1.0", folder);
    try (Cluster cluster = Cluster.start(ClusterOptions.of("swap").withWorkers(2));
        ChaosRun chaos = new ChaosRun(cluster, "swapped").begin(15)) {
      for (VersionedArchive archive : List.of(next, built)) {
        for (Worker worker : cluster.workers()) {
          chaos.outage(
              () -> {
                worker.stop();
                cluster.install(archive.file(), worker);
                worker.start();
              });
          chaos.revive();
        }
        assertThat(cluster.connect().versions(Connector.CLASS)).containsOnly(archive.version());
        ChaosRun.pass(A_WHILE);
        chaos.revive();
      }
      chaos.assertExactlyOnce();
      assertWrittenByBoth(chaos, built, next);
    }
  }

  /** The built version wrote before and after the next one. */
  private static void assertWrittenByBoth(
      ChaosRun chaos, VersionedArchive built, VersionedArchive next) {
    for (String resource : ChaosRun.RESOURCES) {
      List<String> versions =
          chaos.connector.events(resource).stream()
              .filter(event -> !event.tombstone())
              .map(event -> (String) event.at("source.version"))
              .toList();
      System.out.printf(
          "%s: %d events of %s%n", resource, versions.size(), new TreeSet<>(versions));
      assertThat(versions).as(resource).containsOnly(built.version(), next.version());
      assertThat(versions).as(resource).startsWith(built.version()).endsWith(built.version());
    }
  }
}
