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
import io.posconnect.tool.Tool.UnreadableException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;

/**
 * Reads some rows of a stream with the connector's own client: one request at a time, within the
 * service's limits, and with no more requests than allowed.
 */
final class Sampler {

  private static final int ATTEMPTS = 3;
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final SourceConfig config;
  private final Limits limits;
  private final Screen screen;
  private final ClientFactory clients = ClientFactory.sharing();
  private final RetryPolicy retries;
  private final Random random = new Random();

  /**
   * How much may be read of each stream.
   *
   * @param rows that differ from each other
   * @param share of the service's limit
   */
  record Limits(int rows, int requests, double share) {
    Limits {
      if (rows < 1 || requests < 1 || !(share > 0 && share <= 1)) {
        throw new UnreadableException(
            "Give --rows and --requests above 0, and --share above 0 and up to 1.");
      }
    }
  }

  /**
   * What was read of a stream.
   *
   * @param complete whether the service has no more rows than these
   * @param incident that ended the reading, if one did
   */
  record Sample(Stream stream, int requests, boolean complete, Optional<Incident> incident) {}

  Sampler(SourceConfig config, Limits limits, Screen screen) {
    this.config = config;
    this.limits = limits;
    this.screen = screen;
    this.retries = config.retryPolicy();
  }

  /** Adds each row that the service sends to the profile, until there are enough. */
  Sample sample(Stream stream, ResourceProfile profile) {
    try (ApiClient client = clients.create(config, config.location(stream.location()))) {
      Reading reading = new Reading(stream, client, profile);
      Optional<Incident> incident = Optional.empty();
      SampleSpans spans = SampleSpans.of(config.settings(stream), Instant.now(), limits.rows());
      Optional<Window> window = spans.next();
      while (window.isPresent() && !reading.isEnough() && incident.isEmpty()) {
        int before = reading.rows;
        try {
          reading.read(window.get());
          spans.brought(reading.rows - before);
        } catch (ApiException e) {
          if (!spans.narrow(e)) {
            incident = Optional.of(e.incident());
          }
        }
        window = spans.next();
      }
      boolean complete = incident.isEmpty() && window.isEmpty() && !reading.cutShort;
      return new Sample(stream, reading.requests, complete, incident);
    }
  }

  /** One stream that is being read. */
  private final class Reading {

    private final Stream stream;
    private final Resource resource;
    private final LocationSettings location;
    private final ApiClient client;
    private final ResourceProfile profile;
    private final Set<String> seen = new HashSet<>();
    private int rows;
    private int requests;
    private int fetch;
    private boolean cutShort;
    private long reportedNanos = System.nanoTime();

    Reading(Stream stream, ApiClient client, ResourceProfile profile) {
      this.stream = stream;
      this.resource = config.resource(stream);
      this.location = config.location(stream.location());
      this.client = client;
      this.profile = profile;
    }

    private boolean isEnough() {
      return rows >= limits.rows() || requests >= limits.requests();
    }

    /** Reads one fetch, or as much of it as is allowed. */
    void read(Window window) throws ApiException {
      Optional<Request> next = Optional.of(resource.retrieval().first(resource.path(), window));
      Optional<PageEnd> first = Optional.empty();
      fetch++;
      while (next.isPresent()) {
        Optional<PageEnd> end = isEnough() ? Optional.empty() : page(next.get());
        if (end.isEmpty()) {
          cutShort = true;
          return;
        }
        first = first.or(() -> end);
        next = resource.retrieval().next(next.get(), end.get(), first.get());
      }
    }

    /** Reads one page, which may take some attempts; empty if it was not read to its end. */
    private Optional<PageEnd> page(Request request) throws ApiException {
      for (int attempt = 1; ; attempt++) {
        try (RateLimit limit =
            SharedRateLimits.OF_THIS_PROCESS.temporary(limit(request), System.nanoTime())) {
          return send(request, new LimitedClient(client, limit, retries, System::nanoTime));
        } catch (ApiException.Throttled | ApiException.Unavailable | ApiException.Malformed e) {
          if (attempt == ATTEMPTS || isEnough()) {
            throw e;
          }
          Duration delay = retries.delay(attempt, e.retryAfter(), random);
          screen.error(
              "%s. The request is sent again in %s."
                  .formatted(e.incident().observed(), Text.duration(delay)));
          await(delay.toNanos());
          fetch++;
        }
      }
    }

    private Optional<PageEnd> send(Request request, LimitedClient limited) throws ApiException {
      for (long wait = limited.tryAcquire(); wait > 0; wait = limited.tryAcquire()) {
        await(wait);
      }
      try (Rows body =
          limited.open(
              resource.name(), request, resource.retrieval().shape(request), () -> requests++)) {
        for (Optional<Row> row = body.next(); row.isPresent(); row = body.next()) {
          profile.personal().searched(body.unmetPaths());
          if (rows >= limits.rows()) {
            return Optional.empty();
          }
          boolean different = seen.add(row.get().hash());
          rows += different ? 1 : 0;
          profile.add(stream, row.get(), fetch, different);
          reportProgress();
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
                .formatted(
                    resource.name(), Text.count(rows, "row"), Text.count(requests, "request")));
      }
    }

    private SharedRateLimits.Limit limit(Request request) {
      return new SharedRateLimits.Limit(
          location.baseUrl(),
          location.credentials(),
          request.path(),
          resource.requestsPerMinute(),
          limits.share());
    }
  }

  private static void await(long nanos) {
    Time.SYSTEM.sleep(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
  }
}
