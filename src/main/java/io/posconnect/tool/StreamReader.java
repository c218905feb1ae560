package io.posconnect.tool;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.ClientClosedException;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.Rows;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.client.SharedRateLimits.Limit;
import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.location.ClientFactory;
import io.posconnect.location.LocationLimits;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Time;

/**
 * Reads a stream with the connector's own client: one request at a time, within the service's
 * limits, each at most {@value #ATTEMPTS} times.
 */
final class StreamReader implements AutoCloseable {

  private static final int ATTEMPTS = 3;
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Stream stream;
  private final Resource resource;
  private final SourceConfig config;
  private final Screen screen;
  private final ApiClient client;
  private final RetryPolicy retries;
  private final Random random = new Random();
  private Duration longest = Duration.ZERO;
  private LongSupplier leftNanos = () -> Long.MAX_VALUE;

  private int mostRequests = Integer.MAX_VALUE;

  /** Requests sent so far. */
  private int requests;

  /** Number of the fetch that is read; one that is repeated has another number. */
  int fetch;

  private boolean isEnough;

  /** Whether the response to the latest request has begun. */
  private boolean opened;

  private long rows;
  private long reportedNanos = System.nanoTime();

  /** Receives the rows, and decides how long to go on. */
  interface Visitor {

    /** A fetch of this span begins. */
    default void begins(Window span) {}

    /** A response begins; its rows follow. */
    default void opened(Rows response) {}

    /** Takes a row; returns whether it wants another. */
    boolean row(Row row, Rows response);

    /** The response that {@link #opened began} last broke off, and is requested once more. */
    default void brokeOff() {}

    /** Returns whether the response that ended had a key that none before it had. */
    default boolean isNew() {
      return true;
    }
  }

  /**
   * @param resource that the stream is read as
   */
  StreamReader(
      SourceConfig config, ClientFactory clients, Resource resource, Stream stream, Screen screen) {
    this.stream = stream;
    this.resource = resource;
    this.config = config;
    this.screen = screen;
    this.client = clients.create(config, stream.location());
    this.retries = config.retryPolicy();
  }

  /** Ends the reading after so many requests, or that time: no wait goes beyond it. */
  void limit(int most, Duration time) {
    mostRequests = most;
    longest = time;
    long endNanos = System.nanoTime() + time.toNanos();
    leftNanos = () -> endNanos - System.nanoTime();
    CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(this::close);
  }

  /**
   * How the reading of some spans ended.
   *
   * @param complete whether each was read to its end, so that the service has no more rows
   * @param incident that ended the reading, if one did
   */
  record Ending(Stream stream, int requests, boolean complete, Optional<Incident> incident) {}

  /** Reads one span after the other, as long as the visitor wants more. */
  Ending read(SampleSpans spans, Visitor visitor) {
    boolean complete = true;
    Optional<Window> span = spans.next();
    while (span.isPresent() && wantsMore()) {
      long before = rows;
      fetch++;
      try {
        visitor.begins(span.get());
        complete &= read(span.get(), visitor);
        spans.brought(rows - before);
      } catch (ApiException e) {
        if (!spans.narrow(e)) {
          return ended(false, Optional.of(e.incident()));
        }
      } catch (ClientClosedException e) {
        String detail = "not read within the %s of --seconds".formatted(Text.duration(longest));
        return ended(false, Optional.of(Problem.TOO_SLOW.incident(stream.id(), detail)));
      }
      span = spans.next();
    }
    return ended(complete && span.isEmpty(), Optional.empty());
  }

  private Ending ended(boolean complete, Optional<Incident> incident) {
    return new Ending(stream, requests, complete, incident);
  }

  private boolean wantsMore() {
    return !isEnough && requests < mostRequests;
  }

  /** Reads one fetch; returns whether it was read to its end. */
  private boolean read(Window window, Visitor visitor) throws ApiException {
    Reading reading = new Reading(resource, window);
    while (wantsMore()) {
      Optional<PageEnd> end = page(reading, visitor);
      Optional<String> stray = end.flatMap(each -> reading.follow(each, visitor.isNew()));
      if (stray.isPresent()) {
        throw new ApiException.Malformed(Problem.PAGES_LEAD_NOWHERE, stream.id(), stray.get());
      }
      if (reading.hasEnded() || end.isEmpty()) {
        return reading.hasEnded();
      }
    }
    return false;
  }

  /**
   * Reads one page, which may take some attempts; empty if it was not read to its end, or the list
   * has ended before it.
   */
  private Optional<PageEnd> page(Reading reading, Visitor visitor) throws ApiException {
    for (int attempt = 1; ; attempt++) {
      Limit shared = LocationLimits.limit(config, stream, reading.request().path());
      try (RateLimit limit =
          SharedRateLimits.OF_THIS_PROCESS.temporary(shared, System.nanoTime())) {
        return send(reading, new LimitedClient(client, limit, retries, System::nanoTime), visitor);
      } catch (ApiException.Refused e) {
        if (!reading.mayEndBefore(e.status())) {
          throw e;
        }
        reading.refused();
        if (reading.hasEnded()) {
          return Optional.empty();
        }
      } catch (ApiException.Throttled | ApiException.Unavailable | ApiException.Malformed e) {
        Duration delay = retries.delay(attempt, e.retryAfter(), random);
        if (attempt == ATTEMPTS || !wantsMore() || delay.toNanos() > leftNanos.getAsLong()) {
          throw e;
        }
        if (opened) {
          visitor.brokeOff();
        }
        fetch++;
        screen.error(
            "%s. The request is sent again in %s."
                .formatted(e.incident().observed(), Text.duration(delay)));
        await(delay.toNanos());
      }
    }
  }

  private Optional<PageEnd> send(Reading reading, LimitedClient limited, Visitor visitor)
      throws ApiException {
    for (long wait = limited.tryAcquire(); wait > 0; wait = limited.tryAcquire()) {
      if (wait > leftNanos.getAsLong()) {
        if (rows == 0) {
          throw new ClientClosedException(resource.name()); // as when the time ends amid a request
        }
        return Optional.empty();
      }
      await(wait);
    }
    opened = false;
    try (Rows body = limited.open(reading, () -> requests++)) {
      opened = true;
      visitor.opened(body);
      for (Optional<Row> row = body.next(); row.isPresent(); row = body.next()) {
        if (isEnough) {
          return Optional.empty();
        }
        rows++;
        reportProgress();
        isEnough = !visitor.row(row.get(), body);
      }
      return Optional.of(body.end());
    }
  }

  private void reportProgress() {
    long now = System.nanoTime();
    if (now - reportedNanos >= PROGRESS_NANOS) {
      reportedNanos = now;
      screen.error(
          "%s: %s in %s so far"
              .formatted(stream, Text.count(rows, "row"), Text.count(requests, "request")));
    }
  }

  private static void await(long nanos) {
    Time.SYSTEM.sleep(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
  }

  @Override
  public void close() {
    client.close();
  }
}
