package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.client.Rows;
import io.posconnect.record.Provenance;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream's cycle, one request a step: window, request, classify, records, receipt.
 *
 * <p>For one thread at a time; {@link #quarantined()} may be asked by any.
 */
public final class StreamFetcher {

  private static final Logger log = LoggerFactory.getLogger(StreamFetcher.class);

  private final StreamParts parts;
  private final Agenda agenda;
  private final Emitter emitter;
  private final Completion completion;
  private final ServerTime serverTime;
  private final Ownership ownership;
  private final Quarantine quarantine;
  private int failures;
  private long notBeforeNanos;
  private long sentNanos;
  private boolean credentialsRenewed;
  private boolean restarted;
  private @Nullable Ended ended;

  /** A fetch that was read to its end, and waits for its location to say who it is. */
  private record Ended(Fetch fetch, Provenance source) {}

  public StreamFetcher(StreamParts parts) {
    this(parts, agenda(parts, Completion.resumed(parts), parts.time().nanoseconds()));
  }

  StreamFetcher(StreamParts parts, Agenda agenda) {
    this.parts = parts;
    this.agenda = agenda;
    emitter = new Emitter(parts);
    serverTime = new ServerTime(parts);
    ownership = new Ownership(parts);
    completion = new Completion(parts, agenda, emitter, serverTime, ownership);
    quarantine = new Quarantine(parts.settings().quarantineMax());
    notBeforeNanos = parts.time().nanoseconds();
  }

  /** What such a stream reads, and when. */
  static Agenda agenda(StreamParts parts, Progress progress, long nowNanos) {
    if (!parts.resource().retrieval().filtered()) {
      return new FullAgenda(parts.resource(), progress, nowNanos);
    }
    if (parts.resource().retrieval() instanceof DateRange) {
      return new SliceAgenda(parts.resource(), parts.settings(), progress, nowNanos);
    }
    return new IncrementAgenda(
        parts.resource(), parts.settings().sweepInterval(), progress, nowNanos);
  }

  public Stream stream() {
    return parts.stream();
  }

  /**
   * Why and since when the stream is set aside; empty while it is read. A refused key counts for
   * all streams of its location, also for those that are not due for a while.
   */
  public Optional<Quarantine.Case> quarantined() {
    return quarantine.current().or(parts.identity()::refusal);
  }

  /** Whether its last request failed, though likely to pass by itself. */
  boolean failing() {
    return failures > 0;
  }

  /**
   * Makes at most one request.
   *
   * @return monotonic time at which the next step is due
   * @throws StoppedException when the task is stopping
   * @throws FatalException when the task must fail
   */
  public long step() throws InterruptedException {
    completion.forgetAcknowledged();
    long now = parts.time().nanoseconds();
    if (notBeforeNanos - now > 0) {
      return notBeforeNanos;
    }
    Instant serverNow = serverTime.now(now);
    Optional<Fetch> due = ended == null ? agenda.next(now, serverNow) : Optional.of(ended.fetch());
    if (due.isEmpty()) {
      return agenda.dueNanos(now, serverNow);
    }
    Optional<String> said = parts.identity().said(now);
    long wait = said.isEmpty() ? ask(now) : goOn(due.get(), said.get(), now);
    if (wait > 0) {
      return now + wait;
    }
    long after = parts.time().nanoseconds();
    if (notBeforeNanos - after > 0) {
      return notBeforeNanos;
    }
    return ended == null ? agenda.dueNanos(after, serverTime.now(after)) : after;
  }

  /** Asks the location who it is; returns how long that has to wait. */
  private long ask(long now) {
    long wait = parts.identity().tryAcquire(now);
    if (wait <= 0) {
      sentNanos = now;
      try {
        ownership.ask(now);
        parts.identity().accepted();
      } catch (ApiException e) {
        askFailed(e);
      }
    }
    return wait;
  }

  private long goOn(Fetch fetch, String said, long now) throws InterruptedException {
    Optional<String> objection = ownership.objection(said);
    if (objection.isPresent()) {
      if (ended != null) {
        ended = null;
        agenda.restart(fetch);
      }
      parts.identity().doubt();
      setAside(objection.get(), now);
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
        recovered();
      } catch (ApiException e) {
        failed(fetch, e);
      } catch (Emitter.CeilingException e) {
        ceilingReached();
      }
    }
    return wait;
  }

  private void request(Fetch fetch, long now)
      throws ApiException, Emitter.CeilingException, InterruptedException {
    Request request = fetch.request();
    sentNanos = now;
    fetch.attempt(now, parts.time().milliseconds(), parts.digest().tick());
    agenda.sweep().ifPresent(sweep -> sweep.began(fetch.sinceTick()));
    parts.listener().requested(stream());
    completion.begins(fetch);
    Provenance source = completion.provenance(fetch);
    boolean more;
    try (Rows rows =
        parts
            .client()
            .open(parts.resource().name(), request, parts.resource().retrieval().shape(request))) {
      serverTime.sample(rows.date());
      emitter.read(rows, fetch, source, agenda.sweep(), completion.repeats(fetch));
      more = fetch.advance(rows.end());
    } catch (Fetch.RepeatedPageException e) {
      agenda.restart(fetch);
      throw new Malformed(stream() + ": " + e.getMessage() + "; the fetch starts again", false, e);
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

  private void recovered() {
    failures = 0;
    credentialsRenewed = false;
    restarted = false;
    parts.identity().accepted();
    if (quarantine.lift()) {
      log.info("{}: the service answers again; the stream goes on where it was", stream());
      parts.listener().recovered(stream());
    }
  }

  private void failed(Fetch fetch, ApiException e) {
    long now = parts.time().nanoseconds();
    fetch.counts().retries++;
    parts.listener().retried(stream());
    if (isTooMuch(e) && agenda.shrink(fetch, serverTime.latest(now))) {
      log.warn("{}; asking for a shorter window", e.getMessage());
      return;
    }
    if (e instanceof Refused refused) {
      refused(fetch, refused, now);
      return;
    }
    if (e instanceof Throttled) {
      parts.limiters().apply(fetch.request().path()).throttled(now);
    }
    later(e, now);
  }

  private void askFailed(ApiException e) {
    long now = parts.time().nanoseconds();
    parts.listener().retried(stream());
    if (e instanceof Refused refused) {
      if (!renewed(refused)) {
        setAside(refused, now);
      }
      return;
    }
    if (e instanceof Throttled) {
      parts.identity().throttled(now);
    }
    later(e, now);
  }

  private void later(ApiException e, long now) {
    Optional<Duration> asked =
        e instanceof Throttled throttled ? throttled.retryAfter() : Optional.empty();
    Duration delay = parts.retries().delay(++failures, asked, parts.random());
    notBeforeNanos = now + delay.toNanos();
    log.warn("{}; attempt {} follows in {} ms", e.getMessage(), failures + 1, delay.toMillis());
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
      agenda.restart(fetch);
      log.warn("{}; the fetch starts again", e.getMessage());
      return;
    }
    setAside(e, now);
  }

  /** Whether the key was refused, and there is another one by now. */
  private boolean renewed(Refused e) {
    if (e.status() != 401 || credentialsRenewed || !parts.newCredentials().test(sentNanos)) {
      return false;
    }
    credentialsRenewed = true;
    log.info("{}: the key was refused; the configuration has another one now", stream());
    return true;
  }

  private void setAside(Refused e, long now) {
    String reason = String.valueOf(e.getMessage());
    if (e.status() == 401) {
      parts.identity().refused(reason, now);
    }
    setAside(reason, now);
  }

  private void setAside(String reason, long now) {
    Duration pause = quarantine.refused(reason, now);
    notBeforeNanos = now + pause.toNanos();
    log.error("{}; the stream is set aside and probed again in {} s", reason, pause.toSeconds());
    parts.listener().quarantined(stream(), reason);
  }

  private void ceilingReached() {
    if (parts.resource().retrieval().filtered()) {
      completion.keepOnlyLastWindow();
      return;
    }
    setAside(
        stream()
            + ": more than "
            + parts.digest().size()
            + " keys, and a resource without a filter cannot be followed without remembering all"
            + " of them; raise digest.max.keys, or digest.buckets for a new stream, or give it a"
            + " filtered retrieval",
        parts.time().nanoseconds());
  }
}
