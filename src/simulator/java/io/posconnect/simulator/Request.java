package io.posconnect.simulator;

import io.posconnect.simulator.Response.RefusedException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Holds one request as it came in, and reads its parameters as the interface describes them.
 *
 * @param path decoded
 * @param query as it was sent, without the question mark; empty when there was none
 * @param headers by name; case does not count
 */
record Request(String method, String path, String query, Map<String, String> headers) {

  static final String FROM = "fromLastModifiedDateUTC";
  static final String TO = "toLastModifiedDateUTC";

  Request {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
  }

  /** Reads the request line's target; an {@link IllegalArgumentException} when it is malformed. */
  static Request of(String method, String target, Map<String, String> headers) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? "" : target.substring(mark + 1);
    return new Request(method, decode(path.replace("+", "%2B")), query, headers);
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

  /** An ISO 8601 timestamp in UTC that ends with a Z. */
  Optional<Instant> timestamp(String name) throws RefusedException {
    Optional<String> text = parameter(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      if (!text.get().endsWith("Z")) {
        throw new DateTimeParseException("no trailing Z", text.get(), 0);
      }
      return Optional.of(Instant.parse(text.get()));
    } catch (DateTimeParseException e) {
      throw new RefusedException(
          Response.invalid(name, "The value '" + text.get() + "' is not valid."));
    }
  }

  /** A whole number within bounds. */
  int number(String name, int absent, int least, int most) throws RefusedException {
    Optional<String> text = parameter(name);
    if (text.isEmpty()) {
      return absent;
    }
    try {
      int value = Integer.parseInt(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new RefusedException(
          Response.invalid(name, "The value '" + text.get() + "' is not valid."));
    }
    throw new RefusedException(
        Response.invalid(name, "The field must be between " + least + " and " + most + "."));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
