package io.posconnect.benchmark;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("practice")
class BenchmarkIT {

  private static final Path FOLDER = Path.of("target", "benchmark").toAbsolutePath();

  @Test
  void measures() throws Exception {
    int rows = Integer.getInteger("benchmark.rows", 100_000);
    Path plugin = ReferencePlugin.write(FOLDER.resolve("reference-plugin"));
    Path file = FOLDER.resolve("list.json");
    ProductRows.write(file, rows, false);
    System.out.printf("%,d bytes a row%n", Files.size(file) / rows);
    try (ListServer service = new ListServer();
        Cluster cluster =
            Cluster.start(
                ClusterOptions.of("benchmark")
                    .withShippedWorkers()
                    .withPlugins(plugin)
                    .withExactlyOnce(true)
                    .withWorkerHeap(System.getProperty("benchmark.heap", "512m")))) {
      service.add("/list", file);
      Trial trial = new Trial(cluster, service, true);
      for (int i = 0; i < 3; i++) {
        for (Contestant contestant : Contestant.values()) {
          List<Measurement> all = trial.run(contestant, service.url("/list"), rows);
          for (Measurement m : all) {
            System.out.printf(
                "%s: %,.0f rows/s, %.1f us/row %s, %s, peak %d live %d%n",
                contestant,
                m.rowsPerSecond(),
                m.microsPerRow(),
                m.times().work(),
                m.bytes(),
                m.peakHeap() >> 20,
                m.liveHeap() >> 20);
          }
        }
      }
    }
  }
}
