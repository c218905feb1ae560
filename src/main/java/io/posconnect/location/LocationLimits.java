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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final Collection<Resource> resources;
  private final Map<Member, RateLimit> limiters = new HashMap<>();
  private Credentials credentials;
  private long startNanos;
  private boolean closed;

  /** Whoever asks for slots: of several at one path, each has its turn. */
  private record Member(String resource, String path) {}

  /**
   * @param resources that are read at the location
   */
  public LocationLimits(
      SharedRateLimits rateLimits,
      URI baseUrl,
      double share,
      Collection<Resource> resources,
      Credentials credentials,
      long startNanos) {
    this.rateLimits = rateLimits;
    this.baseUrl = baseUrl;
    this.share = share;
    this.resources = resources;
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
    List<Resource> sharing = new ArrayList<>();
    sharing.add(config.resource(stream));
    config.streams(stream.location()).forEach(each -> sharing.add(config.resource(each)));
    return new SharedRateLimits.Limit(
        config.baseUrl(stream.location()),
        config.credentials(stream.location()),
        path,
        lowest(at(path, sharing)),
        config.rateLimitShare());
  }

  private static List<Resource> at(String path, Collection<Resource> resources) {
    return resources.stream().filter(each -> paths(each).contains(path)).toList();
  }

  private static int lowest(List<Resource> sharing) {
    return sharing.stream().mapToInt(Resource::requestsPerMinute).min().orElseThrow();
  }

  /** The shortest interval of a resource, if all that share its limits are read as often. */
  public Duration shortestInterval(Resource resource) {
    long nanos = 0;
    for (String path : paths(resource)) {
      List<Resource> sharing = at(path, resources);
      nanos = Math.max(nanos, RateLimit.spacing(lowest(sharing), share) * sharing.size());
    }
    return Duration.ofNanos(nanos);
  }

  /** The limiter of a resource at its path. */
  public synchronized RateLimit of(String resource, String path) {
    return limiters.computeIfAbsent(new Member(resource, path), member -> limiter(path));
  }

  private RateLimit limiter(String path) {
    int perMinute = lowest(at(path, resources));
    SharedRateLimits.Limit limit =
        new SharedRateLimits.Limit(baseUrl, credentials, path, perMinute, share);
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
