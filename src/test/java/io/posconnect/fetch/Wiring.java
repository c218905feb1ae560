package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.StreamFetcher.Resumed;
import io.posconnect.fetch.StreamFetcher.Surroundings;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Destination;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import io.posconnect.task.OffsetLoader;
import io.posconnect.task.OffsetLoader.ResumedStream;
import io.posconnect.task.OffsetLoader.StreamToResume;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;

/** Makes the parts of the code under test, and joins them. */
final class Wiring {

  private static final int ALL = 1_000_000;

  private Wiring() {}

  /** A stream, where it was resumed, and what it works with. */
  record Wired(
      StreamFetcher fetcher,
      ResumedStream resumed,
      WatchedPlan plan,
      Buffer buffer,
      StreamMetrics metrics) {

    /** Returns all that stands in the buffer. */
    List<SourceRecord> drained() {
      return drained(ALL);
    }

    /** Returns so many of them, or one fewer where two belong together. */
    List<SourceRecord> drained(int most) {
      try {
        return buffer.drain(most, Duration.ZERO);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the test was interrupted", e);
      }
    }
  }

  /** Wires a stream that goes on where the loader finds it. */
  static Wired wire(
      StreamSettings settings,
      StreamToResume beginning,
      OffsetLoader loader,
      Location location,
      Destination destination,
      SimulatedTime time) {
    RowSchema contract = Things.contract(settings.resource());
    ResumedStream resumed = loader.restore(List.of(beginning)).get(Things.STREAM);
    Digest digest = resumed.digest();
    Buffer buffer = new Buffer(ALL, Long.MAX_VALUE / 2, false);
    StreamMetrics metrics = new StreamMetrics(time);
    WatchedPlan plan =
        new WatchedPlan(FetchPlan.of(settings, resumed.offset(), time.nanoseconds()));
    StreamFetcher fetcher =
        new StreamFetcher(
            new Resumed(settings, resumed.offset(), digest, contract),
            new Surroundings(
                new StreamOutput(
                    resumed.offset(), digest, Things.records(contract, destination, time), buffer),
                location,
                metrics,
                time),
            plan);
    return new Wired(fetcher, resumed, plan, buffer, metrics);
  }

  /** A plan that shows its latest fetch. */
  static final class WatchedPlan extends FetchPlan {

    private final FetchPlan plan;
    private Optional<Fetch> latest = Optional.empty();
    private Optional<Fetch> finished = Optional.empty();
    private int completions;

    WatchedPlan(FetchPlan plan) {
      super(plan.resource, plan.position());
      this.plan = plan;
    }

    boolean reads(FetchKind kind) {
      return latest.isPresent() && latest.get().kind() == kind;
    }

    /** Whether the latest completed fetch ended in the past, as far as its stream knows. */
    boolean isBounded() {
      return !finished.orElseThrow().reachesNow();
    }

    /**
     * Whether the latest completed fetch has all that was there at that moment. After a wrong Date
     * far ahead, windows follow that begin in the future.
     */
    boolean reaches(long millis) {
      Window window = finished.orElseThrow().window();
      Instant moment = Instant.ofEpochMilli(millis);
      return window.reaches(moment) && !window.from().isAfter(moment);
    }

    /** Whether the latest fetch was read to its end, and is not completed. */
    boolean isUnfinished() {
      return latest.isPresent() && latest.get().reading().hasEnded() && !latest.equals(finished);
    }

    /** How many fetches were completed. */
    int completions() {
      return completions;
    }

    /** When the latest fetch began. */
    long startedNanos() {
      return latest.orElseThrow().started().nanos();
    }

    @Override
    Optional<Fetch> next(long nowNanos, Instant serverNow) {
      latest = plan.next(nowNanos, serverNow);
      Optional<Fetch> again = plan.next(nowNanos, serverNow);
      if (!step(latest).equals(step(again))) {
        throw new Violation("deciding changes: " + step(latest) + ", then " + step(again));
      }
      return latest;
    }

    /** What the fetch asks for next. */
    private static List<Object> step(Optional<Fetch> fetch) {
      return fetch
          .map(f -> List.<Object>of(f.kind(), f.window(), f.reading().request()))
          .orElse(List.of());
    }

    @Override
    void sent(Fetch fetch) {
      plan.sent(fetch);
    }

    @Override
    long dueNanos(long nowNanos, Instant serverNow) {
      return plan.dueNanos(nowNanos, serverNow);
    }

    @Override
    void completed(Fetch fetch, Instant began, long nowNanos) {
      completions++;
      finished = Optional.of(fetch);
      plan.completed(fetch, began, nowNanos);
    }

    @Override
    void snapshotRead() {
      plan.snapshotRead();
    }

    @Override
    void confirmAt(long nanos) {
      plan.confirmAt(nanos);
    }

    @Override
    void passAccepted(Fetch pass) {
      plan.passAccepted(pass);
    }

    @Override
    boolean shrink(Fetch fetch) {
      return plan.shrink(fetch);
    }

    @Override
    void restart(Fetch fetch) {
      plan.restart(fetch);
    }

    @Override
    StreamOffset position() {
      return plan.position();
    }
  }
}
