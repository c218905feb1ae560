package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Closed;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.fetch.Buffer.StoppedException;
import io.posconnect.fetch.StreamFetcher.Suspension;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows when something went wrong with one stream: what passes by itself is tried
 * again soon and with growing pauses; where somebody must act the stream is suspended, and probed
 * after long pauses that double.
 */
final class Failures {

  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  private static final Duration FIRST_PROBE = Duration.ofSeconds(30);

  // Later than any task lives, and still to be compared by difference.
  private static final long NEVER_NANOS = Long.MAX_VALUE / 2;

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final Location location;
  private final ServerTime serverTime;
  private final StreamMetrics metrics;
  private final StatusReporter status;
  private final Time time;
  private volatile @Nullable Suspension suspension;
  private Duration probePause;
  private int inARow;
  private long notBeforeNanos;
  private long sentNanos;
  private boolean credentialsRenewed;
  private boolean restarted;

  Failures(
      StreamSettings settings,
      FetchPlan plan,
      Location location,
      ServerTime serverTime,
      StreamMetrics metrics,
      StatusReporter status,
      Time time) {
    this.settings = settings;
    this.plan = plan;
    this.location = location;
    this.serverTime = serverTime;
    this.metrics = metrics;
    this.status = status;
    this.time = time;
    probePause = firstProbe();
    notBeforeNanos = time.nanoseconds();
  }

  /** Why and since when this stream by itself is suspended; empty while it is read. */
  Optional<Suspension> suspended() {
    return Optional.ofNullable(suspension);
  }

  /** Whether the last request failed, though likely to pass by itself. */
  boolean failing() {
    return inARow > 0;
  }

  /** Monotonic time before which no request is to be sent. */
  long notBeforeNanos() {
    return notBeforeNanos;
  }

  /** A request is about to be sent. */
  void sends(long nowNanos) {
    sentNanos = nowNanos;
  }

  /** A request was answered as it should be. */
  void recovered() {
    inARow = 0;
    credentialsRenewed = false;
    restarted = false;
    probePause = firstProbe();
    location.identity().accepted();
    if (suspension != null) {
      suspension = null;
      log.info("{}: the service answers again; the stream goes on where it was", settings.stream());
      metrics.recovered();
      status.resumed();
    }
  }

  /** A request for rows failed. */
  void failed(Fetch fetch, ApiException e) {
    long now = noted(e);
    fetch.counts().retries++;
    if (isTooMuch(e) && plan.shrink(fetch, serverTime.latest(now))) {
      log.warn("{}; asking for a shorter window", e.getMessage());
      return;
    }
    if (e instanceof Refused refused) {
      refused(fetch, refused, now);
      return;
    }
    if (e instanceof Throttled) {
      location.limiter(fetch.request().path()).throttled(now, location.grantedPause(e));
    }
    retryLater(e, now);
  }

  /** Asking the location who it is failed. */
  void identityFailed(ApiException e) {
    long now = noted(e);
    if (e instanceof Refused refused) {
      if (!renewed(refused)) {
        suspend(refused, now);
      }
      return;
    }
    if (e instanceof Throttled) {
      location.identity().throttled(now, location.grantedPause(e));
    }
    retryLater(e, now);
  }

  /** Notes a failure and returns when it was; that the client was closed is none, but the end. */
  private long noted(ApiException e) {
    if (e instanceof Closed) {
      throw new StoppedException();
    }
    metrics.retried();
    return time.nanoseconds();
  }

  private void retryLater(ApiException e, long now) {
    Duration delay = location.backoff(++inARow, e);
    notBeforeNanos = now + delay.toNanos();
    log.warn("{}; attempt {} follows in {} ms", e.getMessage(), inARow + 1, delay.toMillis());
  }

  private static boolean isTooMuch(ApiException e) {
    return (e instanceof Unavailable unavailable && unavailable.timeout())
        || (e instanceof Malformed malformed && malformed.tooLarge())
        || (e instanceof Refused refused && refused.status() == 400);
  }

  private void refused(Fetch fetch, Refused e, long now) {
    if (renewed(e)) {
      return;
    }
    if (fetch.continues() && !restarted && e.status() != 401 && e.status() != 403) {
      // A page's key may have expired; the beginning of the list has none.
      restarted = true;
      plan.restart(fetch);
      log.warn("{}; the fetch starts again", e.getMessage());
      return;
    }
    suspend(e, now);
  }

  /**
   * Whether the key was refused, or may not read that, and there is another one by now. A new one
   * is tried at once, but only one until the next pause: a provider may have another each time.
   */
  private boolean renewed(Refused e) {
    boolean aboutTheKey = e.status() == 401 || e.status() == 403;
    if (!aboutTheKey || credentialsRenewed || !location.renewCredentials(sentNanos)) {
      return false;
    }
    credentialsRenewed = true;
    status.keyRotated();
    log.info("{}: the key was refused; the configuration has another one now", settings.stream());
    return true;
  }

  private void suspend(Refused e, long now) {
    String reason = String.valueOf(e.getMessage());
    if (e.status() == 401) {
      location.identity().refused(reason, now);
    }
    suspend(reason, now);
  }

  /** Somebody must do something; nothing is asked until it may have been done. */
  void suspend(String reason, long now) {
    credentialsRenewed = false;
    suspended(reason, now);
    notBeforeNanos = now + probePause.toNanos();
    log.error(
        "{}; the stream is suspended and probed again in {} s", reason, probePause.toSeconds());
    probePause = shorter(probePause.multipliedBy(2), settings.probeBackoffMax());
  }

  /** Only another configuration, and with it another task, can mend that. */
  void suspendForGood(String reason) {
    long now = time.nanoseconds();
    suspended(reason, now);
    notBeforeNanos = now + NEVER_NANOS;
    log.error("{}; the stream is suspended until then", reason);
  }

  private void suspended(String reason, long now) {
    suspension = Suspension.of(reason, now, suspension);
    metrics.suspended(reason);
    status.suspended(reason);
  }

  private Duration firstProbe() {
    return shorter(FIRST_PROBE, settings.probeBackoffMax());
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
