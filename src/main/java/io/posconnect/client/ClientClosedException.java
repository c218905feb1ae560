package io.posconnect.client;

/**
 * Ends a request because its client was closed, before the request or during it. Not a failure: the
 * task is stopping, and the answer is no longer needed.
 */
public final class ClientClosedException extends RuntimeException {

  /**
   * @param request the line of the request, which begins the message
   */
  public ClientClosedException(String request) {
    super(request + ": cancelled, the client is closed");
  }
}
