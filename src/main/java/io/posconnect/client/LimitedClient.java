package io.posconnect.client;

import io.posconnect.client.ApiException.Throttled;
import io.posconnect.resource.Reading;
import java.util.function.LongSupplier;

/**
 * Sends requests to one path within its rate limit: acquire a slot, then open. Never waits, so a
 * caller that gets no slot decides how to wait for it. Safe for several threads.
 *
 * @param limit of the path and the key that the client uses
 * @param retries bounds the pause that a 429 asks for
 * @param nanoTime the monotonic clock of the limit
 */
public record LimitedClient(
    ApiClient client, RateLimit limit, RetryPolicy retries, LongSupplier nanoTime) {

  /**
   * Takes a slot for the next request if one is free.
   *
   * @return 0 when the request may be sent now, else the nanoseconds to wait before asking again
   */
  public long tryAcquire() {
    return limit.tryAcquire(nanoTime.getAsLong());
  }

  /**
   * Sends the next request of a reading, whose slot was acquired, as {@link ApiClient#open} does.
   * Each redirect is charged to the limit. A 429 slows down all who share the limit, and makes them
   * wait as long as the service asks, up to the longest back-off.
   *
   * @param onSend runs before each request is sent, redirects included
   */
  public Rows open(Reading reading, Runnable onSend) throws ApiException {
    onSend.run();
    try {
      return client.open(
          reading.resource().name(),
          reading.request(),
          reading.shape(),
          () -> {
            onSend.run();
            limit.charge(nanoTime.getAsLong());
          });
    } catch (Throttled e) {
      limit.throttled(nanoTime.getAsLong(), retries.pause(e.retryAfter()), e.stated());
      throw e;
    }
  }
}
