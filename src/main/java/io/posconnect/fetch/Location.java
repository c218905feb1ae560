package io.posconnect.fetch;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.RateLimit;
import io.posconnect.client.ServerClock;
import java.time.Duration;

/** One location as its streams use it, and share it. Safe for several threads. */
public interface Location {

  ApiClient client();

  /** The limiter of a path and the key that holds, shared by all that uses both. */
  RateLimit limiter(String path);

  /** The service's time, from its responses. */
  ServerClock clock();

  /** Who the location says it is. */
  LocationIdentity identity();

  /** How long to wait after so many failures in a row, the latest of which was that one. */
  Duration backoff(int failures, ApiException latest);

  /** How much is granted of the pause that a response asked for; zero if it asked for none. */
  Duration grantedPause(ApiException response);

  /**
   * Resolves the configuration again, for a key that was rotated meanwhile.
   *
   * @return whether there is a key that a request sent at that monotonic time did not carry
   */
  boolean renewCredentials(long sentNanos);
}
