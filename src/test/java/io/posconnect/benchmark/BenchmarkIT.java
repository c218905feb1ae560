package io.posconnect.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.benchmark.Plan.ProductList;
import io.posconnect.benchmark.Results.Line;
import io.posconnect.benchmark.Results.Phase;
import io.posconnect.benchmark.Results.Setting;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Prints what a row costs beside connectors that do less. {@code docs/performance.md} has the
 * command and its options; with {@code -Dbenchmark=write} the results replace those of the page.
 */
@Tag("practice")
class BenchmarkIT {

  private static final Path FOLDER = Path.of("target", "benchmark").toAbsolutePath();
  private static final List<Contestant> COLD =
      List.of(Contestant.CEILING, Contestant.REFERENCE, Contestant.OURS, Contestant.TYPED);

  // A worker has compiled the code of a read for good only after it has seen several, each of which
  // begins anew.
  private static final int UNCOUNTED = 3;

  private final Plan plan = Plan.ofProperties();
  private final Results results = new Results();

  @Test
  void measuresBesideConnectorsThatDoLess() throws Exception {
    Path plugin = ReferencePlugin.write(FOLDER.resolve("reference-plugin"));
    try (ListServer service = new ListServer()) {
      for (ProductList list : plan.lists()) {
        Path file = FOLDER.resolve("list.json");
        ProductRows.write(file, list);
        service.add(list.path(), file);
        for (boolean exactlyOnce : plan.guarantees()) {
          measure(new Setting(exactlyOnce, list), service, plugin);
        }
        Files.delete(file);
      }
    }
    publish();
    assertThat(results.settings()).hasSize(plan.lists().size() * plan.guarantees().size());
  }

  private void measure(Setting setting, ListServer service, Path plugin) throws Exception {
    ClusterOptions options =
        ClusterOptions.of("benchmark")
            .withShippedWorkers()
            .withPlugins(plugin)
            .withExactlyOnce(setting.exactlyOnce())
            .withWorkerHeap(plan.heap())
            .withWorkerJvm(plan.jvm().toArray(String[]::new));
    try (Cluster cluster = Cluster.start(options)) {
      Trial trial = new Trial(cluster, service, setting, plan);
      if (plan.cold()) {
        measureCold(trial, setting, cluster.worker(0));
      }
      measureWarm(trial, setting);
      // Not killed, so that a recording of its flight is written.
      cluster.worker(0).stop();
    }
  }

  private void measureCold(Trial trial, Setting setting, Worker worker) throws Exception {
    for (int round = 0; round < plan.rounds(); round++) {
      for (Contestant contestant : COLD) {
        add(new Line(setting, contestant, Phase.COLD), trial.run(contestant).get(0));
        worker.restart();
      }
    }
  }

  /** In turns, so that what else the machine does meets all alike. */
  private void measureWarm(Trial trial, Setting setting) throws Exception {
    for (int round = 0; round < UNCOUNTED + plan.rounds(); round++) {
      for (Contestant contestant : plan.contestants()) {
        List<Measurement> reads = trial.run(contestant);
        if (round >= UNCOUNTED) {
          add(new Line(setting, contestant, Phase.WARM), reads.get(0));
        }
        if (round >= UNCOUNTED && contestant.isOurs()) {
          add(new Line(setting, contestant, Phase.UNCHANGED), reads.get(1));
        }
      }
    }
  }

  private void add(Line line, Measurement measurement) {
    results.add(line, measurement);
    System.out.printf(
        "%s, %s, %s: %,.0f rows/s, %.1f µs a row%n",
        line.setting().label(),
        line.phase(),
        line.contestant().label(),
        measurement.rowsPerSecond(),
        measurement.microsPerRow());
  }

  private void publish() throws IOException {
    Path page = Path.of("docs", "performance.md");
    String report =
        ResultsPage.withEarlierRatios(new Report(results, plan).markdown(), Files.readString(page));
    System.out.println(report);
    Files.writeString(FOLDER.resolve("performance.md"), report);
    if ("write".equals(System.getProperty("benchmark"))) {
      ResultsPage.write(page, "results", report);
    }
  }
}
