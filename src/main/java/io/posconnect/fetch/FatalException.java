package io.posconnect.fetch;

/**
 * The stream cannot go on without losing something or lying about it: the task must fail with this
 * message.
 */
public final class FatalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FatalException(String message) {
    super(message);
  }
}
