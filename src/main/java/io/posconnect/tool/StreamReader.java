package io.posconnect.tool;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.Rows;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.SourceConfig.LocationSettings;
import io.posconnect.json.Row;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Text;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Request;
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
  private final LocationSettings location;
  private final double share;
  private final Screen screen;
  private final ApiClient client;
  private final RetryPolicy retries;
  private final Random random = new Random();
  private LongSupplier leftNanos = () -> Long.MAX_VALUE;
  private int requests;
  private long rows;
  private long reportedNanos = System.nanoTime();

  /** Receives the rows, and decides how long to go on. */
  interface Visitor {

    /** Returns whether another request may be sent. */
    boolean wantsMore();

    /** A response begins; its rows follow. */
    default void opened(Rows response) {}

    /** Takes a row; returns false if that was enough. */
    boolean row(Row row, Rows response);

    /** A response broke off, and is requested once more. */
    default void brokeOff() {}

    /**
     * Another response of the same fetch follows.
     *
     * @throws ApiException when the responses lead nowhere
     */
    default void more(Request next) throws ApiException {}
  }

  /**
   * @param share of the service's limit
   */
  StreamReader(
      SourceConfig config, ClientFactory clients, Stream stream, double share, Screen screen) {
    this.stream = stream;
    this.resource = config.resource(stream);
    this.location = config.location(stream.location());
    this.share = share;
    this.screen = screen;
    this.client = clients.create(config, location);
    this.retries = config.retryPolicy();
  }

  /** Requests sent so far. */
  int requests() {
    return requests;
  }

  /**
   * Ends the reading after that time: what would wait longer is not awaited, and what is under way
   * then ends with a {@link io.posconnect.client.ClientClosedException}.
   */
  void endWithin(Duration time) {
    long endNanos = System.nanoTime() + time.toNanos();
    leftNanos = () -> endNanos - System.nanoTime();
    CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(this::close);
  }

  /** Reads one fetch; returns whether it was read to its end. */
  boolean read(Window window, Visitor visitor) throws ApiException {
    Optional<Request> next = Optional.of(resource.retrieval().first(resource.path(), window));
    Optional<PageEnd> first = Optional.empty();
    while (next.isPresent()) {
      Optional<PageEnd> end =
          visitor.wantsMore() ? page(next.get(), first, visitor) : Optional.empty();
      if (end.isEmpty()) {
        return false;
      }
      first = first.or(() -> end);
      next = resource.retrieval().next(next.get(), end.get(), first.get());
      if (next.isPresent()) {
        visitor.more(next.get());
      }
    }
    return true;
  }

  /** Reads one page, which may take some attempts; empty if it was not read to its end. */
  private Optional<PageEnd> page(Request request, Optional<PageEnd> first, Visitor visitor)
      throws ApiException {
    for (int attempt = 1; ; attempt++) {
      try (RateLimit limit =
          SharedRateLimits.OF_THIS_PROCESS.temporary(limit(request), System.nanoTime())) {
        return send(request, new LimitedClient(client, limit, retries, System::nanoTime), visitor);
      } catch (ApiException.Refused e) {
        if (first.filter(end -> endsBefore(request, e, end)).isEmpty()) {
          throw e;
        }
        return Optional.of(PageEnd.of(0));
      } catch (ApiException.Throttled | ApiException.Unavailable | ApiException.Malformed e) {
        Duration delay = retries.delay(attempt, e.retryAfter(), random);
        if (attempt == ATTEMPTS
            || !visitor.wantsMore()
            || delay.toNanos() > leftNanos.getAsLong()) {
          throw e;
        }
        visitor.brokeOff();
        report(e.incident(), delay);
        await(delay.toNanos());
      }
    }
  }

  private boolean endsBefore(Request request, ApiException.Refused refusal, PageEnd first) {
    return resource.retrieval().endsBefore(request, refusal.status(), first);
  }

  private void report(Incident incident, Duration delay) {
    screen.error(
        "%s. The request is sent again in %s."
            .formatted(incident.observed(), Text.duration(delay)));
  }

  private Optional<PageEnd> send(Request request, LimitedClient limited, Visitor visitor)
      throws ApiException {
    for (long wait = limited.tryAcquire(); wait > 0; wait = limited.tryAcquire()) {
      if (wait > leftNanos.getAsLong()) {
        return Optional.empty();
      }
      await(wait);
    }
    try (Rows body =
        limited.open(
            resource.name(), request, resource.retrieval().shape(request), () -> requests++)) {
      visitor.opened(body);
      for (Optional<Row> row = body.next(); row.isPresent(); row = body.next()) {
        rows++;
        reportProgress();
        if (!visitor.row(row.get(), body)) {
          return Optional.empty();
        }
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

  private SharedRateLimits.Limit limit(Request request) {
    return new SharedRateLimits.Limit(
        location.baseUrl(),
        location.credentials(),
        request.path(),
        resource.requestsPerMinute(),
        share);
  }

  private static void await(long nanos) {
    Time.SYSTEM.sleep(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
  }

  @Override
  public void close() {
    client.close();
  }
}
