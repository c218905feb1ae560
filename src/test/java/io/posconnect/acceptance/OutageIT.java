package io.posconnect.acceptance;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A chain of 36 locations whose service is away. {@code -Doutage.minutes=60} is the long version;
 * the worker's log of it is what somebody would read in the morning, and is printed whole.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class OutageIT {

  private static final Duration LASTS = Duration.ofMinutes(Integer.getInteger("outage.minutes", 3));

  /** What the connector itself writes about a stream, or about a location. */
  private static final Pattern LINE =
      Pattern.compile(
          ".*(INFO|WARN|ERROR) .*?(store\\d\\d(/[a-z-]+)?)\\b.*\\((fetch|location)\\..*");

  @Test
  void writesTwoLinesAStreamAndOneAtItsEnd(Cluster cluster) throws IOException {
    List<String> locations = IntStream.range(0, 36).mapToObj("store%02d"::formatted).toList();
    try (Simulator service = Simulator.builder().withoutHistory().start()) {
      InitialRows sizes = new InitialRows(5, 5, 5, Duration.ofMinutes(50), 5, 0);
      locations.forEach(name -> service.fill(service.location("key-of-" + name), sizes));
      Connector chain =
          new Connector(cluster, "outage", service)
              .resources(Connector.PUBLISHED)
              .set("start.from", service.now().minus(Duration.ofHours(1)).toString())
              .set("validate.connection", "false");
      locations.forEach(name -> chain.location(name, "key-of-" + name));
      for (String resource : Connector.PUBLISHED) {
        chain.set("resources." + resource + ".poll.interval.ms", "60000");
      }
      int streams = locations.size() * Connector.PUBLISHED.length;
      try (Connector connector = chain.start()) {
        Connector.await("every stream's snapshot", () -> readStreams(connector) == streams);
        int from = after(cluster, 0).size();
        ActiveFault away = service.faults().everywhere().then(Fault.status(503));
        ChaosRun.pass(LASTS);
        List<String> during = ours(after(cluster, from));
        int back = after(cluster, 0).size();
        away.close();
        // A suspended stream is asked for every few minutes.
        Awaitility.await()
            .atMost(Duration.ofMinutes(20))
            .pollInterval(Duration.ofSeconds(2))
            .until(() -> told(ours(after(cluster, back))).size() == streams);
        List<String> after = ours(after(cluster, back));

        during.forEach(System.out::println);
        after.forEach(System.out::println);
        System.out.printf(
            "%d streams, %s: %d lines meanwhile, %d at the end%n",
            streams, LASTS, during.size(), after.size());
        assertThat(told(during)).hasSize(streams);
        assertThat(told(during).values()).allMatch(lines -> lines <= 2);
        assertThat(told(after).values()).allMatch(lines -> lines == 1);
      }
    }
  }

  private static long readStreams(Connector connector) {
    return connector.checkpoints().stream()
        .map(checkpoint -> checkpoint.at("location") + "/" + checkpoint.at("resource_name"))
        .distinct()
        .count();
  }

  /** What the worker has logged, but for so many lines. */
  private static List<String> after(Cluster cluster, int lines) {
    try {
      List<String> log = Files.readAllLines(cluster.worker(0).log());
      return log.subList(lines, log.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> ours(List<String> log) {
    return log.stream().filter(line -> LINE.matcher(line).matches()).toList();
  }

  /** How many lines there are of each stream. */
  private static Map<String, Long> told(List<String> lines) {
    return lines.stream()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .collect(groupingBy(line -> line.group(2), TreeMap::new, counting()));
  }
}
