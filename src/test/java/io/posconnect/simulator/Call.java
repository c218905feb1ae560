package io.posconnect.simulator;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One request as it came in.
 *
 * @param path decoded
 * @param query as it was sent, without the question mark; empty when there was none
 * @param headers by name; case does not count
 */
record Call(String method, String path, String query, Map<String, String> headers) {

  Call {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
  }

  /** Reads the request line's target; an {@link IllegalArgumentException} when it is malformed. */
  static Call of(String method, String target, Map<String, String> headers) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? "" : target.substring(mark + 1);
    return new Call(method, decode(path.replace("+", "%2B")), query, headers);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /**
   * The first value of a query parameter, decoded; names must match exactly, so a misspelled one is
   * as good as absent.
   */
  Optional<String> parameter(String name) {
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0 && decode(pair.substring(0, equals)).equals(name)) {
        return Optional.of(decode(pair.substring(equals + 1)));
      }
    }
    return Optional.empty();
  }

  boolean wantsClose() {
    return header("Connection")
        .map(value -> value.toLowerCase(Locale.ROOT).contains("close"))
        .orElse(false);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
