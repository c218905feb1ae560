package io.posconnect;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One of each way to read, and one whose second snapshot has broken off. */
enum GoldenKind {
  FULL(SimulatedLocation.INVENTORY, ""),
  OBJECT(SimulatedLocation.LOCATIONS, ""),
  MODIFIED_SINCE(SimulatedLocation.PRODUCTS, "lookback.ms=1000"),
  SNAPSHOT_BY_PAGES(SimulatedLocation.CUSTOMERS, "snapshot=pages page.size=5 lookback.ms=1000"),
  DATE_RANGE(SimulatedLocation.REGISTER_TRANSACTIONS, "lookback.ms=1000"),
  PAGES(
      "members",
      "retrieval=pages key.fields=customerID page.size=5 path=" + Endpoint.CUSTOMERS_PAGINATED),
  CURSOR(SimulatedLocation.LOYALTY, "path=" + Endpoint.LOYALTY),
  SNAPSHOT_BROKEN(SimulatedLocation.PRODUCTS, "lookback.ms=1000");

  /**
   * What was written, a folder for each version of the archive, and one for version 1 of the form.
   */
  static final Path FOLDER = Path.of("src/test/resources/io/posconnect/golden");

  /** What builds from before 0.1.0 wrote in forms that are read no longer, one file for each. */
  static final Path EARLIER = FOLDER.resolveSibling("earlier");

  /** When. */
  static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

  private final String resource;
  private final String settings;

  GoldenKind(String resource, String settings) {
    this.resource = resource;
    this.settings = settings;
  }

  String resource() {
    return resource;
  }

  /** Where this version's is. */
  Path file() {
    return FOLDER
        .resolve(Version.TEXT.replace("-SNAPSHOT", ""))
        .resolve(name().toLowerCase(Locale.ROOT).replace('_', '-') + ".json");
  }

  /** The settings under which it is written. */
  Map<String, String> settings(Simulator service) {
    Map<String, String> all = new TreeMap<>(DrivenTask.props(service, resource).map());
    for (String each : settings.split(" ", -1)) {
      if (!each.isEmpty()) {
        int end = each.indexOf('=');
        all.put("resources." + resource + "." + each.substring(0, end), each.substring(end + 1));
      }
    }
    all.put("reconcile.interval.ms", "1000");
    all.put("start.from", WRITTEN.minus(Duration.ofDays(3)).toString());
    return all;
  }
}
