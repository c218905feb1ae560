package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Messages;
import io.posconnect.PosSourceConnector;
import io.posconnect.SmallHeap;
import io.posconnect.hostile.HostileService;
import io.posconnect.hostile.Hostility;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each caller that tries a configuration against a hostile service gets an answer: the worker's
 * validation names settings, and the tool's commands end, all in a small heap.
 *
 * <p>{@code -Dseed} replays the answers of a run.
 */
class HostileCallersTest {

  // Each makes up to five requests at once, and each response may hold a row of 900 KB three times:
  // as it is cut, its text, and the places of its values.
  private static final String HEAP = "96m";
  private static final int AT_ONCE = 8;

  // Of so many kinds, one: a discovery tries each request several times.
  private static final int DISCOVERED = 10;

  @Test
  void answersEachCallerOfHostileService(@TempDir Path folder) throws Exception {
    long seed = Long.getLong("seed", new Random().nextLong());
    System.out.print(SmallHeap.run(HEAP, HostileCallersTest.class, folder, seed));
  }

  /** The same within this process: an empty folder and the seed; or a kind and its own seed. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    if (args.length > 2) {
      System.out.println(call(Hostility.valueOf(args[1]), Long.parseLong(args[2]), folder));
      return;
    }
    Random random = new Random(Long.parseLong(args[1]));
    List<Callable<String>> cases = new ArrayList<>();
    for (Hostility kind : Hostility.ofHttp()) {
      long seed = random.nextLong();
      cases.add(() -> call(kind, seed, Files.createDirectory(folder.resolve(kind.name()))));
    }
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    for (Future<String> each : threads.invokeAll(cases)) {
      System.out.println(each.get());
    }
  }

  private static String call(Hostility kind, long seed, Path folder) {
    try (HostileService service = HostileService.start(null, seed, call -> kind)) {
      Map<String, String> settings = Run.settings(service.baseUrl(), "a-key");
      // What waits ends soon, but for what is answered at once, however busy the machine.
      settings.put("request.timeout.ms", kind == Hostility.PAUSE_ODD ? "60000" : "1000");
      settings.put("stall.timeout.ms", kind == Hostility.PAUSE_ODD ? "60000" : "700");
      // Retry-After is obeyed for so long.
      settings.put("retry.backoff.ms", "100");
      settings.put("retry.backoff.max.ms", "1000");
      long begun = System.nanoTime();
      // A check validates as a worker does, so each kind meets one of them.
      boolean byWorker = seed % 2 != 0;
      if (byWorker) {
        validate(kind, settings);
      } else {
        ask(kind, seed, folder, settings);
      }
      return "%s, seed %d, by %s: answered within %d ms"
          .formatted(
              kind,
              seed,
              byWorker ? "a worker" : "the tool",
              (System.nanoTime() - begun) / 1_000_000);
    } catch (Exception | AssertionError e) {
      throw new AssertionError(kind + ", seed " + seed + ": " + e, e);
    }
  }

  private static void validate(Hostility kind, Map<String, String> settings) {
    List<ConfigValue> refused =
        new PosSourceConnector()
            .validate(settings).configValues().stream()
                .filter(value -> !value.errorMessages().isEmpty())
                .toList();
    // A limit that is exceeded for now speaks against no setting.
    assertThat(refused.isEmpty()).isEqualTo(kind == Hostility.PAUSE_ODD);
    refused.forEach(value -> value.errorMessages().forEach(Messages::assertExplained));
  }

  private static void ask(Hostility kind, long seed, Path folder, Map<String, String> settings)
      throws IOException {
    Path file = Run.file(folder, settings);
    assertEnded(Run.of("check", file));
    // Whose pauses a discovery obeys, each of them.
    if (seed % DISCOVERED == 0 && kind != Hostility.PAUSE_ODD) {
      assertEnded(Run.of("discover", file, "--seconds", "5", "--out", folder.resolve("out")));
    }
  }

  private static void assertEnded(Run run) {
    assertThat(run.code()).as(run.all()).isBetween(0, ExitCode.UNREADABLE.number);
    assertThat(run.all()).doesNotContain("Exception", "\tat ");
  }
}
