package io.posconnect.simulator;

import io.posconnect.simulator.SimulatedLocation.InitialRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** A simulated service with filled locations, and what keeps them busy. */
public record Simulation(Simulator service, List<Churn> churns) implements AutoCloseable {

  /**
   * What a person asks for, by the names of the options of {@code pos-tool simulate}.
   *
   * @param host address to listen on
   * @param port 0 for a free one
   * @param keys of the locations
   * @param changes a second at each location
   * @param faults share of the requests that fail
   * @param seed which changes happen, and what fails
   */
  public record Options(
      String host, int port, List<String> keys, double changes, double faults, int seed) {

    /**
     * @throws IllegalArgumentException when a number is out of its range, or a key comes twice
     */
    public Options {
      keys = keys.isEmpty() ? List.of(Simulator.KEY) : List.copyOf(keys);
      for (String key : keys) {
        if (Collections.frequency(keys, key) > 1) {
          throw new IllegalArgumentException("--key " + key + " is given twice");
        }
      }
      check("--port", port, 65_535);
      check("--changes", changes, 1_000);
      check("--faults", faults, 1);
      check("--seed", seed, Integer.MAX_VALUE);
    }

    private static void check(String name, double number, int most) {
      if (!(number >= 0 && number <= most)) {
        throw new IllegalArgumentException(name + " is not between 0 and " + most);
      }
    }
  }

  /**
   * Starts what the options ask for, and prints where it is.
   *
   * @throws java.io.UncheckedIOException when it cannot listen there
   */
  public static Simulation start(Consumer<String> out, Options options) {
    Simulator service =
        Simulator.builder().host(options.host()).port(options.port()).withoutHistory().start();
    fail(service, options.faults(), new Random(options.seed()));
    List<Churn> churns = new ArrayList<>();
    for (String key : options.keys()) {
      SimulatedLocation location = service.location(key);
      service.fill(location, InitialRows.SMALL);
      if (options.changes() > 0) {
        churns.add(service.churn(location, options.seed()).start(options.changes()));
      }
    }
    out.accept("base.url=" + service.baseUrl() + " api.key=" + String.join(",", options.keys()));
    out.accept(
        "%d location(s), %.1f changes a second at each; Ctrl-C ends it."
            .formatted(options.keys().size(), options.changes()));
    return new Simulation(service, churns);
  }

  /** Answers with an outage, a limit, and a body that breaks off, at random. */
  private static void fail(Simulator service, double share, Random random) {
    List<Fault> kinds = List.of(Fault.status(503), Fault.throttled(), Fault.cutChunks());
    service
        .faults()
        .everywhere()
        .whenQuery(any -> random.nextDouble() < share)
        .then(Fault.oneOf(() -> kinds.get(random.nextInt(kinds.size()))));
  }

  @Override
  public void close() {
    churns.forEach(Churn::close);
    service.close();
  }
}
