package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.fetch.StoreMatch.Verdict;
import io.posconnect.json.Row;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.Time;
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
  private final StoreMatch match;
  private final Time time;
  private boolean warned;
  private String undecided = "";
  private String told = "";

  /**
   * @param known whose rows were read until now, as the checkpoints remember it; may be empty
   */
  Ownership(
      Stream stream,
      Location location,
      StoreMatch match,
      StreamMetrics metrics,
      Time time,
      String known) {
    this.match = match;
    this.time = time;
    this.stream = stream;
    this.location = location;
    this.metrics = metrics;
    this.known = known;
  }

  /** Asks the location who it is: one request, which the limiter has allowed. */
  void askIdentity(long nowNanos) throws ApiException {
    LocationIdentity identity = location.identity();
    metrics.requests().sent();
    int version = identity.version();
    try (Rows rows =
        location
            .client()
            .open(
                identity.resourceName(),
                identity.request(),
                identity.shape(),
                () -> redirected(identity.request()))) {
      Optional<Row> row = rows.next();
      if (row.isEmpty() || row.get().fault().isPresent()) {
        throw new ApiException.Malformed(
            Problem.BODY_MALFORMED,
            stream + ": GET " + identity.request().path(),
            "the answer names no store");
      }
      identity.answered(row.get(), nowNanos, time.nanoseconds(), version);
    }
  }

  /**
   * Whether the location is, or has just become, the known store.
   *
   * @param current the location's identity now
   */
  boolean isKnown(String current) {
    if (known.isEmpty()) {
      known = current;
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
    return current.equals(known);
  }

  /** Whether its rows have yet to be compared, since it gives that other name. */
  boolean mustCompare(String current) {
    return match.canJudge() && !current.equals(undecided);
  }

  /**
   * Compares rows of the location under its other name with what was said, in one request; returns
   * how long that has to wait.
   */
  long compare(Resource resource, Instant watermark, String current, long nowNanos)
      throws ApiException {
    Request request = match.request(watermark);
    long wait = location.limiter(request.path()).tryAcquire(nowNanos);
    if (wait > 0) {
      return wait;
    }
    metrics.requests().sent();
    Verdict verdict;
    try (Rows rows =
        location
            .client()
            .open(
                resource.name(),
                request,
                resource.retrieval().shape(request),
                () -> redirected(request))) {
      verdict = match.judge(rows);
    }
    if (verdict == Verdict.UNDECIDED) {
      undecided = current;
    } else {
      location.identity().judged(current, verdict == Verdict.SAME_STORE);
    }
    return 0;
  }

  private void redirected(Request request) {
    metrics.requests().sent();
    location.limiter(request.path()).charge(time.nanoseconds());
  }

  /**
   * Follows the verdict on a location that gives another name.
   *
   * @return why nothing may be read of it; empty when it was only renamed, or nobody can tell yet
   */
  Optional<String> refusal(String current) {
    Optional<Boolean> same = location.identity().verdict(current);
    if (same.isEmpty()) {
      if (!current.equals(told)) {
        told = current;
        log.warn(
            "{}: the location gives another name than before; nothing is deleted while it is not"
                + " clear that it is the same store",
            stream);
      }
      return Optional.empty();
    }
    if (same.get()) {
      log.info("{}: the location was renamed; its rows are those of before", stream);
      known = current;
      return Optional.empty();
    }
    return Optional.of(
        Problem.OTHER_STORE.at(
            stream.id(),
            "the key of location "
                + stream.location()
                + " opens another store than the one that was read before; nothing is read or"
                + " deleted"));
  }

  /** What the checkpoints of this stream remember. */
  String known() {
    return known;
  }
}
