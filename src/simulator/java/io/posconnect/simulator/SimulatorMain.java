package io.posconnect.simulator;

import io.posconnect.simulator.SimulatedLocation.InitialRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The simulated service as a program: fills its locations and changes their rows until it is ended.
 */
public final class SimulatorMain {

  private static final String HELP =
      """
      A simulated point-of-sale data service with busy locations, on the loopback interface.

        --host=NAME          address to listen on                          (127.0.0.1)
        --port=N             port to listen on; 0 takes a free one         (0)
        --key=TEXT           API key; may be given again for more locations (simulated-key-1)
        --events-per-second=X  changes at each location; 0 for none          (2)
        --faults=X           share of the requests that fail, up to 1      (0)
        --seed=N             which changes happen, and what fails          (1)
        --help               print this and end

      The first line printed is: base.url=<address> api.key=<key>[,<key>...]
      It then runs until Ctrl-C.
      """;

  private final List<String> keys = new ArrayList<>();
  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "host", "127.0.0.1",
              "port", "0",
              "faults", "0",
              "events-per-second", "2",
              "seed", "1"));

  private SimulatorMain(String... arguments) {
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--") || equals < 0) {
        throw new IllegalArgumentException("not an option: " + argument + "; see --help");
      }
      String name = argument.substring(2, equals);
      String value = argument.substring(equals + 1);
      if (name.equals("key")) {
        keys.add(value);
      } else if (options.replace(name, value) == null) {
        throw new IllegalArgumentException("no such option: --" + name + "; see --help");
      }
    }
    if (keys.isEmpty()) {
      keys.add(Simulator.KEY);
    }
  }

  /** Runs until the process ends. */
  public static void main(String[] arguments) throws InterruptedException {
    if (List.of(arguments).contains("--help")) {
      System.out.print(HELP);
      return;
    }
    try {
      Running running = start(System.out::println, arguments);
      Runtime.getRuntime().addShutdownHook(new Thread(running::close, "end"));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    new CountDownLatch(1).await();
  }

  /** A service and what keeps it busy. */
  public record Running(Simulator service, List<Churn> churns) implements AutoCloseable {
    @Override
    public void close() {
      churns.forEach(Churn::close);
      service.close();
    }
  }

  /**
   * Starts what the arguments ask for, and prints where it is.
   *
   * @throws IllegalArgumentException when there is no such option, or it has no such value
   * @throws java.io.UncheckedIOException when it cannot listen there
   */
  public static Running start(Consumer<String> out, String... arguments) {
    SimulatorMain options = new SimulatorMain(arguments);
    double rate = options.decimal("events-per-second", 1_000);
    double faults = options.decimal("faults", 1);
    int seed = options.number("seed", Integer.MAX_VALUE);
    Simulator service =
        Simulator.builder()
            .host(options.options.get("host"))
            .port(options.number("port", 65_535))
            .withoutHistory()
            .start();
    fail(service, faults, new Random(seed));
    List<Churn> churns = new ArrayList<>();
    for (String key : options.keys) {
      SimulatedLocation location = service.location(key);
      service.fill(location, InitialRows.SMALL);
      if (rate > 0) {
        churns.add(service.churn(location, seed).start(rate));
      }
    }
    out.accept("base.url=" + service.baseUrl() + " api.key=" + String.join(",", options.keys));
    out.accept(
        "%d location(s), %.1f changes a second at each; Ctrl-C ends it."
            .formatted(options.keys.size(), rate));
    return new Running(service, churns);
  }

  /** Answers with an outage, a limit, and a body that breaks off, at random. */
  private static void fail(Simulator service, double share, Random random) {
    List<Supplier<Fault>> kinds =
        List.of(() -> Fault.status(503), Fault::throttled, Fault::cutChunks);
    if (share > 0) {
      kinds.forEach(
          kind ->
              service
                  .faults()
                  .everywhere()
                  .whenQuery(any -> random.nextDouble() < share / kinds.size())
                  .then(kind.get()));
    }
  }

  private int number(String name, int most) {
    double number = decimal(name, most);
    if (number != Math.rint(number)) {
      throw new IllegalArgumentException("--" + name + " is not a whole number");
    }
    return (int) number;
  }

  private double decimal(String name, double most) {
    try {
      double number = Double.parseDouble(options.get(name));
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " is not a number", e);
    }
    throw new IllegalArgumentException("--" + name + " is not between 0 and " + most);
  }
}
