package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.Rows;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.fetch.ServerTime.Skew;
import io.posconnect.fetch.StoreComparison.Result;
import io.posconnect.json.BodyNotes;
import io.posconnect.json.Row;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;

/**
 * Fetches one stream, a step at a time: {@link StreamCycle} decides the step, this shell performs
 * it, and {@link StreamReporter} reports what came of it. It holds the only input and output of a
 * stream, and the only catch. For one thread at a time; {@link #suspension} may be asked by any.
 */
public final class StreamFetcher {

  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(20);

  // Rows between two reports of how far a snapshot is.
  private static final int ROWS_A_REPORT = 100;

  /**
   * A stream as it resumes.
   *
   * @param position where it left off
   * @param digest what was emitted until then
   */
  public record Resumed(
      StreamSettings settings, StreamOffset position, Digest digest, RowSchema contract) {}

  /**
   * What a stream shares with others, or reports to.
   *
   * @param metrics of the stream alone
   */
  public record Surroundings(
      StreamOutput output, Location location, StreamMetrics metrics, Time time) {}

  private final StreamSettings settings;
  private final Location location;
  private final StreamCycle cycle;
  private final Retries retries;
  private final StoreGuard guard;
  private final StoreComparison comparison;
  private final Pass pass;
  private final StreamOutput output;
  private final ChangeEmitter emitter;
  private final StreamReporter reporter;
  private final ServerTime clock;

  // Lists, increments and the location's name may each come from a machine of its own.
  private final OldAnswers oldLists = new OldAnswers();
  private final OldAnswers oldIncrements = new OldAnswers();
  private final OldAnswers oldIdentities = new OldAnswers();

  /** Makes no request before {@link #step}. */
  public StreamFetcher(Resumed stream, Surroundings around) {
    this(
        stream,
        around,
        FetchPlan.of(stream.settings(), stream.position(), around.time().nanoseconds()));
  }

  StreamFetcher(Resumed stream, Surroundings around, FetchPlan plan) {
    settings = stream.settings();
    location = around.location();
    output = around.output();
    pass = new Pass(settings, stream.digest());
    pass.resume(stream.position());
    clock = new ServerTime(location.clock(), around.time());
    emitter = new ChangeEmitter(settings, stream.contract(), stream.digest(), pass, output);
    reporter = new StreamReporter(settings, output, around.metrics(), around.time());
    comparison =
        new StoreComparison(settings, location.identity(), stream.contract(), stream.digest());
    guard =
        new StoreGuard(
            settings,
            location.identity(),
            stream.digest(),
            comparison,
            stream.position().context().identity());
    retries = new Retries(settings, plan, location, around.time().nanoseconds());
    cycle = new StreamCycle(settings, plan, pass, guard, comparison, retries);
  }

  /** Suspends the stream before it begins: only another configuration helps. */
  public void refuse(Incident incident) {
    retries.suspendForGood(incident, clock.now()).to(reporter);
  }

  /** Reports, before the stream begins, that rows in the topic keep their former contract. */
  public void contractChanged(Incident incident) {
    reporter.contractChanged(incident);
  }

  public Stream stream() {
    return settings.stream();
  }

  /**
   * Why and since when the stream is suspended; empty while it is read. A refused key is one reason
   * for all streams of its location. By any thread.
   */
  public Optional<Suspension> suspension() {
    return retries
        .suspension()
        .map(own -> own.because(location.key().refusal().orElse(own.incident())));
  }

  /** Monotonic time at which the next step is due. By any thread. */
  long dueNanos() {
    return retries.notBeforeNanos();
  }

  /**
   * Returns whether a step is due then, or before its time, since another stream of the location
   * has found its key refused, or good. By any thread.
   */
  boolean isDue(long nowNanos) {
    return dueNanos() - nowNanos <= 0 || retries.mustFollowKey();
  }

  /** Returns whether the configuration has another key than the one in use, and it is tried. */
  boolean hasNewKey() {
    return hasNewKey(clock.now().nanos());
  }

  private boolean hasNewKey(long sentNanos) {
    return location.renewCredentials(sentNanos) && retries.mayRotate();
  }

  /**
   * Performs the next step, which makes at most one request, and finishes a fetch that was read to
   * its end.
   *
   * @throws org.apache.kafka.connect.errors.ConnectException when the task must fail
   */
  void step() throws InterruptedException {
    do {
      Step step = cycle.next(clock.now());
      Outcome outcome = perform(step);
      cycle.apply(outcome, clock.now()).forEach(report -> report.to(reporter));
    } while (cycle.mayFinish());
  }

  private Outcome perform(Step step) throws InterruptedException {
    long sentNanos = clock.now().nanos();
    try {
      return step.perform(this);
    } catch (ApiException e) {
      reporter.requestFailed(e);
      return Suspension.isAboutKey(e.incident()) && hasNewKey(sentNanos)
          ? (cycle, now) -> retries.rotated()
          : step.failed(e);
    }
  }

  Outcome identify() throws ApiException {
    LocationIdentity identity = location.identity();
    Moment now = clock.now();
    if (!identity.begin(now.nanos())) {
      return Outcome.delayed(now.nanos() + SOON);
    }
    try {
      Reading reading = identity.reading();
      LimitedClient client = location.client(reading);
      long wait = acquire(client);
      if (wait > 0) {
        return Outcome.delayed(now.nanos() + identity.delayed(now.nanos(), wait));
      }
      int version = identity.version();
      try (Rows rows = client.open(reading, reporter::requested)) {
        // With a second Date before the first row, one that is wrong cannot push a watermark ahead.
        if (!noteDate(rows.date(), now, oldIdentities)) {
          clock.sample(rows.date());
        }
        identity.answered(identified(rows, reading), clock.now().nanos(), version);
      }
      location.key().accepted(now.nanos());
      return (cycle, at) -> retries.identified(at);
    } finally {
      identity.end(clock.now().nanos());
    }
  }

  private Row identified(Rows rows, Reading reading) throws ApiException {
    Optional<Row> row = rows.next();
    if (row.isEmpty() || row.get().fault().isPresent()) {
      throw malformed(Problem.BODY_MALFORMED, reading, "the answer names no store");
    }
    return row.get();
  }

  Outcome compare(Fetch fetch, Reading sample) throws ApiException {
    LimitedClient client = location.client(sample);
    long now = clock.now().nanos();
    long wait = acquire(client);
    if (wait > 0) {
      return Outcome.delayed(now + wait);
    }
    comparison.requestBegins(sample, now);
    // Should it be another store's, the record of the suspension stores what was known before.
    output.identify(guard.known(now));
    try (Rows rows = client.open(sample, reporter::requested)) {
      Result shown = comparison.compare(sample, rows);
      return (cycle, at) -> cycle.compared(fetch, shown, at);
    } catch (Refused e) {
      if (sample.mayEndBefore(e.status())) {
        return (cycle, at) -> cycle.compared(fetch, comparison.ended(), at);
      }
      throw e;
    }
  }

  /** Takes a slot of the limit; returns how long to wait when none is free. */
  private long acquire(LimitedClient client) {
    long wait = client.tryAcquire();
    reporter.limited(wait);
    return wait;
  }

  Outcome read(Fetch fetch) throws ApiException, InterruptedException {
    LimitedClient client = location.client(fetch.reading());
    Moment now = clock.now();
    long wait = acquire(client);
    if (wait > 0) {
      return Outcome.delayed(now.nanos() + wait);
    }
    output.identify(guard.known(now.nanos()));
    guard.reads(fetch);
    pass.responseBegins(fetch, now);
    // Connect makes the status topic while the service prepares its answer.
    reporter.begins(fetch);
    try (Rows rows = client.open(fetch.reading(), reporter::requested)) {
      refuseOldAnswer(fetch, rows.date(), now);
      Optional<Skew> skew = clock.sample(rows.date());
      fetch.arrives(clock.now().nanos());
      fetch.answered(clock.present(fetch), rows.date().orElse(clock.now().wall()));
      reporter.answered(Duration.ofNanos(clock.now().nanos() - now.nanos()), skew);
      reporter.progressed(fetch);
      return emit(rows, fetch);
    }
  }

  /**
   * What is older than a lookback would revert changes, and no later increment would repeat them.
   */
  private void refuseOldAnswer(Fetch fetch, Optional<Instant> date, Moment sent) throws Malformed {
    OldAnswers oldAnswers = fetch.isPass() ? oldLists : oldIncrements;
    if (noteDate(date, sent, oldAnswers)) {
      String detail = "the answer is of " + date.orElseThrow();
      throw malformed(Problem.STALE_RESPONSE, fetch.reading(), detail);
    }
  }

  /** Returns whether the answer is old; its date must not count as the service's time then. */
  private boolean noteDate(Optional<Instant> date, Moment sent, OldAnswers answers) {
    Duration lookback = settings.resource().lookback();
    Duration oldest = lookback.compareTo(ServerTime.DISTRUST) > 0 ? lookback : ServerTime.DISTRUST;
    boolean knowsTime = !sent.latestServer().equals(Instant.MAX);
    return knowsTime
        && date.isPresent()
        && answers.note(date.get(), sent.server().minus(oldest), clock.now().nanos());
  }

  private Malformed malformed(Problem problem, Reading reading, String detail) {
    return new Malformed(problem, stream() + ": GET " + reading.request().path(), detail);
  }

  private Outcome emit(Rows rows, Fetch fetch) throws ApiException, InterruptedException {
    boolean whole = false;
    int count = 0;
    try {
      boolean more = true;
      while (more) {
        boolean passed = rows.skip(emitter.known(fetch));
        Optional<Row> row = passed ? Optional.empty() : rows.next();
        more = passed || row.isPresent();
        count += more ? 1 : 0;
        if (row.isPresent() && !emitter.accept(row.get(), fetch)) {
          return (cycle, at) -> cycle.overflowed(fetch, at);
        }
        if (more && count % ROWS_A_REPORT == 0) {
          fetch.arrives(clock.now().nanos());
          reporter.progressed(fetch);
        }
      }
      if (!emitter.acceptWaiting(fetch)) {
        return (cycle, at) -> cycle.overflowed(fetch, at);
      }
      int heldBack = pass.damage().responseEnds();
      if (heldBack > 0) {
        String detail =
            Text.count(heldBack, "row") + " may have been damaged; another read must confirm it";
        throw malformed(Problem.BODY_MALFORMED, fetch.reading(), detail);
      }
      whole = true;
      PageEnd end = rows.end();
      return (cycle, at) -> cycle.received(fetch, end, at);
    } finally {
      BodyNotes notes = rows.notes();
      if (count > 0) {
        pass.searched(fetch, notes.unmetPaths());
        reporter.fieldsUnlisted(notes.unlistedFields());
      }
      emitter.end(fetch, whole);
      reporter.read(fetch, pass.keys(), notes.bytes(), whole ? notes.replaced() : 0);
    }
  }

  Outcome finish(Fetch fetch, PassEnd end) throws InterruptedException {
    emitter.emit(end, fetch);
    reporter.read(fetch, pass.keys(), 0, 0);
    Instant began = clock.start(fetch);
    return (to, now) -> to.finished(fetch, end, began, now);
  }
}
