package io.posconnect.simulator;

import io.posconnect.simulator.SimulatedLocation.InitialRows;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/**
 * The simulated service as a program: fills its locations and changes their rows until it is ended.
 */
public final class SimulatorMain {

  private static final String HELP =
      """
      A simulated point-of-sale data service with busy locations, on the loopback interface.

        --port=N             port to listen on; 0 takes a free one         (0)
        --key=TEXT           API key; may be given again for more locations (simulated-key-1)
        --events-per-second=X  changes at each location; 0 for none          (2)
        --seed=N             which changes happen                          (1)
        --help               print this and end

      The first line printed is: base.url=<address> api.key=<key>[,<key>...]
      It then runs until Ctrl-C.
      """;

  private final List<String> keys = new ArrayList<>();
  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "port", "0",
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
      Running running = start(System.out, arguments);
      Runtime.getRuntime().addShutdownHook(new Thread(running::close, "end"));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    new CountDownLatch(1).await();
  }

  /** A service and what keeps it busy. */
  record Running(Simulator service, List<Churn> churns) implements AutoCloseable {
    @Override
    public void close() {
      churns.forEach(Churn::close);
      service.close();
    }
  }

  /** Starts what the arguments ask for, and prints where it is. */
  static Running start(PrintStream out, String... arguments) {
    SimulatorMain options = new SimulatorMain(arguments);
    Simulator service = Simulator.builder().port(options.number("port")).withoutHistory().start();
    List<Churn> churns = new ArrayList<>();
    double rate = options.decimal("events-per-second");
    for (String key : options.keys) {
      SimulatedLocation location = service.location(key);
      service.fill(location, InitialRows.SMALL);
      if (rate > 0) {
        churns.add(service.churn(location, options.number("seed")).start(rate));
      }
    }
    out.println("base.url=" + service.baseUrl() + " api.key=" + String.join(",", options.keys));
    out.printf(
        Locale.ROOT,
        "%d location(s), %.1f changes a second at each; Ctrl-C ends it.%n",
        options.keys.size(),
        rate);
    out.flush();
    return new Running(service, churns);
  }

  private int number(String name) {
    try {
      return Integer.parseInt(options.get(name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " is not a whole number", e);
    }
  }

  private double decimal(String name) {
    try {
      return Double.parseDouble(options.get(name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " is not a number", e);
    }
  }
}
