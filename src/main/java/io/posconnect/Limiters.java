package io.posconnect;

import io.posconnect.client.Budgets;
import io.posconnect.client.Credentials;
import io.posconnect.client.RateLimiter;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One location's limiters, by path, of the key that holds. Safe for several threads.
 *
 * <p>The service counts by key, so another key begins like a starting task: a spacing after it came
 * into use, and at the full rate. What others of this process already do with it counts as well.
 */
final class Limiters implements AutoCloseable {

  private final Budgets budgets;
  private final URI baseUrl;
  private final double share;
  private final Map<String, Integer> perMinute = new HashMap<>();
  private final Map<String, RateLimiter> limiters = new HashMap<>();
  private Credentials credentials;
  private long startNanos;
  private boolean closed;

  Limiters(Budgets budgets, URI baseUrl, double share, Credentials credentials, long startNanos) {
    this.budgets = budgets;
    this.baseUrl = baseUrl;
    this.share = share;
    this.credentials = credentials;
    this.startNanos = startNanos;
  }

  /** Every path that a resource is read at: increments and full reads may go to different ones. */
  static Set<String> paths(Resource resource) {
    String full = full(resource);
    return full.equals(resource.path()) ? Set.of(full) : Set.of(resource.path(), full);
  }

  /** Where all of a resource is read. */
  static String full(Resource resource) {
    return resource.retrieval().first(resource.path(), Window.ALL).path();
  }

  /**
   * Learns the limit that a resource states; where several are read at a path, the lowest is it.
   */
  synchronized void state(Resource resource) {
    for (String path : paths(resource)) {
      perMinute.merge(path, resource.requestsPerMinute(), Math::min);
    }
  }

  /** The limiter of a path of a resource that was {@link #state stated}. */
  synchronized RateLimiter of(String path) {
    return limiters.computeIfAbsent(path, this::limiter);
  }

  private RateLimiter limiter(String path) {
    Budgets.Limit limit =
        new Budgets.Limit(
            baseUrl, credentials, path, Objects.requireNonNull(perMinute.get(path), path), share);
    RateLimiter limiter = budgets.limiter(limit, startNanos);
    if (closed) {
      // A step that was under way asks once more; it is to hold no place among the others.
      limiter.close();
    }
    return limiter;
  }

  /** Another key holds from now on. */
  synchronized void renew(Credentials renewed, long nowNanos) {
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
    limiters.values().forEach(RateLimiter::close);
  }
}
