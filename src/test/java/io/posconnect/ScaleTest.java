package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.simulator.LoggedRequest;
import io.posconnect.simulator.RandomStore;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A measurement rather than a test, since a loaded machine delays everybody: run it with {@code
 * -Dtimings=true}.
 *
 * <p>* Two hundred locations with five resources each, in one task with its usual two threads.
 * {@code -Dpos.chain.minutes=5} makes it longer.
 */
@EnabledIfSystemProperty(named = "timings", matches = "true")
class ScaleTest {

  private static final int LOCATIONS = 200;
  private static final String[] RESOURCES = {
    "products", "customers", "register-transactions", "inventory", "locations"
  };
  private static final int INTERVAL = 15_000;

  /** Short enough for every build, long enough to meet every interval twice. */
  private static Duration length() {
    Integer minutes = Integer.getInteger("pos.chain.minutes");
    return minutes == null ? Duration.ofSeconds(25) : Duration.ofMinutes(minutes);
  }

  private static Map<String, String> settings(Chain chain) {
    Map<String, String> settings = new TreeMap<>(chain.settings(INTERVAL, RESOURCES));
    for (String resource : RESOURCES) {
      settings.remove("resources." + resource + ".requests.per.minute");
    }
    settings.put("receipts.interval.ms", "60000");
    return settings;
  }

  /** How late each request came after the one before it and the interval, of every stream. */
  private static List<Long> lateness(List<LoggedRequest> requests) {
    List<Long> late = new ArrayList<>();
    Map<String, Long> last = new HashMap<>();
    for (LoggedRequest request : requests) {
      Long before = last.put(request.store() + request.path(), request.nanos());
      // The identity is also asked between the readings of its stream.
      if (before != null && !request.path().equals("/whoami")) {
        late.add((request.nanos() - before) / 1_000_000 - INTERVAL);
      }
    }
    late.sort(null);
    return late;
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("fetch") || thread.getName().contains("Ok"))
        .count();
  }

  private static void elapse(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    await().atMost(length.plusSeconds(10)).until(() -> System.nanoTime() - end > 0);
  }

  @Test
  void aThousandStreamsAreReadOnTimeByTwoThreads() {
    try (Simulator service = Simulator.builder().withoutHistory().start()) {
      Chain chain = Chain.of(service, LOCATIONS);
      RandomStore sizes = new RandomStore(20, 20, 20, Duration.ofMinutes(50), 20, 0);
      chain.locations().forEach(name -> service.fill(chain.store(name), sizes));
      long begin = System.nanoTime();
      try (TaskRun run = TaskRun.start(settings(chain))) {
        long started = (System.nanoTime() - begin) / 1_000_000;
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> run.records("chain.receipts").size() >= LOCATIONS * RESOURCES.length);
        long complete = (System.nanoTime() - begin) / 1_000_000;
        long heapBefore = heap();
        long threadsBefore = threads();
        int from = service.requests().size();
        elapse(length());
        List<LoggedRequest> requests = service.requests();
        List<Long> late = lateness(requests.subList(from, requests.size()));
        long p99 = late.get((late.size() - 1) * 99 / 100);
        System.out.printf(
            "started in %d ms, all snapshots after %d ms; %d requests, late by p50 %d, p99 %d, most"
                + " %d ms; heap %d -> %d MB, threads %d -> %d%n",
            started,
            complete,
            requests.size(),
            late.get(late.size() / 2),
            p99,
            late.get(late.size() - 1),
            heapBefore,
            heap(),
            threadsBefore,
            threads());
        assertThat(run.failure()).isNull();
        assertThat(p99).isLessThan(INTERVAL);
        assertThat(threads()).isLessThanOrEqualTo(threadsBefore);
        assertEveryStreamWasRead(requests.subList(from, requests.size()));
        assertNoLimitWasExceeded(service, chain);
      }
    }
  }

  private static void assertEveryStreamWasRead(List<LoggedRequest> requests) {
    Set<String> read = new HashSet<>();
    requests.forEach(request -> read.add(request.store() + request.path()));
    assertThat(read).hasSize(LOCATIONS * RESOURCES.length);
  }

  private static void assertNoLimitWasExceeded(Simulator service, Chain chain) {
    assertThat(service.requests()).noneMatch(request -> request.status() == 429);
    for (String name : chain.locations()) {
      assertThat(service.maxInAnySlidingMinute("/reporting/inventory", chain.store(name)))
          .isLessThanOrEqualTo(60);
    }
  }
}
