package io.posconnect.client;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.problem.Problem;
import java.io.IOException;
import okhttp3.HttpUrl;
import okhttp3.Response;

/**
 * Decides about the redirects of one exchange, which the HTTP library follows: the key never leaves
 * the service's own origin.
 */
final class Redirects {

  private static final int MOST = 5;

  // The library would give the rest of a longer body its own time, see TimeLimit.
  private static final int LONGEST_BODY = 32 * 1024;

  private final RequestLine request;
  private final Redaction redaction;
  private final Runnable onRedirect;
  private int followed;

  /** Carries a refusal through the library, which knows no other exceptions. */
  static final class RefusedException extends IOException {

    final Refused refusal;

    private RefusedException(Refused refusal) {
      super(refusal);
      this.refusal = refusal;
    }
  }

  /**
   * @param request that messages begin with
   * @param redaction hides credentials that the service sends back
   * @param onRedirect runs before each redirect is followed
   */
  Redirects(RequestLine request, Redaction redaction, Runnable onRedirect) {
    this.request = request;
    this.redaction = redaction;
    this.onRedirect = onRedirect;
  }

  /**
   * Reads the body of a redirect that may be followed, so that its connection can serve the next
   * request.
   *
   * @throws RefusedException when it may not
   */
  void follow(Response redirect) throws IOException {
    HttpUrl from = redirect.request().url();
    String location = redirect.header("Location");
    HttpUrl to = location == null ? null : from.resolve(location);
    if (to == null) {
      throw refused(redirect, "a redirect to nowhere");
    }
    if (!to.scheme().equals(from.scheme())
        || !to.host().equals(from.host())
        || to.port() != from.port()) {
      String origin = to.scheme() + "://" + to.host() + ":" + to.port();
      throw refused(
          redirect, "redirects to " + redaction.hide(origin) + ", where the key is not sent");
    }
    if (++followed > MOST) {
      throw refused(redirect, "more than " + MOST + " redirects in a row");
    }
    if (redirect.body().source().request(LONGEST_BODY)) {
      throw refused(redirect, "a redirect with a body of " + LONGEST_BODY + " bytes or more");
    }
    onRedirect.run();
  }

  private RefusedException refused(Response redirect, String detail) {
    int status = redirect.code();
    return new RefusedException(
        new Refused(Problem.REDIRECT_REFUSED, request + " " + status, detail, status));
  }
}
