package io.posconnect.location;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.Connection;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.ServerClock;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.fetch.Location;
import io.posconnect.fetch.LocationIdentity;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares what the streams of one task have in common at one location: its client, its clock, its
 * limiters and its key, which it reads again when it was rotated.
 */
public final class LocationClient implements Location, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LocationClient.class);

  private final String name;
  private final SourceConfig config;
  private final SourceTaskContext context;
  private final Time time;
  private final HttpApiClient client;
  private final ServerClock clock;
  private final LocationIdentity identity;
  private final LocationLimits limiters;
  private final RetryPolicy retries;
  private final RandomGenerator random = new Random();
  private volatile Credentials credentials;
  private long renewedNanos;
  private boolean unresolved;

  /**
   * A location that has made no request yet.
   *
   * @param rateLimits of limits that others use as well
   * @param beside another one of the same task, whose connections it may use; null for the first
   */
  public LocationClient(
      String name,
      SourceConfig config,
      SourceTaskContext context,
      Time time,
      SharedRateLimits rateLimits,
      @Nullable LocationClient beside) {
    this.name = name;
    this.config = config;
    this.context = context;
    this.time = time;
    this.renewedNanos = time.nanoseconds();
    this.clock = new ServerClock(renewedNanos);
    this.retries = ClientFactory.retries(config);
    this.credentials = ClientFactory.credentials(config.location(name));
    this.limiters =
        new LocationLimits(
            rateLimits,
            config.location(name).baseUrl(),
            config.rateLimitShare(),
            credentials,
            renewedNanos);
    Resource whoami = config.resource(new Stream(name, Catalog.IDENTITY));
    limiters.state(whoami);
    this.identity = new LocationIdentity(whoami, () -> limiters.of(LocationLimits.full(whoami)));
    Connection connection = ClientFactory.connection(config, config.location(name));
    this.client =
        beside == null
            ? new HttpApiClient(connection, () -> credentials)
            : beside.client.beside(connection, () -> credentials);
  }

  @Override
  public ApiClient client() {
    return client;
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

  /** The client for requests to a path, within the limit that all who use it share. */
  public LimitedClient client(String path) {
    return new LimitedClient(client, limiters.of(path), retries, time::nanoseconds);
  }

  /** One of its streams will be read; all are to be named before the first one is. */
  public void reads(Stream stream) {
    limiters.state(config.resource(stream));
  }

  @Override
  public RateLimit limiter(String path) {
    return limiters.of(path);
  }

  @Override
  public synchronized boolean renewCredentials(long sentNanos) {
    if (renewedNanos - sentNanos > 0) {
      return true;
    }
    Optional<Credentials> renewed = configured();
    if (renewed.isEmpty() || renewed.get().equals(credentials)) {
      return false;
    }
    // First of all: nothing is to be read with a key that has not said whose it is.
    identity.invalidate();
    renewedNanos = time.nanoseconds();
    // Before the key is used, so that no request goes past its limit.
    limiters.renew(renewed.get(), renewedNanos);
    credentials = renewed.get();
    log.info("{}: the configuration has a new key", name);
    return true;
  }

  /** What the configuration says now; empty while it cannot be resolved. */
  private Optional<Credentials> configured() {
    try {
      Credentials now =
          ClientFactory.credentials(SourceConfig.again(context.configs()).location(name));
      unresolved = false;
      return Optional.of(now);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      // A provider may throw whatever it likes. A secret may be half-written at this very moment;
      // the message of a provider may show it.
      if (!unresolved) {
        unresolved = true;
        log.warn(
            Problem.KEY_UNRESOLVED.at(
                name, "no new key can be read (" + e.getClass().getName() + ")"));
      }
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    client.close();
    limiters.close();
  }
}
