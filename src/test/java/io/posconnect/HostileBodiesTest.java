package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.HostileBodies.Case;
import io.posconnect.config.Props;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import io.posconnect.metrics.Readings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/**
 * Whatever a service sends, the task needs only a small heap, and every answer becomes events, dead
 * letters, or a reported failure.
 */
class HostileBodiesTest {

  private static final int CASES = 1_000;

  private static final List<String> LOCATIONS = List.of("a", "b", "c", "d", "e", "f");

  // What a worker with a small heap leaves to one task.
  private static final String HEAP = "112m";

  @Test
  void survivesHostileBodiesInSmallHeap() throws Exception {
    SmallHeap.run(HEAP, HostileBodiesTest.class, new Random().nextLong());
  }

  /** The same within this process: the seed, and how many cases. */
  public static void main(String[] args) {
    int cases = args.length > 1 ? Integer.parseInt(args[1]) : CASES;
    run(new HostileBodies(new Random(Long.parseLong(args[0]))), cases);
  }

  private static void run(HostileBodies bodies, int cases) {
    Script script = new Script(bodies, cases);
    List<Case> sent = script.sent;
    try (HostileService service = HostileService.start(script::answer);
        DrivenTask task = DrivenTask.start(settings(service))) {
      while (!isOver(task)) {
        int before = sent.size();
        task.until("the next case", () -> sent.size() > before || isOver(task));
      }
      check(sent, task);
    }
  }

  private static Map<String, String> settings(HostileService service) {
    Map<String, String> settings = new TreeMap<>();
    LOCATIONS.forEach(name -> settings.put("locations." + name + ".api.key", "key-of-" + name));
    settings.putAll(general(service).map());
    settings.remove("api.key");
    return settings;
  }

  private static Props general(HostileService service) {
    return Props.hasty(service.baseUrl(), "inventory")
        .with("name", "hostile")
        .with("locations", String.join(",", LOCATIONS))
        .with("topic.prefix", "hostile")
        .with("deletes.max.ratio", "1");
  }

  private static void check(List<Case> sent, DrivenTask task) {
    Set<Long> arrived = ids(task);
    for (Case each : sent) {
      assertThat(arrived).as(each.what()).containsAll(each.rows());
    }
    int letters = sent.stream().mapToInt(Case::letters).sum();
    assertThat(task.records("hostile.dead-letters")).hasSizeGreaterThanOrEqualTo(letters);
    long failing = sent.stream().filter(each -> each.fails() || each.damaged()).count();
    long garbled = sent.stream().filter(each -> each.what().equals("garbled")).count();
    assertThat(Readings.inJmx("stream-metrics", "retries-total"))
        .isBetween(failing, failing + garbled);
  }

  private static Set<Long> ids(DrivenTask task) {
    return task.records("hostile.inventory").stream()
        .map(HostileBodiesTest::id)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Whether every location has seen the last row. */
  private static boolean isOver(DrivenTask task) {
    long over =
        task.records("hostile.inventory").stream()
            .filter(record -> id(record) == 0)
            .map(record -> ((Struct) record.key()).getString("location"))
            .distinct()
            .count();
    return over == LOCATIONS.size();
  }

  private static long id(SourceRecord record) {
    return ((Struct) record.key()).getInt64("inventoryId");
  }

  /** Serves one case after the other, a damaged one twice, and in the end a row whose id is 0. */
  private static final class Script {

    private final HostileBodies bodies;
    private final int cases;
    private final List<Case> sent = new CopyOnWriteArrayList<>();

    // By the key of the location that must get it once more.
    private final Map<String, Answer> again = new HashMap<>();

    Script(HostileBodies bodies, int cases) {
      this.bodies = bodies;
      this.cases = cases;
    }

    synchronized Answer answer(Call call) {
      if (call.path().equals("/whoami")) {
        return Answer.json("{\"locationName\":\"Main Street\",\"lspName\":\"Shop\"}");
      }
      String key = call.header("Authorization");
      Answer repeated = again.remove(key);
      if (repeated != null) {
        return repeated;
      }
      if (sent.size() >= cases) {
        return Answer.json("[{\"inventoryId\":0}]");
      }
      Case next = bodies.next();
      sent.add(next.sent());
      if (next.damaged()) {
        again.put(key, next.answer());
      }
      return next.answer();
    }
  }
}
