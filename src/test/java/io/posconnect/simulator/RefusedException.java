package io.posconnect.simulator;

/** Ends the handling of a call with an answer that is not data. */
final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Response response;

  RefusedException(Response response) {
    super("answered with " + response.status(), null, false, false);
    this.response = response;
  }

  Response response() {
    return response;
  }
}
