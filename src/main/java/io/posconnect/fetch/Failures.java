package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Closed;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has gone wrong with one stream, and when it may be tried again: soon and with growing pauses
 * what passes by itself, after long ones what somebody must mend.
 */
final class Failures {

  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  // Later than any task lives, and still to be compared by difference.
  private static final long NEVER_NANOS = Long.MAX_VALUE / 2;

  private final StreamParts parts;
  private final FetchPlan plan;
  private final ServerTime serverTime;
  private final Suspension suspension;
  private int inARow;
  private long notBeforeNanos;
  private long sentNanos;
  private boolean credentialsRenewed;
  private boolean restarted;

  Failures(StreamParts parts, FetchPlan plan, ServerTime serverTime) {
    this.parts = parts;
    this.plan = plan;
    this.serverTime = serverTime;
    suspension = new Suspension(parts.settings().probeBackoffMax());
    notBeforeNanos = parts.time().nanoseconds();
  }

  /** Why and since when this stream by itself is suspended; empty while it is read. */
  Optional<Suspension.Case> suspended() {
    return suspension.current();
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
    parts.identity().accepted();
    if (suspension.lift()) {
      log.info("{}: the service answers again; the stream goes on where it was", parts.stream());
      parts.listener().recovered(parts.stream());
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
      parts.limiters().apply(fetch.request().path()).throttled(now, granted(e));
    }
    later(e, now);
  }

  /** Asking the location who it is failed. */
  void askFailed(ApiException e) {
    long now = noted(e);
    if (e instanceof Refused refused) {
      if (!renewed(refused)) {
        suspend(refused, now);
      }
      return;
    }
    if (e instanceof Throttled) {
      parts.identity().throttled(now, granted(e));
    }
    later(e, now);
  }

  /** Notes a failure and returns when it was; that the client was closed is none, but the end. */
  private long noted(ApiException e) {
    if (e instanceof Closed) {
      throw new StoppedException();
    }
    parts.listener().retried(parts.stream());
    return parts.time().nanoseconds();
  }

  private Duration granted(ApiException e) {
    return parts.retries().pause(e.retryAfter());
  }

  private void later(ApiException e, long now) {
    Duration delay = parts.retries().delay(++inARow, e.retryAfter(), parts.random());
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

  /** Whether the key was refused, and there is another one by now. */
  private boolean renewed(Refused e) {
    if (e.status() != 401 || credentialsRenewed || !parts.newCredentials().test(sentNanos)) {
      return false;
    }
    credentialsRenewed = true;
    log.info("{}: the key was refused; the configuration has another one now", parts.stream());
    return true;
  }

  private void suspend(Refused e, long now) {
    String reason = String.valueOf(e.getMessage());
    if (e.status() == 401) {
      parts.identity().refused(reason, now);
    }
    suspend(reason, now);
  }

  /** Only another configuration, and with it another task, can mend that. */
  void suspendForGood(String reason) {
    long now = parts.time().nanoseconds();
    suspension(reason, now);
    notBeforeNanos = now + NEVER_NANOS;
    log.error("{}; the stream is suspended until then", reason);
  }

  /** Somebody must do something; nothing is asked until it may have been done. */
  void suspend(String reason, long now) {
    Duration pause = suspension(reason, now);
    notBeforeNanos = now + pause.toNanos();
    log.error("{}; the stream is suspended and probed again in {} s", reason, pause.toSeconds());
  }

  private Duration suspension(String reason, long now) {
    parts.listener().suspended(parts.stream(), reason);
    return suspension.refused(reason, now);
  }
}
