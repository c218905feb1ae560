package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.ServerClock;
import io.posconnect.resource.Reading;
import java.time.Duration;

/** One location as its streams use it, and share it. Safe for several threads. */
public interface Location {

  /**
   * The client for the next request of a reading, within the limit of its path and the key in use.
   * Resources that share it take turns.
   */
  LimitedClient client(Reading reading);

  /** The service's time, from its responses. */
  ServerClock clock();

  /** Who the location says it is. */
  LocationIdentity identity();

  /** Whether the service accepts the location's key. */
  LocationKey key();

  /** Returns how long to wait after so many failures in a row, the latest of which was that one. */
  Duration backoff(int failures, ApiException latest);

  /**
   * Resolves the configuration again, for a key that was rotated meanwhile.
   *
   * @return whether there is a key that a request sent at that monotonic time did not carry
   */
  boolean renewCredentials(long sentNanos);
}
