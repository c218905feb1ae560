package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.Rows;
import io.posconnect.problem.Problem;
import io.posconnect.record.Provenance;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One stream's cycle, one request a step: window, request, classify, records, checkpoint.
 *
 * <p>For one thread at a time; {@link #suspended()} may be asked by any.
 */
public final class StreamFetcher {

  private final StreamParts parts;
  private final FetchPlan plan;
  private final ChangeEmitter emitter;
  private final FetchCompletion completion;
  private final Checkpoints checkpoints;
  private final ServerTime serverTime;
  private final Ownership ownership;
  private final Failures failures;
  private @Nullable Ended ended;

  /** A fetch that was read to its end, and waits for its location to say who it is. */
  private record Ended(Fetch fetch, Provenance source) {}

  public StreamFetcher(StreamParts parts) {
    this(parts, plan(parts, FetchCompletion.resumed(parts), parts.time().nanoseconds()));
  }

  /**
   * A stream that is suspended from the start, and of which nothing is read before it is configured
   * in another way.
   *
   * @param reason what is wrong and what to do
   */
  public static StreamFetcher refused(StreamParts parts, String reason) {
    StreamFetcher fetcher = new StreamFetcher(parts);
    fetcher.failures.suspendForGood(reason);
    return fetcher;
  }

  StreamFetcher(StreamParts parts, FetchPlan plan) {
    this.parts = parts;
    this.plan = plan;
    emitter = new ChangeEmitter(parts);
    serverTime = new ServerTime(parts);
    ownership = new Ownership(parts);
    checkpoints = new Checkpoints(parts, ownership);
    completion = new FetchCompletion(parts, plan, emitter, serverTime, checkpoints);
    failures = new Failures(parts, plan, serverTime);
  }

  /** What such a stream reads, and when. */
  static FetchPlan plan(StreamParts parts, Progress progress, long nowNanos) {
    if (!parts.resource().retrieval().filtered()) {
      return new FullPlan(parts.resource(), progress, nowNanos);
    }
    if (parts.resource().retrieval() instanceof DateRange) {
      return new DateRangePlan(parts.resource(), parts.settings(), progress, nowNanos);
    }
    return new ModifiedSincePlan(
        parts.resource(), parts.settings().reconcileInterval(), progress, nowNanos);
  }

  public Stream stream() {
    return parts.stream();
  }

  /**
   * Why and since when the stream is suspended; empty while it is read. A refused key counts for
   * all streams of its location, also for those that are not due for a while.
   */
  public Optional<Suspension.Case> suspended() {
    return failures.suspended().or(parts.identity()::refusal);
  }

  /** Whether its last request failed, though likely to pass by itself. */
  boolean failing() {
    return failures.failing();
  }

  /**
   * Makes at most one request.
   *
   * @return monotonic time at which the next step is due
   * @throws StoppedException when the task is stopping
   * @throws FatalException when the task must fail
   */
  public long step() throws InterruptedException {
    checkpoints.forgetAcknowledged();
    long now = parts.time().nanoseconds();
    if (failures.notBeforeNanos() - now > 0) {
      return failures.notBeforeNanos();
    }
    Instant serverNow = serverTime.now(now);
    Optional<Fetch> due = ended == null ? plan.next(now, serverNow) : Optional.of(ended.fetch());
    if (due.isEmpty()) {
      return plan.dueNanos(now, serverNow);
    }
    Optional<String> said = parts.identity().said(now);
    long wait = said.isEmpty() ? ask(now) : goOn(due.get(), said.get(), now);
    if (wait > 0) {
      return now + wait;
    }
    long after = parts.time().nanoseconds();
    if (failures.notBeforeNanos() - after > 0) {
      return failures.notBeforeNanos();
    }
    return ended == null ? plan.dueNanos(after, serverTime.now(after)) : after;
  }

  /** Asks the location who it is; returns how long that has to wait. */
  private long ask(long now) {
    long wait = parts.identity().tryAcquire(now);
    if (wait <= 0) {
      failures.sends(now);
      try {
        ownership.ask(now);
        parts.identity().accepted();
      } catch (ApiException e) {
        failures.askFailed(e);
      }
    }
    return wait;
  }

  private long goOn(Fetch fetch, String said, long now) throws InterruptedException {
    Optional<String> objection = ownership.objection(said);
    if (objection.isPresent()) {
      if (ended != null) {
        ended = null;
        plan.restart(fetch);
      }
      parts.identity().doubt();
      failures.suspend(objection.get(), now);
      return 0;
    }
    if (ended != null) {
      completion.complete(fetch, ended.source());
      ended = null;
      return 0;
    }
    long wait = parts.limiters().apply(fetch.request().path()).tryAcquire(now);
    if (wait <= 0) {
      try {
        request(fetch, now);
        failures.recovered();
      } catch (ApiException e) {
        failures.failed(fetch, e);
      } catch (ChangeEmitter.CeilingException e) {
        ceilingReached();
      }
    }
    return wait;
  }

  private void request(Fetch fetch, long now)
      throws ApiException, ChangeEmitter.CeilingException, InterruptedException {
    Request request = fetch.request();
    failures.sends(now);
    fetch.attempt(now, parts.time().milliseconds(), parts.digest().tick());
    plan.reconciliation().ifPresent(reconciliation -> reconciliation.began(fetch.sinceTick()));
    parts.listener().requested(stream());
    completion.begins(fetch);
    Provenance source = completion.provenance(fetch);
    boolean more;
    try (Rows rows =
        parts
            .client()
            .open(parts.resource().name(), request, parts.resource().retrieval().shape(request))) {
      serverTime.sample(rows.date());
      emitter.read(rows, fetch, source, plan.reconciliation(), completion.repeats(fetch));
      more = fetch.advance(rows.end());
    } catch (Fetch.RepeatedPageException e) {
      plan.restart(fetch);
      throw new Malformed(
          Problem.BODY_MALFORMED, stream().toString(), e.getMessage() + "; the fetch starts again");
    }
    if (more) {
      return;
    }
    if (parts.identity().isUnasked() || !completion.missesKeys(fetch)) {
      completion.complete(fetch, source);
    } else {
      // What is missing may be another store's: nothing is deleted before it has said who it is.
      parts.identity().doubt();
      ended = new Ended(fetch, source);
    }
  }

  private void ceilingReached() {
    if (parts.resource().retrieval().filtered()) {
      completion.keepOnlyLastWindow();
      return;
    }
    failures.suspend(
        stream()
            + ": more than "
            + parts.digest().size()
            + " keys, and a resource without a filter cannot be followed without remembering all"
            + " of them; raise digest.max.keys, or digest.buckets for a new stream, or give it a"
            + " filtered retrieval",
        parts.time().nanoseconds());
  }
}
