package io.posconnect.client;

import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;

/**
 * Sends requests to one location's service and hands out their rows as they arrive. Safe for
 * several threads.
 */
public interface ApiClient extends AutoCloseable {

  /**
   * Sends the request and returns once the headers of a successful response are there.
   *
   * @param resource name of one of the location's resources, for messages and for what of its rows
   *     nobody is to see
   * @param shape what the body must be; anything else is {@link ApiException.Malformed}
   * @throws ApiException.Redirected when the same request must be sent once more to get there
   * @throws ApiException when there is no successful response; never contains key or body
   */
  Rows open(String resource, Request request, Shape shape) throws ApiException;

  /**
   * Cancels every open exchange; the threads that read from them get an {@link
   * ApiException.Unavailable}.
   */
  @Override
  void close();
}
