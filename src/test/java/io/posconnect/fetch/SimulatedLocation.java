package io.posconnect.fetch;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.Credentials;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.ServerClock;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.location.LocationLimits;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval.Full;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/** The location of one task: a client and the task's time. */
final class SimulatedLocation implements Location {
  private final ApiClient service;
  private final SimulatedTime time;
  private final int requestsPerMinute;
  private final LocationLimits limits;
  private final Map<String, Resource> paths = new HashMap<>();
  private final ServerClock clock;
  private final RetryPolicy retries;
  private final SplittableRandom random;
  private final LocationIdentity identity;
  private final LocationKey key = new LocationKey();
  private final IntSupplier configuredKey;
  private int keyInUse;
  private long renewedNanos;

  /**
   * @param requestsPerMinute the limit of each path but {@code /whoami}
   * @param shared with other locations of the process
   * @param configuredKey what the configuration resolves the key to now
   */
  SimulatedLocation(
      ApiClient service,
      SimulatedTime time,
      int requestsPerMinute,
      RetryPolicy retries,
      LocationIdentity identity,
      SharedRateLimits shared,
      IntSupplier configuredKey) {
    this.configuredKey = configuredKey;
    keyInUse = configuredKey.getAsInt();
    this.identity = identity;
    this.service = service;
    this.time = time;
    this.requestsPerMinute = requestsPerMinute;
    this.retries = retries;
    renewedNanos = time.nanoseconds();
    clock = new ServerClock(renewedNanos);
    random = new SplittableRandom(renewedNanos);
    limits =
        new LocationLimits(
            shared,
            URI.create("https://model.example"),
            1,
            paths.values(),
            credentials(keyInUse),
            renewedNanos);
  }

  private static Credentials credentials(int key) {
    return new Credentials("key" + key, "");
  }

  @Override
  public LimitedClient client(Reading reading) {
    String resource = reading.resource().name();
    String path = reading.request().path();
    boolean identifies = path.equals(Setup.WHOAMI.path());
    paths.computeIfAbsent(
        path,
        any ->
            new Resource(
                resource,
                path,
                new Full(false),
                List.of("id"),
                false,
                Set.of(),
                identifies ? Setup.WHOAMI.requestsPerMinute() : requestsPerMinute,
                Duration.ZERO,
                Duration.ZERO,
                List.of()));
    return new LimitedClient(service, limits.of(resource, path), retries, time::nanoseconds);
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
    if (renewedNanos - sentNanos > 0) {
      return true;
    }
    int configured = configuredKey.getAsInt();
    if (configured == keyInUse) {
      return false;
    }
    identity.replaceKey(
        () -> {
          limits.renew(credentials(configured), time.nanoseconds());
          keyInUse = configured;
          renewedNanos = time.nanoseconds();
        });
    return true;
  }

  /** The key that requests carry now. */
  int keyInUse() {
    return keyInUse;
  }
}
