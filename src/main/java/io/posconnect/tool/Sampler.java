package io.posconnect.tool;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.Rows;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.SourceConfig.LocationSettings;
import io.posconnect.json.Row;
import io.posconnect.location.ClientFactory;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Reads some rows of a stream with the connector's own client: one at a time, within the service's
 * limits, and with no more requests than allowed.
 */
final class Sampler implements AutoCloseable {

  private static final int ATTEMPTS = 3;

  private final SourceConfig config;
  private final Limits limits;
  private final Progress progress;
  private final ClientFactory clients = ClientFactory.sharing();
  private final SharedRateLimits rateLimits = SharedRateLimits.OF_THIS_PROCESS;
  private final Random random = new Random();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * How much may be read of each stream.
   *
   * @param rows that differ from each other
   * @param share of the service's limit
   */
  record Limits(int rows, int requests, double share) {}

  /**
   * What came of it.
   *
   * @param complete whether the service has no more rows than these
   * @param trouble why no more could be read; empty when nothing stood in the way
   */
  record Sample(
      Stream stream, int rows, int requests, boolean complete, Optional<String> trouble) {}

  Sampler(SourceConfig config, Limits limits, Progress progress) {
    this.config = config;
    this.limits = limits;
    this.progress = progress;
  }

  /** Takes rows as they come. */
  @FunctionalInterface
  interface Consumer {
    /**
     * Takes one.
     *
     * @param fetch number of the read that brought it: within one, no row comes twice
     * @param different whether no row before was the same in every byte
     */
    void accept(Row row, int fetch, boolean different);
  }

  /** Hands over each row that the service sends, until there are enough. */
  Sample sample(Stream stream, Consumer consumer) {
    LocationSettings location = config.location(stream.location());
    Resource resource = config.resource(stream);
    try (ApiClient client = clients.create(config, location)) {
      Reading reading = new Reading(resource, location, client, consumer);
      Optional<String> trouble = Optional.empty();
      SampleSpans spans = SampleSpans.of(config.settings(stream), Instant.now(), limits.rows());
      Optional<Window> window = spans.next();
      while (window.isPresent() && !reading.enough() && trouble.isEmpty()) {
        int before = reading.rows;
        try {
          reading.read(window.get());
          spans.brought(reading.rows - before);
        } catch (ApiException e) {
          if (!spans.narrow(e)) {
            trouble = Optional.of(String.valueOf(e.getMessage()));
          }
        }
        window = spans.next();
      }
      boolean complete = trouble.isEmpty() && window.isEmpty() && !reading.cutShort;
      return new Sample(stream, reading.rows, reading.requests, complete, trouble);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while reading " + stream, e);
    }
  }

  /** One stream that is being read. */
  private final class Reading {

    private final Resource resource;
    private final LocationSettings location;
    private final ApiClient client;
    private final Consumer consumer;
    private final Set<String> seen = new HashSet<>();
    private int rows;
    private int requests;
    private int fetch;
    private boolean cutShort;

    Reading(Resource resource, LocationSettings location, ApiClient client, Consumer consumer) {
      this.resource = resource;
      this.location = location;
      this.client = client;
      this.consumer = consumer;
    }

    private boolean enough() {
      return rows >= limits.rows() || requests >= limits.requests();
    }

    /** One fetch, or as much of it as is allowed. */
    void read(Window window) throws ApiException, InterruptedException {
      Optional<Request> next = Optional.of(resource.retrieval().first(resource.path(), window));
      PageEnd first = PageEnd.of(0);
      boolean begun = false;
      fetch++;
      while (next.isPresent()) {
        if (enough()) {
          cutShort = true;
          return;
        }
        Optional<PageEnd> end = patiently(next.get());
        if (end.isEmpty()) {
          cutShort = true;
          return;
        }
        first = begun ? first : end.get();
        begun = true;
        next = resource.retrieval().next(next.get(), end.get(), first);
      }
    }

    /** How the response ended; empty when enough rows had come before that. */
    private Optional<PageEnd> patiently(Request request) throws ApiException, InterruptedException {
      RetryPolicy retries = new RetryPolicy(config.retryBackoff(), config.retryBackoffMax());
      for (int attempt = 1; ; ) {
        try (RateLimit limiter = rateLimits.temporary(limit(request), System.nanoTime())) {
          awaitSlot(limiter);
          requests++;
          return send(request, limiter);
        } catch (ApiException.Throttled | ApiException.Unavailable | ApiException.Malformed e) {
          if (attempt++ >= ATTEMPTS || enough()) {
            throw e;
          }
          Duration delay = retries.delay(attempt, e.retryAfter(), random);
          progress.note(e.incident().observed() + "; again in " + delay.toSeconds() + " s");
          await(delay.toNanos());
          fetch++;
        }
      }
    }

    private Optional<PageEnd> send(Request request, RateLimit limiter) throws ApiException {
      try (Rows body =
          client.open(
              resource.name(),
              request,
              resource.retrieval().shape(request),
              () -> redirected(limiter))) {
        Optional<Row> row = body.next();
        while (row.isPresent()) {
          if (rows >= limits.rows()) {
            return Optional.empty();
          }
          boolean different = seen.add(row.get().hash());
          rows += different ? 1 : 0;
          consumer.accept(row.get(), fetch, different);
          progress.at(rows, requests);
          row = body.next();
        }
        return Optional.of(body.end());
      }
    }

    private void redirected(RateLimit limiter) {
      requests++;
      limiter.charge(System.nanoTime());
    }

    private SharedRateLimits.Limit limit(Request request) {
      return new SharedRateLimits.Limit(
          location.baseUrl(),
          ClientFactory.credentials(location),
          request.path(),
          resource.requestsPerMinute(),
          limits.share());
    }
  }

  private void awaitSlot(RateLimit limiter) throws InterruptedException {
    for (long wait = limiter.tryAcquire(System.nanoTime());
        wait > 0;
        wait = limiter.tryAcquire(System.nanoTime())) {
      await(wait);
    }
  }

  private void await(long nanos) throws InterruptedException {
    if (closed.await(nanos, TimeUnit.NANOSECONDS)) {
      throw new InterruptedException("closed");
    }
  }

  /** Whoever waits for a slot does so no longer. */
  @Override
  public void close() {
    closed.countDown();
  }
}
