package io.posconnect.simulator;

import java.time.Duration;
import java.time.Instant;

/**
 * One request that came in. Holds no key: the alias stands for it.
 *
 * @param sequence 1 for the first request of the service
 * @param at the service's time at which the request had been read
 * @param nanos the same moment on a monotonic clock; only differences mean something
 * @param query as it was sent, still encoded; empty when there was none
 * @param store alias of the store behind the key; empty when the key was missing or unknown
 * @param accept the {@code Accept} header; empty when there was none
 * @param userAgent the {@code User-Agent} header; empty when there was none
 * @param status 0 while nothing is decided
 * @param rows written entirely
 * @param bytes of the body, before framing
 * @param finished whether the exchange is over
 * @param whole whether the response went out to its end
 * @param duration from the request to the end of the response; zero until then
 */
public record LoggedRequest(
    long sequence,
    Instant at,
    long nanos,
    String method,
    String path,
    String query,
    String store,
    String accept,
    String userAgent,
    int status,
    int rows,
    long bytes,
    boolean finished,
    boolean whole,
    Duration duration) {

  LoggedRequest finished(int finalStatus, int rowsSent, long bytesSent, boolean all, long end) {
    return new LoggedRequest(
        sequence,
        at,
        nanos,
        method,
        path,
        query,
        store,
        accept,
        userAgent,
        finalStatus,
        rowsSent,
        bytesSent,
        true,
        all,
        Duration.ofNanos(end - nanos));
  }
}
