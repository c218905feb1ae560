package io.posconnect.client;

import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;

/**
 * Sends requests to one location's service and returns their rows as they arrive. Safe for several
 * threads.
 */
public interface ApiClient extends AutoCloseable {

  /**
   * Sends the request, follows redirects within the service's own origin, and returns once the
   * headers of a successful response are there.
   *
   * @param resource name of one of the location's resources, for messages and for the privacy rules
   *     of its rows
   * @param shape what the body must be; anything else is {@link ApiException.Malformed}
   * @param onRedirect runs before each redirect is followed, so that the caller can charge its
   *     limit for one more request
   * @throws ApiException when there is no successful response; never contains key or body
   * @throws ClientClosedException when the client was closed
   */
  Rows open(String resource, Request request, Shape shape, Runnable onRedirect) throws ApiException;

  /**
   * Cancels every open exchange; the threads that read from them get a {@link
   * ClientClosedException}.
   */
  @Override
  void close();
}
