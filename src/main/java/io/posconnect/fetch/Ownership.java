package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.json.Row;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards a stream against another store's rows: compares whose it read with whose it would read.
 */
final class Ownership {

  private static final Logger log = LoggerFactory.getLogger(Ownership.class);

  private final Stream stream;
  private final Location location;
  private final StreamMetrics metrics;
  private String known;
  private boolean warned;

  /**
   * @param known whose rows were read until now, as the checkpoints remember it; may be empty
   */
  Ownership(Stream stream, Location location, StreamMetrics metrics, String known) {
    this.stream = stream;
    this.location = location;
    this.metrics = metrics;
    this.known = known;
  }

  /** Asks the location who it is: one request, which the limiter has allowed. */
  void askIdentity(long nowNanos) throws ApiException {
    LocationIdentity identity = location.identity();
    metrics.requested();
    int version = identity.version();
    try (Rows rows =
        location.client().open(identity.resourceName(), identity.request(), identity.shape())) {
      Optional<Row> row = rows.next();
      if (row.isEmpty() || row.get().excess().isPresent()) {
        throw new ApiException.Malformed(
            Problem.BODY_MALFORMED,
            stream + ": GET " + identity.request().path(),
            "the answer names no store");
      }
      identity.answered(row.get(), nowNanos, version);
    }
  }

  /**
   * Why nothing may be read; empty when the location is, or has just become, the known store.
   *
   * @param current the location's identity now
   */
  Optional<String> refusal(String current) {
    if (known.isEmpty()) {
      known = current;
    }
    if (!current.equals(known)) {
      return Optional.of(
          Problem.OTHER_STORE.at(
              stream.id(),
              "the key of location "
                  + stream.location()
                  + " opens another store than the one that was read before; nothing is read or"
                  + " deleted"));
    }
    if (current.isEmpty() && !warned) {
      warned = true;
      log.warn(
          Problem.UNKNOWN_STORE.at(
              stream.id(),
              location.identity().request().path()
                  + " names neither company nor location, so another store behind this key would"
                  + " not be noticed"));
    }
    return Optional.empty();
  }

  /** What the checkpoints of this stream remember. */
  String known() {
    return known;
  }
}
