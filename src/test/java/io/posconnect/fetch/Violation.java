package io.posconnect.fetch;

/** The law was broken. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String what) {
    super(what, null, false, false);
  }
}
