package io.posconnect.fetch;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.Credentials;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.ServerClock;
import io.posconnect.client.SharedRateLimits;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;

/** The location as one task knows it: whoever answers, and the time of the task. */
final class SimulatedLocation implements Location {
  private final ApiClient service;
  private final RateLimit limiter;
  private final ServerClock clock;
  private final RetryPolicy retries = new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5));
  private final SplittableRandom random;
  private final LocationIdentity identity;

  SimulatedLocation(ApiClient service, long startNanos) {
    this.service = service;
    limiter = limit("/things", Setup.REQUESTS_PER_MINUTE, startNanos);
    clock = new ServerClock(startNanos);
    random = new SplittableRandom(startNanos);
    RateLimit whoami = limit("/whoami", Setup.WHOAMI.requestsPerMinute(), startNanos);
    identity = new LocationIdentity(Setup.WHOAMI, () -> whoami);
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
  public ApiClient client() {
    return service;
  }

  @Override
  public RateLimit limiter(String path) {
    return limiter;
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
  public Duration backoff(int failures, ApiException latest) {
    return retries.delay(failures, latest.retryAfter(), random);
  }

  @Override
  public Duration grantedPause(ApiException response) {
    return retries.pause(response.retryAfter());
  }

  @Override
  public boolean renewCredentials(long sentNanos) {
    return false;
  }
}
