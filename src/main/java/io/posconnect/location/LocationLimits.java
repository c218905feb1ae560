package io.posconnect.location;

import io.posconnect.client.Credentials;
import io.posconnect.client.RateLimit;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Limits the requests of one location, each path by the key in use. Safe for several threads.
 *
 * <p>The service counts by key, so another key begins like a starting task: one spacing after it
 * came into use, and at the full rate. Requests that others of this process send with it count too.
 */
public final class LocationLimits implements AutoCloseable {

  private final SharedRateLimits rateLimits;
  private final URI baseUrl;
  private final double share;
  private final Map<String, Sharing> shared = new HashMap<>();
  private final Map<Member, RateLimit> limiters = new HashMap<>();
  private Credentials credentials;
  private long startNanos;
  private boolean closed;

  /** The lowest limit of the resources at one path, and how many these are. */
  private record Sharing(int perMinute, int resources) {

    private Sharing with(Sharing other) {
      return new Sharing(Math.min(perMinute, other.perMinute), resources + other.resources);
    }
  }

  /** Whoever asks for slots: of several at one path, each has its turn. */
  private record Member(String resource, String path) {}

  public LocationLimits(
      SharedRateLimits rateLimits,
      URI baseUrl,
      double share,
      Credentials credentials,
      long startNanos) {
    this.rateLimits = rateLimits;
    this.baseUrl = baseUrl;
    this.share = share;
    this.credentials = credentials;
    this.startNanos = startNanos;
  }

  /** The paths of a resource: increments and full reads may have different ones. */
  public static Set<String> paths(Resource resource) {
    String full = resource.retrieval().first(resource.path(), Window.ALL).path();
    return Set.copyOf(List.of(resource.path(), full));
  }

  /**
   * The limit of requests of a stream to one path, with the share of it that is to be used; of
   * several resources at the path, the lowest holds.
   */
  public static SharedRateLimits.Limit limit(SourceConfig config, Stream stream, String path) {
    int perMinute =
        config.streams(stream.location()).stream()
            .map(config::resource)
            .filter(each -> paths(each).contains(path))
            .mapToInt(Resource::requestsPerMinute)
            .reduce(config.resource(stream).requestsPerMinute(), Math::min);
    return new SharedRateLimits.Limit(
        config.baseUrl(stream.location()),
        config.credentials(stream.location()),
        path,
        perMinute,
        config.rateLimitShare());
  }

  /** Adds the limit of a resource; of several at one path, the lowest holds. */
  public synchronized void add(Resource resource) {
    for (String path : paths(resource)) {
      shared.merge(path, new Sharing(resource.requestsPerMinute(), 1), Sharing::with);
    }
  }

  /**
   * The shortest interval of a resource that was {@link #add added}, if all that share its limits
   * are read as often.
   */
  public synchronized Duration shortestInterval(Resource resource) {
    long nanos = 0;
    for (String path : paths(resource)) {
      Sharing sharing = sharing(path);
      nanos = Math.max(nanos, RateLimit.spacing(sharing.perMinute, share) * sharing.resources);
    }
    return Duration.ofNanos(nanos);
  }

  private Sharing sharing(String path) {
    return Objects.requireNonNull(shared.get(path), path);
  }

  /** The limiter of a resource at the path of one that was {@link #add added}. */
  public synchronized RateLimit of(String resource, String path) {
    return limiters.computeIfAbsent(new Member(resource, path), member -> limiter(path));
  }

  private RateLimit limiter(String path) {
    SharedRateLimits.Limit limit =
        new SharedRateLimits.Limit(baseUrl, credentials, path, sharing(path).perMinute, share);
    RateLimit limiter = rateLimits.limiter(limit, startNanos);
    if (closed) {
      // A step under way may still ask; it must hold no place among the others.
      limiter.close();
    }
    return limiter;
  }

  /** Counts by another key from now on. */
  public synchronized void renew(Credentials renewed, long nowNanos) {
    leave();
    limiters.clear();
    credentials = renewed;
    startNanos = nowNanos;
  }

  @Override
  public synchronized void close() {
    closed = true;
    leave();
  }

  private void leave() {
    limiters.values().forEach(RateLimit::close);
  }
}
