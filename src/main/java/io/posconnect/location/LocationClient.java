package io.posconnect.location;

import static java.util.Objects.requireNonNull;

import io.posconnect.client.ApiException;
import io.posconnect.client.Connection;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.ServerClock;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.client.Transports;
import io.posconnect.config.SourceConfig;
import io.posconnect.fetch.Location;
import io.posconnect.fetch.LocationIdentity;
import io.posconnect.fetch.LocationKey;
import io.posconnect.problem.Incident;
import io.posconnect.problem.IncidentException;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares what the streams of one task have in common at one location: its client, its clock, its
 * limits and its key, which it reads again when the service refuses it.
 */
public final class LocationClient implements Location, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LocationClient.class);

  private final String name;
  private final Task task;
  private final Time time;
  private final HttpApiClient client;
  private final ServerClock clock;
  private final LocationIdentity identity;
  private final LocationKey key = new LocationKey();
  private final LocationLimits limits;
  private final RetryPolicy retries;
  private final RandomGenerator random = new Random();
  private volatile Credentials credentials;
  private volatile long renewedNanos;

  // Why the key of the configuration is not used, as logged.
  private final AtomicReference<@Nullable Problem> unusable = new AtomicReference<>();

  /**
   * What the locations of one task have in common.
   *
   * @param resolved the configuration as it is by now
   * @param rateLimits of this process
   */
  public record Task(
      SourceConfig config,
      ResolvedConfig resolved,
      Time time,
      SharedRateLimits rateLimits,
      Transports transports) {}

  public LocationClient(String name, Task task) {
    this.name = name;
    this.task = task;
    this.time = task.time();
    this.renewedNanos = time.nanoseconds();
    this.clock = new ServerClock(renewedNanos);
    SourceConfig config = task.config();
    this.retries = config.retryPolicy();
    Connection connection = config.connection(name);
    Optional<Incident> fault = config.faultOfKey(name);
    fault.ifPresent(this::logUnused);
    this.credentials = fault.isPresent() ? Credentials.NONE : config.credentials(name);
    Resource whoami = config.resource(new Stream(name, Catalog.IDENTITY));
    List<Resource> resources = new ArrayList<>(List.of(whoami));
    config.streams(name).forEach(stream -> resources.add(config.resource(stream)));
    this.limits =
        new LocationLimits(
            task.rateLimits(),
            connection.baseUrl(),
            config.rateLimitShare(),
            resources,
            credentials,
            renewedNanos);
    this.identity = new LocationIdentity(whoami);
    this.client = new HttpApiClient(connection, () -> credentials, task.transports());
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
  public LimitedClient client(Reading reading) {
    RateLimit limit = limits.of(reading.resource().name(), reading.request().path());
    return new LimitedClient(client, limit, retries, time::nanoseconds);
  }

  /** How often a stream is read: as often as it is to be, or as its limit allows. */
  public Duration interval(Resource resource) {
    Duration shortest = limits.shortestInterval(resource);
    return Collections.max(List.of(resource.pollInterval(), shortest));
  }

  @Override
  public boolean renewCredentials(long sentNanos) {
    if (isRenewedSince(sentNanos)) {
      return true;
    }
    // Streams that are refused together wait for a slow provider together, not one after another.
    Optional<Credentials> renewed = configured(sentNanos);
    return renewed.filter(each -> replaces(each, sentNanos)).isPresent()
        || isRenewedSince(sentNanos);
  }

  private boolean isRenewedSince(long nanos) {
    return renewedNanos - nanos > 0;
  }

  private synchronized boolean replaces(Credentials renewed, long sentNanos) {
    if (isRenewedSince(sentNanos) || renewed.equals(credentials)) {
      return false;
    }
    // At once, or an answer to the key before would be taken for one to the new key.
    identity.replaceKey(() -> use(renewed));
    log.info("{}: the configuration has a new key, password or header", name);
    return true;
  }

  private void use(Credentials renewed) {
    // Before the key is used, so that no request goes past its limit.
    limits.renew(renewed, time.nanoseconds());
    credentials = renewed;
    // Last, or a request between could carry the key before and count as one with the new key.
    renewedNanos = time.nanoseconds();
  }

  /** The key of the configuration as it resolved after that time; empty while it is unusable. */
  private Optional<Credentials> configured(long afterNanos) {
    try {
      SourceConfig resolved = task.resolved().after(afterNanos);
      Credentials checked = resolved.checkedCredentials(name, credentials);
      unusable.set(null);
      return Optional.of(checked);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The task is stopping.
    } catch (IncidentException e) {
      logUnused(e.incident());
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      // A provider may throw anything. A secret may be half-written at this very moment; the
      // message of a provider may show it.
      Throwable cause = e instanceof ExecutionException ? requireNonNull(e.getCause()) : e;
      if (cause instanceof VirtualMachineError fatal) {
        throw fatal;
      }
      String detail = "no new key can be read (" + cause.getClass().getName() + ")";
      logUnused(Problem.KEY_UNRESOLVED.incident(name, detail));
    }
    return Optional.empty();
  }

  private void logUnused(Incident why) {
    if (unusable.getAndSet(why.problem()) != why.problem()) {
      log.warn("{}", why);
    }
  }

  @Override
  public void close() {
    client.close();
    limits.close();
  }
}
