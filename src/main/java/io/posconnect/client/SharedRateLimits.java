package io.posconnect.client;

import io.posconnect.resource.Request;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives whatever uses one key on one path a share of one limit. Safe for several threads.
 *
 * <p>What is known of a limit outlives those who use it, as long as it matters: a task that is
 * started again goes on with its distance and its reduced rate. Then it is forgotten.
 */
public final class SharedRateLimits {

  /**
   * Those of this process: the service does not care which connector, task or validation a request
   * comes from. Other processes have their own; the share that is not used is left to them.
   */
  public static final SharedRateLimits OF_THIS_PROCESS = new SharedRateLimits();

  private final Map<Limit.Id, SharedRateLimit> rateLimits = new HashMap<>();

  /**
   * The limit of one key on one path.
   *
   * @param requestsPerMinute the service's limit; the lowest that anybody states holds for all
   * @param share of it to use, above 0 and up to 1; the lowest holds for all
   */
  public record Limit(
      URI baseUrl, Credentials credentials, String path, int requestsPerMinute, double share) {

    /** What tells one limit from another; holds a hash of the key. */
    record Id(String url, String key) {}

    Id id() {
      String url = new RequestUrl(baseUrl).of(new Request(path)).toString();
      return new Id(url, credentials.fingerprint());
    }

    /** Shows no key. */
    @Override
    public String toString() {
      return "%s%s: %d a minute, of which %s".formatted(baseUrl, path, requestsPerMinute, share);
    }
  }

  /**
   * A limiter for one who stays; to be closed.
   *
   * @param startNanos when it began: a request may have been sent just before, by a predecessor in
   *     another process that nobody here knows of
   */
  public RateLimit limiter(Limit limit, long startNanos) {
    RateLimit limiter = limiter(limit, false, startNanos);
    limiter.spent(startNanos);
    return limiter;
  }

  /**
   * A limiter for one who sends a request or two and leaves; to be closed. It may send at once when
   * nothing is known of the limit, and slows nobody down by a lower limit of its own.
   */
  public RateLimit guest(Limit limit, long nowNanos) {
    return limiter(limit, true, nowNanos);
  }

  private synchronized RateLimit limiter(Limit limit, boolean guest, long nowNanos) {
    rateLimits.values().removeIf(budget -> budget.isForgettable(nowNanos));
    SharedRateLimit budget = rateLimits.computeIfAbsent(limit.id(), id -> new SharedRateLimit());
    RateLimit limiter = new RateLimit(limit.requestsPerMinute(), limit.share(), budget, guest);
    budget.join(limiter);
    return limiter;
  }

  synchronized int size() {
    return rateLimits.size();
  }
}
