package io.posconnect.client;

import io.posconnect.client.RateLimit.Slots;
import io.posconnect.resource.Request;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Gives everything that uses one key on one path a share of one limit. Safe for several threads.
 *
 * <p>A limit's state outlives its members as long as it matters: a task that is started again
 * resumes with its spacing and its reduced rate. Then the state is dropped.
 */
public final class SharedRateLimits {

  /**
   * The limits of this process: the service does not distinguish the connectors, tasks and
   * validations that use a key. Other processes have their own; the unused share is left to them.
   */
  public static final SharedRateLimits OF_THIS_PROCESS = new SharedRateLimits();

  // No limit is forgotten sooner, and a look at all of them for each new one takes seconds where a
  // task begins thousands.
  private static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Map<Limit.Id, Slots> slots = new HashMap<>();
  private long lookedNanos;

  /**
   * The limit of one key on one path.
   *
   * @param requestsPerMinute the service's limit; the lowest of all members holds for all
   * @param share of it to use, above 0 and up to 1; the lowest holds for all
   */
  public record Limit(
      URI baseUrl, Credentials credentials, String path, int requestsPerMinute, double share) {

    /** Identifies a limit; holds a hash of the key. */
    record Id(String url, String key) {}

    Id id() {
      String url = new RequestUrl(baseUrl).of(new Request(path)).toString();
      return new Id(url, credentials.fingerprint());
    }
  }

  /**
   * Returns a limiter for a task; to be closed.
   *
   * @param startNanos when the task began: a predecessor in another process may have sent a request
   *     just before
   */
  public RateLimit limiter(Limit limit, long startNanos) {
    RateLimit limiter = limiter(limit, false, startNanos);
    limiter.count(startNanos);
    return limiter;
  }

  /**
   * Returns a limiter for a request or two; to be closed. It may send at once when the limit is not
   * in use, and a lower limit of its own slows no other member down.
   */
  public RateLimit temporary(Limit limit, long nowNanos) {
    return limiter(limit, true, nowNanos);
  }

  private synchronized RateLimit limiter(Limit limit, boolean temporary, long nowNanos) {
    if (slots.isEmpty() || nowNanos - lookedNanos > LOOK_NANOS) {
      slots.values().removeIf(each -> each.isForgettable(nowNanos));
      lookedNanos = nowNanos;
    }
    Slots shared = slots.computeIfAbsent(limit.id(), id -> new Slots());
    return new RateLimit(shared, limit.requestsPerMinute(), limit.share(), temporary);
  }

  synchronized int size() {
    return slots.size();
  }
}
