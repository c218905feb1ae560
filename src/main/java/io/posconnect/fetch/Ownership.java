package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.json.Row;
import io.posconnect.problem.Problem;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whose rows a stream has read so far, held against who its location says it is now. */
final class Ownership {

  private static final Logger log = LoggerFactory.getLogger(Ownership.class);

  private final StreamParts parts;
  private final LocationIdentity identity;
  private volatile String known;
  private boolean warned;

  Ownership(StreamParts parts) {
    this.parts = parts;
    identity = parts.identity();
    known = parts.resumed().identity();
  }

  /** Asks the location who it is: one request, which the limiter has allowed. */
  void ask(long nowNanos) throws ApiException {
    parts.listener().requested(parts.stream());
    int doubts = identity.doubts();
    try (Rows rows =
        parts.client().open(identity.resourceName(), identity.request(), identity.shape())) {
      Optional<Row> row = rows.next();
      if (row.isEmpty()) {
        throw new ApiException.Malformed(
            Problem.BODY_MALFORMED,
            parts.stream() + ": " + identity.request().path(),
            "names no store");
      }
      identity.answered(row.get(), nowNanos, doubts);
    }
  }

  /**
   * Why nothing may be read; empty when the location is, or has just become, the known store.
   *
   * @param said what it said last
   */
  Optional<String> objection(String said) {
    if (identity.isUnasked()) {
      return Optional.empty();
    }
    if (known.isEmpty()) {
      known = said;
    }
    if (said.equals(known)) {
      if (said.isEmpty() && !warned) {
        warned = true;
        log.warn(
            "{}: {} names neither company nor location, so another store behind this key would not"
                + " be noticed",
            parts.stream(),
            identity.request().path());
      }
      return Optional.empty();
    }
    return Optional.of(
        parts.stream()
            + ": the key of location "
            + parts.stream().location()
            + " opens another store than the one that was read before; nothing is read or deleted."
            + " Correct the key. If it is meant to be another store, give that a location name of"
            + " its own, or stop the connector and reset the offsets of this location to null. If"
            + " the store was only renamed, set the offset of each of its streams to the"
            + " watermark that it has");
  }

  /** What the checkpoints of this stream remember. */
  String known() {
    return known;
  }
}
