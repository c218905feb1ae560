package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.Rows;
import io.posconnect.fetch.Fetch.StrayPageException;
import io.posconnect.fetch.Room.CeilingException;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Problem;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one stream's cycle, one request a step: window, request, classify, records, checkpoint.
 *
 * <p>For one thread at a time; {@link #suspended()} may be asked by any.
 */
public final class StreamFetcher {

  private static final Logger log = LoggerFactory.getLogger(StreamFetcher.class);
  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(20);

  private final StreamSettings settings;
  private final Location location;
  private final Digest digest;
  private final StreamMetrics metrics;
  private final Time time;
  private final FetchPlan plan;
  private final ChangeEmitter emitter;
  private final FetchCompletion completion;
  private final ServerTime serverTime;
  private final Ownership ownership;
  private final StatusReporter status;
  private final Failures failures;
  private boolean toldReplaced;

  // Read to its end, and waiting for its location to say who it is.
  private @Nullable Fetch unverified;

  /**
   * @param resumed where the stream left off
   * @param digest what was said until then
   */
  public StreamFetcher(
      StreamSettings settings,
      StreamOffset resumed,
      Digest digest,
      RowSchema contract,
      StreamOutput output,
      Location location,
      StreamMetrics metrics,
      Time time) {
    this(
        settings,
        FetchPlan.of(settings, resumed, time.nanoseconds()),
        digest,
        contract,
        output,
        location,
        metrics,
        time);
  }

  StreamFetcher(
      StreamSettings settings,
      FetchPlan plan,
      Digest digest,
      RowSchema contract,
      StreamOutput output,
      Location location,
      StreamMetrics metrics,
      Time time) {
    this.settings = settings;
    this.location = location;
    this.digest = digest;
    this.metrics = metrics;
    this.time = time;
    this.plan = plan;
    status = new StatusReporter(settings.stream(), output, metrics, time);
    Room room = new Room(settings, plan, digest, status);
    emitter = new ChangeEmitter(settings, plan, contract, digest, room, output, metrics, time);
    serverTime = new ServerTime(settings.stream(), location.clock(), metrics, time);
    StoreMatch match = new StoreMatch(settings.resource(), contract, digest);
    ownership =
        new Ownership(
            settings.stream(), location, match, metrics, time, plan.position().identity());
    completion =
        new FetchCompletion(
            settings,
            plan,
            digest,
            room,
            emitter,
            serverTime,
            ownership,
            new Checkpoints(settings, output, metrics),
            metrics,
            status,
            time);
    failures = new Failures(settings, plan, location, serverTime, metrics, status, time);
  }

  /** Suspends it before it begins, for that reason: it must be configured in another way first. */
  public void refuse(String reason) {
    failures.suspendForGood(reason);
  }

  /** Tells, before it begins, that rows of before stay in another form. */
  public void contractChanged(String reason) {
    log.warn(reason);
    status.contractChanged(reason);
  }

  public Stream stream() {
    return settings.stream();
  }

  /**
   * Why and since when the stream is suspended; empty while it is read. A refused key counts for
   * all streams of its location, also for those that are not due for a while.
   */
  public Optional<Suspension> suspended() {
    return failures.suspended().or(location.identity()::refusal);
  }

  /** Whether its last request failed, though likely to pass by itself. */
  boolean failing() {
    return failures.failing();
  }

  /**
   * Makes at most one request.
   *
   * @return monotonic time at which the next step is due
   * @throws org.apache.kafka.connect.errors.ConnectException when the task must fail
   */
  public long step() throws InterruptedException {
    long now = time.nanoseconds();
    if (failures.notBeforeNanos() - now > 0) {
      return failures.notBeforeNanos();
    }
    Instant serverNow = serverTime.now(now);
    Optional<Fetch> due = unverified == null ? plan.next(now, serverNow) : Optional.of(unverified);
    if (due.isEmpty()) {
      return plan.dueNanos(now, serverNow);
    }
    Optional<String> identity = location.identity().current(now);
    boolean asks = identity.isEmpty() && location.identity().begin(now);
    if (!asks && identity.isEmpty() && location.identity().isBeingAsked(now)) {
      return now + SOON;
    }
    long wait = asks ? askIdentity(now) : proceed(due.get(), identity, now);
    return wait > 0 ? now + wait : nextDue();
  }

  private long nextDue() {
    long now = time.nanoseconds();
    if (failures.notBeforeNanos() - now > 0) {
      return failures.notBeforeNanos();
    }
    return unverified == null ? plan.dueNanos(now, serverTime.now(now)) : now;
  }

  /** Asks the location who it is; returns how long that has to wait. */
  private long askIdentity(long now) {
    try {
      long wait = location.identity().tryAcquire(now);
      if (wait <= 0) {
        failures.sends(now);
        ownership.askIdentity(now);
        location.identity().accepted();
      }
      return wait;
    } catch (ApiException e) {
      failures.identityFailed(e);
      return 0;
    } finally {
      location.identity().end();
    }
  }

  /** Goes on with the fetch, whoever the location says it is; returns how long it has to wait. */
  private long proceed(Fetch fetch, Optional<String> identity, long now)
      throws InterruptedException {
    boolean known = identity.isPresent() && ownership.isKnown(identity.get());
    if (unverified != null) {
      // Who cannot be told from another store has nothing deleted.
      unverified = null;
      try {
        complete(fetch, known);
      } catch (CeilingException e) {
        ceilingReached(fetch, e);
      }
      return 0;
    }
    if (identity.isPresent() && !known) {
      Optional<String> refusal = ownership.refusal(identity.get());
      if (refusal.isPresent()) {
        location.identity().invalidate();
        failures.suspend(fetch, refusal.get(), now);
        return 0;
      }
      if (!ownership.isKnown(identity.get()) && ownership.mustCompare(identity.get())) {
        return compare(fetch, identity.get(), now);
      }
    }
    return request(fetch, now);
  }

  /** Compares the rows of a location that gives another name, before any of them is believed. */
  private long compare(Fetch fetch, String identity, long now) {
    failures.sends(now);
    try {
      return ownership.compare(settings.resource(), plan.position().watermark(), identity, now);
    } catch (ApiException e) {
      failures.failed(fetch, e);
      return 0;
    }
  }

  private long request(Fetch fetch, long now) throws InterruptedException {
    long wait = location.limiter(fetch.request().path()).tryAcquire(now);
    if (wait <= 0) {
      try {
        attempt(fetch, now);
      } catch (CeilingException e) {
        ceilingReached(fetch, e);
      }
    } else {
      metrics.requests().delayed(wait);
    }
    return wait;
  }

  private void attempt(Fetch fetch, long now) throws CeilingException, InterruptedException {
    int page = fetch.page();
    try {
      send(fetch, now);
      failures.recovered(fetch, page);
    } catch (Refused e) {
      refused(fetch, e);
    } catch (ApiException e) {
      failures.failed(fetch, e);
    } catch (StrayPageException e) {
      failures.strayed(fetch, page, e.malformed(stream(), fetch.request()));
    }
  }

  private void refused(Fetch fetch, Refused e) throws CeilingException, InterruptedException {
    if (!fetch.mayEndBefore(e.status())) {
      failures.failed(fetch, e);
    } else if (fetch.endsBefore(e.status())) {
      ended(fetch);
    } else {
      failures.asksAgain(fetch, e);
    }
  }

  private void complete(Fetch fetch, boolean mayDelete)
      throws CeilingException, InterruptedException {
    if (!completion.complete(fetch, mayDelete)) {
      throw new CeilingException("and new ones wait until others are gone");
    }
    failures.completed(fetch);
  }

  private void send(Fetch fetch, long now)
      throws ApiException, CeilingException, StrayPageException, InterruptedException {
    failures.sends(now);
    fetch.attempt(now, time.milliseconds(), digest.tick());
    plan.reconciliation().ifPresent(reconciliation -> reconciliation.began(fetch.sinceTick()));
    metrics.requests().sent();
    if (!read(fetch, completion.begins(fetch))) {
      ended(fetch);
    }
  }

  private void ended(Fetch fetch) throws CeilingException, InterruptedException {
    if (completion.missesKeys(fetch)) {
      // What is missing may be another store's: nothing is deleted before it has said who it is.
      location.identity().invalidate();
      unverified = fetch;
    } else {
      complete(fetch, true);
    }
  }

  /** Reads one response to its end; returns whether the fetch has another request to make. */
  private boolean read(Fetch fetch, boolean repeats)
      throws ApiException, CeilingException, StrayPageException, InterruptedException {
    Resource resource = settings.resource();
    Request request = fetch.request();
    long sentNanos = time.nanoseconds();
    try (Rows rows =
        location
            .client()
            .open(
                resource.name(),
                request,
                resource.retrieval().shape(request),
                () -> redirected(request))) {
      metrics.requests().answered(Duration.ofNanos(time.nanoseconds() - sentNanos));
      serverTime.sample(rows.date());
      Instant arrival = Instant.ofEpochMilli(time.milliseconds());
      fetch.stamp(fetch.source().told(rows.date().orElse(arrival)));
      long before = fetch.counts().rows;
      try {
        emitter.read(rows, fetch, repeats);
      } finally {
        metrics.requests().received(rows.bytes());
        replaced(rows.replaced());
      }
      if (fetch.source().snapshot()) {
        status.snapshotRead(fetch.counts().rows - before, fetch.window());
      }
      return fetch.advance(rows.end());
    }
  }

  private void redirected(Request request) {
    metrics.requests().sent();
    location.limiter(request.path()).charge(time.nanoseconds());
  }

  private void replaced(long bytes) {
    metrics.replaced(bytes);
    if (bytes > 0 && !toldReplaced) {
      toldReplaced = true;
      log.warn(Problem.TEXT_REPLACED.at(stream().id()));
    }
  }

  /** Where rows cannot be said the read is tried again, later, when somebody may have acted. */
  private void ceilingReached(Fetch fetch, CeilingException e) {
    failures.suspend(
        fetch,
        Problem.CEILING_REACHED.at(
            stream().id(),
            digest.size() + " keys are all that digest.max.keys allows, " + e.getMessage()),
        time.nanoseconds());
  }
}
