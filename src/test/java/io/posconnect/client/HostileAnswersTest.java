package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Messages;
import io.posconnect.SmallHeap;
import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Certificates;
import io.posconnect.hostile.HostileService;
import io.posconnect.hostile.Hostility;
import io.posconnect.json.BodyLimits;
import io.posconnect.problem.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a service answers, at whatever layer, costs the client a bounded heap and a bounded
 * time, and is reported as what it is. Each kind of answer comes by HTTP or by TLS, several at a
 * time.
 *
 * <p>{@code -Dseed} replays the answers of a run, {@code -Drounds} adds more.
 */
class HostileAnswersTest {

  private static final String HEAP = "64m";
  private static final int AT_ONCE = 8;
  private static final String PASSWORD = "changeit";

  // Several times what any of the client's own limits allows.
  private static final Duration FOREVER = Duration.ofMinutes(5);

  @Test
  void boundsHeapAndTimeOfEveryHostileAnswer(@TempDir Path folder) throws Exception {
    long seed = Long.getLong("seed", new Random().nextLong());
    int rounds = Integer.getInteger("rounds", 1);
    System.out.print(SmallHeap.run(HEAP, HostileAnswersTest.class, folder, seed, rounds));
  }

  /** The same within this process: an empty folder, seed, rounds, and the only kind, if any. */
  public static void main(String[] args) throws Exception {
    Attack attack = new Attack(new Certificates(Path.of(args[0]), PASSWORD));
    Random random = new Random(Long.parseLong(args[1]));
    Set<Hostility> kinds = EnumSet.allOf(Hostility.class);
    if (args.length > 3) {
      kinds = EnumSet.of(Hostility.valueOf(args[3]));
    }
    for (int round = 0; round < Integer.parseInt(args[2]); round++) {
      attack.runAll(kinds, random);
    }
    attack.assertTimeoutsWork();
  }

  /** What a kind of answer may be reported as; one that takes too long under load, as that. */
  private static Set<Problem> problems(Hostility kind) {
    return switch (kind) {
      case NOT_TLS, NOT_TLS_ENDLESS, HANDSHAKE_ENDLESS -> EnumSet.of(Problem.TLS_FAILED);
      case ALERTS_ENDLESS, EMPTY_RECORDS -> EnumSet.of(Problem.UNREACHABLE);
      case SILENT, NO_HANDSHAKE, HALF_HANDSHAKE, HANDSHAKE_DRIPS, CONTINUE_DRIPS, HEADERS_DRIP ->
          EnumSet.of(Problem.TOO_SLOW);
      case CLOSED,
          RESET,
          NOISE,
          HTTP_2,
          KEYS_RENEWED,
          CONTINUE_ENDLESS,
          STATUS_LINE_ENDLESS,
          HEADER_ENDLESS,
          HEADERS_ENDLESS,
          HEADERS_CUT,
          LENGTH_NEGATIVE ->
          EnumSet.of(Problem.UNREACHABLE, Problem.TLS_FAILED);
      // A client may take the line for one with the status 200.
      case STATUS_LINE_ODD ->
          EnumSet.of(Problem.UNREACHABLE, Problem.TLS_FAILED, Problem.BODY_MALFORMED);
      case REDIRECT_ENDLESS, REDIRECT_ODD, REDIRECT_WITH_ENDLESS_BODY ->
          EnumSet.of(Problem.REDIRECT_REFUSED, Problem.UNREACHABLE);
      case PAUSE_ODD -> EnumSet.of(Problem.THROTTLED);
      case STATUS_ODD, EMPTY_WITH_BODY, REFUSAL_WITH_ENDLESS_BODY, REFUSAL_DRIPS, REFUSAL_BOMB ->
          EnumSet.range(Problem.KEY_REFUSED, Problem.BODY_MALFORMED);
      case LENGTH_ODD, BLANKS_ENDLESS, CHUNKS_TINY, GZIP_BOMB, GZIP_TWICE, ROW_ENDLESS ->
          EnumSet.of(Problem.BODY_MALFORMED, Problem.BODY_TOO_LARGE, Problem.ROW_TOO_LARGE);
      case NUMBER_ENDLESS, STRING_ENDLESS, NAME_ENDLESS, DEPTH_ENDLESS ->
          EnumSet.of(Problem.ROW_TOO_LARGE);
      case BODY_RESET -> EnumSet.of(Problem.BODY_MALFORMED, Problem.UNREACHABLE);
      case BODY_STALLS, BODY_DRIPS, GZIP_DRIPS, TRAILERS_DRIP, LENGTH_TOO_LONG_HANGS ->
          EnumSet.of(Problem.TOO_SLOW);
      default -> EnumSet.of(Problem.BODY_MALFORMED);
    };
  }

  /** Clients under attack. */
  private static final class Attack {

    private final SSLContext context;
    private final Map<String, String> trust;

    Attack(Certificates certificates) throws Exception {
      context = certificates.context();
      trust =
          Map.of(
              "ssl.truststore.location",
              certificates.trusted().toString(),
              "ssl.truststore.password",
              PASSWORD);
    }

    void runAll(Set<Hostility> kinds, Random random) throws Exception {
      List<Callable<Void>> cases = new ArrayList<>();
      for (Hostility kind : kinds) {
        long seed = random.nextLong();
        boolean tls = !Hostility.ofHttp().contains(kind) || random.nextBoolean();
        cases.add(() -> run(kind, tls, seed));
      }
      Collections.shuffle(cases, random);
      ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
      for (Future<Void> each : threads.invokeAll(cases)) {
        each.get();
      }
      threads.shutdown();
    }

    private Void run(Hostility kind, boolean tls, long seed) {
      String what = "%s%s, seed %d".formatted(kind, tls ? " by TLS" : "", seed);
      Answer greeting = kind.isBelowTls() ? kind : Answer.json("[]");
      try (HostileService service =
              HostileService.start(
                  tls ? context : null, seed, call -> call.head().isEmpty() ? greeting : kind);
          ApiClient client =
              Clients.to(
                  service.baseUrl(),
                  Clients.timeouts(1_500, 1_000),
                  BodyLimits.DEFAULT,
                  ProxyServer.NONE,
                  tls ? trust : Map.of())) {
        FutureTask<ApiException> reading = new FutureTask<>(() -> failure(client));
        new Thread(reading, what).start();
        ApiException failure = reading.get(FOREVER.toSeconds(), TimeUnit.SECONDS);
        Messages.assertExplained(failure.getMessage());
        Set<Problem> expected = problems(kind);
        expected.add(Problem.TOO_SLOW);
        assertThat(failure.incident().problem()).as(failure.getMessage()).isIn(expected);
      } catch (Exception | AssertionError e) {
        throw new AssertionError(what + ": " + e, e);
      }
      return null;
    }

    private static ApiException failure(ApiClient client) {
      try (Rows rows = Clients.open(client)) {
        while (rows.next().isPresent()) {
          assertThat(rows.notes().bytes()).isPositive();
        }
        throw new AssertionError("no failure");
      } catch (ApiException e) {
        return e;
      }
    }

    /** The timeouts of all clients depend on one thread. */
    void assertTimeoutsWork() {
      run(Hostility.SILENT, true, 0);
    }
  }
}
