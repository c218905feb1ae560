package io.posconnect.fetch;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.Credentials;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.ServerClock;
import io.posconnect.client.SharedRateLimits;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;

/** The location of one task: a client and the task's time. */
final class SimulatedLocation implements Location {
  private final ApiClient service;
  private final SimulatedTime time;
  private final RateLimit things;
  private final RateLimit whoami;
  private final ServerClock clock;
  private final RetryPolicy retries = new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5));
  private final SplittableRandom random;
  private final LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);
  private final LocationKey key = new LocationKey();

  SimulatedLocation(ApiClient service, SimulatedTime time) {
    this.service = service;
    this.time = time;
    long start = time.nanoseconds();
    things = limit("/things", Setup.REQUESTS_PER_MINUTE, start);
    whoami = limit("/whoami", Setup.WHOAMI.requestsPerMinute(), start);
    clock = new ServerClock(start);
    random = new SplittableRandom(start);
  }

  private static RateLimit limit(String path, int perMinute, long startNanos) {
    return new SharedRateLimits()
        .limiter(
            new SharedRateLimits.Limit(
                URI.create("https://model.example"),
                new Credentials("key", ""),
                path,
                perMinute,
                1),
            startNanos);
  }

  @Override
  public LimitedClient client(String path) {
    RateLimit limit = path.equals(Setup.WHOAMI.path()) ? whoami : things;
    return new LimitedClient(service, limit, retries, time::nanoseconds);
  }

  @Override
  public ServerClock clock() {
    return clock;
  }

  @Override
  public LocationIdentity identity() {
    return identity;
  }

  @Override
  public LocationKey key() {
    return key;
  }

  @Override
  public Duration backoff(int failures, ApiException latest) {
    return retries.delay(failures, latest.retryAfter(), random);
  }

  @Override
  public boolean renewCredentials(long sentNanos) {
    return false;
  }
}
