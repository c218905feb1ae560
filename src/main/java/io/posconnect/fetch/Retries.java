package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.fetch.Streaks.Streak;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows a failure: a fault that is likely to pass is retried with growing pauses;
 * where a person must act, the stream is suspended and probed after pauses that double.
 *
 * <p>The same failure at the same place {@link #MOST_FAILURES} times in a row suspends the stream
 * too, so that its status is true; it is retried as before. {@link Streaks} knows the places.
 *
 * <p>The location's {@code /whoami}, which needs no permission, decides whose fault a 401 is. If it
 * answers 401, the key is refused: that has no place, suspends all streams of the location, and one
 * of them speaks for all. Otherwise the 401 of a resource suspends its own stream, as 403 does.
 * When a stream that was suspended because of the key is read again, the others are probed at once.
 */
final class Retries {

  private static final Duration FIRST_PROBE = Duration.ofSeconds(30);

  /** So many failures at one place suspend the stream. */
  static final int MOST_FAILURES = 10;

  /** A 401 of the fetch's resource. */
  private record Unauthorized(Fetch fetch, Refused refusal) {}

  private final Stream stream;
  private final FetchPlan plan;
  private final Location location;
  private final Duration longestProbe;
  private final LocationKey.Watch key;
  private final Streaks streaks = new Streaks();
  private volatile @Nullable Suspension suspension;
  private Duration probePause = FIRST_PROBE;
  private volatile long notBeforeNanos;
  private boolean hasRotated;

  // Until the location has shown whether it accepts the key.
  private @Nullable Unauthorized unauthorized;

  /**
   * @param settings of the stream, for the longest pause between two probes while it is suspended
   */
  Retries(StreamSettings settings, FetchPlan plan, Location location, long nowNanos) {
    stream = settings.stream();
    this.plan = plan;
    this.location = location;
    key = location.key().watch(stream);
    longestProbe = settings.probeBackoffMax();
    notBeforeNanos = nowNanos;
  }

  /** Why and since when the stream is suspended; empty while it is read. By any thread. */
  Optional<Suspension> suspension() {
    return Optional.ofNullable(suspension);
  }

  /** Monotonic time before which no request is to be sent. By any thread. */
  long notBeforeNanos() {
    return notBeforeNanos;
  }

  /** Records that the plan, the rate limit or another stream keeps the next request waiting. */
  void delayed(long untilNanos) {
    notBeforeNanos = untilNanos;
  }

  /** Records that a response of the fetch, its n-th, was read to its end. */
  List<Report> succeeded(Fetch fetch, int page) {
    hasRotated = false;
    streaks.succeeded(fetch.kind(), page);
    return answered(fetch);
  }

  /** Records that the fetch is complete. */
  List<Report> completed(Fetch fetch) {
    streaks.succeeded(fetch.kind(), Streaks.UNTIL_COMPLETE);
    return answered(fetch);
  }

  private List<Report> answered(Fetch fetch) {
    if (suspension == null || !suspension.isAboutKey() || streaks.suspends()) {
      // Whatever has suspended it since: no other request may ever end the refusal of the key.
      location.key().accepted(fetch.sentNanos());
      return resume();
    }
    // The list may have waited for the location, or crossed with a refusal of the key.
    return location.key().foundGood(fetch.sentNanos()) ? resume() : List.of();
  }

  private List<Report> resume() {
    List<Report> reports = new ArrayList<>();
    boolean resumes = suspension != null && !streaks.suspends();
    if (resumes) {
      suspension = null;
      probePause = FIRST_PROBE;
      reports.add(StreamReporter::resumed);
    }
    // The identity may be missing for ever, while rows are read.
    boolean identified = location.identity().failures() == 0;
    if (streaks.isEmpty() && (identified || resumes)) {
      reports.add(key.recovered());
    }
    return reports;
  }

  /** Decides what follows a failed request for rows. */
  List<Report> failed(Fetch fetch, ApiException e, Moment now) {
    if (e.isTooMuch() && plan.shrink(fetch)) {
      fetch.counts().add(Count.RETRIES, 1);
      return List.of(to -> to.windowShortened(e.incident(), fetch.window()));
    }
    return failedAtAnyLength(fetch, e, now);
  }

  /** Decides what follows a failure that a shorter window of the fetch would not prevent. */
  List<Report> failedAtAnyLength(Fetch fetch, ApiException e, Moment now) {
    fetch.counts().add(Count.RETRIES, 1);
    if (e instanceof Refused refused) {
      return refused(fetch, refused, now);
    }
    return List.of(retryLater(fetch, fetch.reading().page(), e, now));
  }

  /** Decides what follows pages that lead nowhere: the fetch starts again. */
  List<Report> strayed(Fetch fetch, int page, String detail, Moment now) {
    String request = stream.id() + ": GET " + fetch.reading().request().path();
    plan.restart(fetch);
    Malformed failure = new Malformed(Problem.PAGES_LEAD_NOWHERE, request, detail);
    return List.of(retryLater(fetch, page, failure, now));
  }

  /** Waits before a second try shows whether the list has ended. */
  List<Report> doubted(Fetch fetch, Refused e, Moment now) {
    fetch.counts().add(Count.RETRIES, 1);
    notBeforeNanos = now.nanos() + location.backoff(1, e).toNanos();
    return List.of(to -> to.endDoubted(e.incident()));
  }

  private Report retryLater(Fetch fetch, int page, ApiException e, Moment now) {
    Streak streak = streaks.failed(fetch.kind(), page);
    Duration pause = location.backoff(streak.failures(), e);
    notBeforeNanos = now.nanos() + pause.toNanos();
    if (streak.failures() < MOST_FAILURES) {
      int next = streak.failures() + 1;
      Duration delay = limited(fetch.reading(), pause, now);
      return to -> to.retried(e.incident(), next, delay);
    }
    streak.suspend();
    String consequence = "After " + MOST_FAILURES + " failures in a row the stream is suspended.";
    return suspended(e.incident(), consequence, now);
  }

  /** When a request follows that waits for a pause, and for its limit. */
  private Duration limited(Reading reading, Duration pause, Moment now) {
    long limit = location.client(reading).limit().untilTurn(now.nanos());
    return Duration.ofNanos(Math.max(pause.toNanos(), limit));
  }

  private List<Report> refused(Fetch fetch, Refused e, Moment now) {
    if (e.is(Problem.KEY_REFUSED)) {
      unauthorized = new Unauthorized(fetch, e);
      return List.of();
    }
    Streak streak = streaks.failed(fetch.kind(), fetch.reading().page());
    if (fetch.continues() && !Suspension.isAboutKey(e.incident())) {
      // A page's key may have expired; the first page needs none.
      plan.restart(fetch);
      if (streak.failures() == 1) {
        notBeforeNanos = now.nanos() + location.backoff(1, e).toNanos();
        return List.of(to -> to.fetchRestarted(e.incident()));
      }
    }
    streak.suspend();
    return List.of(suspend(fetch, e.incident(), now));
  }

  /** Decides what follows when the key opens another store. */
  List<Report> refusedStore(Fetch fetch, Incident incident, boolean hasNewKey, Moment now) {
    // Another stream's comparison may have decided, after pages of this one.
    plan.restart(fetch);
    return hasNewKey ? rotated() : List.of(suspendAt(fetch, 0, incident, now));
  }

  /**
   * Returns whether a new key is tried at once: only one until the next pause, since a provider may
   * always have another one.
   */
  boolean mayRotate() {
    return !hasRotated;
  }

  /** Decides what follows when the key was refused, and the configuration has a new one. */
  List<Report> rotated() {
    hasRotated = true;
    unauthorized = null;
    return List.of(StreamReporter::keyRotated);
  }

  /** Returns whether the location must show whether it accepts the key that a resource refused. */
  boolean doubtsKey() {
    return unauthorized != null;
  }

  /** Decides what follows when the location said who it is: it accepts the key. */
  List<Report> identified(Moment now) {
    return resourceRefused(
        Problem.PERMISSION_MISSING, "its request is refused, though /whoami accepts the key", now);
  }

  /** Decides what follows when the location did not say who it is: rows are read all the same. */
  List<Report> unidentified(ApiException e, Moment now) {
    if (e instanceof Refused refused && e.is(Problem.KEY_REFUSED)) {
      unauthorized = null;
      return keyRefused(refused, now);
    }
    LocationIdentity identity = location.identity();
    Duration pause = identity.failed(now.nanos(), location.backoff(identity.failures() + 1, e));
    Duration delay = limited(identity.reading(), pause, now);
    List<Report> reports = new ArrayList<>();
    reports.add(to -> to.identityMissing(e.incident(), delay));
    reports.addAll(
        resourceRefused(
            Problem.KEY_REFUSED, "its request is refused, and /whoami does not answer", now));
    return reports;
  }

  /** Suspends the stream alone for a 401 of its resource, if there was one. */
  private List<Report> resourceRefused(Problem problem, String detail, Moment now) {
    Unauthorized cause = unauthorized;
    if (cause == null) {
      return List.of();
    }
    unauthorized = null;
    String request = cause.refusal().incident().subject();
    Incident incident = problem.incident(stream.id(), detail + " (" + request + ")");
    Fetch fetch = cause.fetch();
    return List.of(suspendAt(fetch, fetch.reading().page(), incident, now));
  }

  private List<Report> keyRefused(Refused e, Moment now) {
    location.identity().invalidate();
    Incident incident = key.refused(e.incident(), now);
    Duration delay = limited(location.identity().reading(), pause(now), now);
    Optional<String> line = key.consequence(delay).map(each -> e.incident() + " " + each);
    return List.of(suspended(incident, line, now));
  }

  /**
   * Returns whether another stream has found the location's key refused, or good. By any thread.
   */
  boolean mustFollowKey() {
    return key.hasNews();
  }

  /**
   * Does as another stream has found out, if one has: suspends the stream with its location, and
   * when the key is good, resumes it, or probes it at once where the key was not its only fault.
   */
  List<Report> followKey(Moment now) {
    if (!mustFollowKey()) {
      return List.of();
    }
    Optional<Incident> refusal = key.look();
    Suspension before = suspension;
    if (before != null && !before.isAboutKey()) {
      return List.of();
    }
    if (refusal.isPresent()) {
      unauthorized = null;
      pause(now);
      return List.of(suspended(refusal.get(), Optional.empty(), now));
    }
    if (before == null) {
      return List.of();
    }
    notBeforeNanos = now.nanos();
    return before.isRefusedKey() ? resume() : List.of();
  }

  /** Suspends the stream until a fetch of that kind is complete: its responses are whole. */
  Report suspendUntilComplete(Fetch fetch, Incident incident, Moment now) {
    return suspendAt(fetch, Streaks.UNTIL_COMPLETE, incident, now);
  }

  /** Keeps a suspended stream so, also until a fetch of that kind is complete; without a pause. */
  void staysUntilComplete(Fetch fetch) {
    streaks.suspend(fetch.kind(), Streaks.UNTIL_COMPLETE);
  }

  /** Suspends the stream until a response at or behind the page is whole. */
  private Report suspendAt(Fetch fetch, int page, Incident incident, Moment now) {
    streaks.suspend(fetch.kind(), page);
    return suspend(fetch, incident, now);
  }

  private Report suspend(Fetch fetch, Incident incident, Moment now) {
    Duration delay = limited(fetch.reading(), pause(now), now);
    return suspended(
        incident,
        "The stream is suspended; the next probe follows in " + Text.duration(delay) + ".",
        now);
  }

  /** Waits for the next probe; returns how long. */
  private Duration pause(Moment now) {
    hasRotated = false;
    Duration pause = Collections.min(List.of(probePause, longestProbe));
    notBeforeNanos = now.nanos() + pause.toNanos();
    probePause = pause.multipliedBy(2);
    return pause;
  }

  /** Suspends the stream for as long as the task lives: only another configuration helps. */
  Report suspendForGood(Incident incident, Moment now) {
    notBeforeNanos = now.nanos() + FetchPlan.NEVER_NANOS;
    return suspended(incident, "The stream is suspended until the configuration changes.", now);
  }

  private Report suspended(Incident incident, String consequence, Moment now) {
    return suspended(incident, Optional.of(incident + " " + consequence), now);
  }

  /**
   * Suspends the stream, or leaves it suspended.
   *
   * @param line to be logged; none where another stream speaks for the location
   */
  private Report suspended(Incident incident, Optional<String> line, Moment now) {
    suspension = Suspension.of(incident, now.nanos(), suspension);
    return to -> to.suspended(incident, line);
  }
}
