package io.posconnect.fetch;

/**
 * The task is stopping: whoever is in the middle of something drops it, for it was not yet promised
 * to anybody.
 */
final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("the task is stopping", null, false, false);
  }
}
