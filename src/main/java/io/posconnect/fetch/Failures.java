package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.metrics.RequestMetrics.Outcome;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows when something went wrong with one stream: what passes by itself is tried
 * again soon and with growing pauses; where somebody must act the stream is suspended, and probed
 * after long pauses that double.
 *
 * <p>Nothing is tried for ever in silence: what has failed ten times without getting any further
 * suspends the stream too, so that its status tells the truth, and is tried again as before. It has
 * got further when the same kind of fetch has read what failed: the pages before do not count, nor
 * do increments while a reconciliation fails.
 */
final class Failures {

  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  private static final Duration FIRST_PROBE = Duration.ofSeconds(30);

  /** So many failures at one place, and the stream counts as suspended. */
  static final int PATIENCE = 10;

  // Later than any task lives, and still to be compared by difference.
  private static final long NEVER_NANOS = Long.MAX_VALUE / 2;

  /** Counts the failures that followed one another without anything behind being read. */
  private static final class Streak {

    // The furthest of the fetch's requests that failed.
    private int page;
    private int times;
    private boolean suspends;
  }

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final Location location;
  private final ServerTime serverTime;
  private final StreamMetrics metrics;
  private final StatusReporter status;
  private final Time time;
  private final FailureLog failureLog = new FailureLog(log);
  private volatile @Nullable Suspension suspension;
  private Duration probePause;
  private final Map<FetchKind, Streak> streaks = new EnumMap<>(FetchKind.class);
  private long notBeforeNanos;
  private long sentNanos;
  private boolean credentialsRenewed;

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

  /** Whether something failed, and was not read since. */
  boolean failing() {
    return !streaks.isEmpty();
  }

  /** Monotonic time before which no request is to be sent. */
  long notBeforeNanos() {
    return notBeforeNanos;
  }

  /** A request is about to be sent. */
  void sends(long nowNanos) {
    sentNanos = nowNanos;
  }

  /**
   * A request for rows was answered as it should be.
   *
   * @param page which of the fetch's requests, see {@link Fetch#page}
   */
  void recovered(Fetch fetch, int page) {
    credentialsRenewed = false;
    Streak streak = streaks.get(fetch.kind());
    if (streak != null && page >= streak.page) {
      streaks.remove(fetch.kind());
    }
    answered();
  }

  /** A fetch is complete, so that nothing of its kind is wrong any more. */
  void completed(Fetch fetch) {
    streaks.remove(fetch.kind());
    answered();
  }

  /** There will be no more fetches of that kind. */
  void abandoned(FetchKind kind) {
    streaks.remove(kind);
  }

  private void answered() {
    location.identity().accepted();
    boolean resumes =
        suspension != null && streaks.values().stream().noneMatch(streak -> streak.suspends);
    if (resumes) {
      suspension = null;
      probePause = firstProbe();
      metrics.resumed();
      status.resumed();
    }
    // Its identity is asked for by any stream of the location, and may be refused for ever.
    boolean identified = location.identity().failures() == 0;
    if (failureLog.isFailing() && streaks.isEmpty() && (identified || resumes)) {
      failureLog.recovered(
          settings.stream() + ": the service answers again; the stream goes on where it was",
          time.nanoseconds());
    }
  }

  /** A request for rows failed. */
  void failed(Fetch fetch, ApiException e) {
    long now = noted(e);
    fetch.counts().retries++;
    if (isTooMuch(e) && plan.shrink(fetch, serverTime.latest(now))) {
      log.debug("{}; asking for a shorter window", e.getMessage());
      return;
    }
    if (e instanceof Refused refused) {
      refused(fetch, refused, now);
      return;
    }
    if (e instanceof Throttled) {
      location.limiter(fetch.request().path()).throttled(now, location.grantedPause(e));
    }
    retryLater(streak(fetch, fetch.page()), e, now);
  }

  /** What was read so far leads nowhere; the fetch starts again. */
  void strayed(Fetch fetch, int page, Malformed e) {
    long now = noted(e);
    plan.restart(fetch);
    retryLater(streak(fetch, page), e, now);
  }

  /** The list may have ended there, if a second try says so too. */
  void asksAgain(Fetch fetch, Refused e) {
    long now = noted(e);
    fetch.counts().retries++;
    notBeforeNanos = now + location.backoff(1, e).toNanos();
    log.debug("{}; asking once more whether the list has ended", e.getMessage());
  }

  /** Counts one more failure of that kind of fetch. */
  private Streak streak(Fetch fetch, int page) {
    Streak streak = streaks.computeIfAbsent(fetch.kind(), kind -> new Streak());
    streak.page = Math.max(streak.page, page);
    streak.times++;
    return streak;
  }

  /** Asking the location who it is failed: it is read all the same, unless the key is refused. */
  void identityFailed(ApiException e) {
    long now = noted(e);
    if (e instanceof Refused refused && refused.status() == 401) {
      if (!renewed(refused)) {
        suspend(refused, now);
      }
      return;
    }
    if (e instanceof Throttled) {
      location.identity().throttled(now, location.grantedPause(e));
    }
    Duration pause = location.backoff(location.identity().failures() + 1, e);
    location.identity().failed(sentNanos, now, pause);
    failureLog.failed(
        "%s: nothing is deleted until the location says who it is; asked again in %d ms: %s"
            .formatted(settings.stream(), pause.toMillis(), e.getMessage()),
        now);
  }

  /** Counts the failure and returns its time. */
  private long noted(ApiException e) {
    metrics.requests().ended(outcome(e));
    return time.nanoseconds();
  }

  private static Outcome outcome(ApiException e) {
    if (e instanceof Throttled) {
      return Outcome.THROTTLED;
    }
    return e instanceof Refused ? Outcome.REFUSED : Outcome.FAILED;
  }

  private void retryLater(Streak streak, ApiException e, long now) {
    Duration delay = location.backoff(streak.times, e);
    notBeforeNanos = now + delay.toNanos();
    if (streak.times < PATIENCE) {
      failureLog.failed(
          "%s Attempt %d follows in %d ms."
              .formatted(e.getMessage(), streak.times + 1, delay.toMillis()),
          now);
    } else {
      streak.suspends = true;
      suspended(
          String.valueOf(e.getMessage()),
          "The stream is suspended after " + PATIENCE + " failures in a row.",
          now);
    }
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
    Streak streak = streak(fetch, fetch.page());
    if (fetch.continues() && e.status() != 401 && e.status() != 403) {
      // A page's key may have expired; the beginning of the list has none.
      plan.restart(fetch);
      if (streak.times == 1) {
        notBeforeNanos = now + location.backoff(1, e).toNanos();
        failureLog.failed(e.getMessage() + " The fetch starts again.", now);
        return;
      }
    }
    streak.suspends = true;
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

  /** Somebody must do something about that fetch. */
  void suspend(Fetch fetch, String reason, long now) {
    streak(fetch, fetch.page()).suspends = true;
    suspend(reason, now);
  }

  /** Somebody must do something; nothing is asked until it may have been done. */
  void suspend(String reason, long now) {
    credentialsRenewed = false;
    suspended(
        reason,
        "The stream is suspended and probed again in " + Text.duration(probePause) + ".",
        now);
    notBeforeNanos = now + probePause.toNanos();
    probePause = shorter(probePause.multipliedBy(2), settings.probeBackoffMax());
  }

  /** Only another configuration, and with it another task, can mend that. */
  void suspendForGood(String reason) {
    long now = time.nanoseconds();
    suspended(reason, "The stream is suspended until then.", now);
    notBeforeNanos = now + NEVER_NANOS;
  }

  private void suspended(String reason, String consequence, long now) {
    failureLog.suspended(Problem.codeOf(reason), reason + " " + consequence, now);
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
