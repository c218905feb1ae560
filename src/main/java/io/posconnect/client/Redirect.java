package io.posconnect.client;

import io.posconnect.client.ApiException.Refused;
import okhttp3.HttpUrl;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Where a response sends us, if we may go there: the key never leaves the service's own origin. */
final class Redirect {

  static final int MOST = 5;

  private Redirect() {}

  static boolean is(Response response) {
    return switch (response.code()) {
      case 301, 302, 303, 307, 308 -> true;
      default -> false;
    };
  }

  /**
   * @param request what the message begins with
   * @param hop which redirect in a row this is, from 1
   */
  static HttpUrl target(String request, Response response, int hop, Credentials credentials)
      throws Refused {
    HttpUrl from = response.request().url();
    String location = response.header("Location");
    HttpUrl to = location == null ? null : from.resolve(location);
    String fault = fault(from, to, hop);
    if (to == null || !fault.isEmpty()) {
      String message = request + " " + response.code() + ": " + credentials.hide(fault);
      throw new Refused(message, response.code());
    }
    return to.newBuilder().username("").password("").fragment(null).build();
  }

  private static String fault(HttpUrl from, @Nullable HttpUrl to, int hop) {
    if (to == null) {
      return "a redirect to nowhere; check the base URL";
    }
    if (!to.scheme().equals(from.scheme())
        || !to.host().equals(from.host())
        || to.port() != from.port()) {
      return "redirects to "
          + to.scheme()
          + "://"
          + to.host()
          + ":"
          + to.port()
          + ", where the key is not sent; check the base URL";
    }
    return hop > MOST ? "more than " + MOST + " redirects in a row; check the base URL" : "";
  }
}
