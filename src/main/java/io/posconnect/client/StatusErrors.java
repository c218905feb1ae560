package io.posconnect.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * What a response that is not a success means. Of its body only the trace identifier is told, and
 * that only when it looks like one: bodies do not reach logs.
 */
final class StatusErrors {

  private static final int ERROR_BODY = 8 * 1024;
  private static final long ERROR_BODY_SECONDS = 5;
  private static final int LONGEST_DIGITS = 10;
  static final String PROXY_REFUSAL = "the proxy wants a user; let this worker pass without one";
  private static final JsonFactory JSON = new JsonFactory();
  private static final Pattern TRACE_ID = Pattern.compile("[A-Za-z0-9:._-]{1,128}");
  private static final Pattern SECONDS = Pattern.compile("\\d+");

  private StatusErrors() {}

  /**
   * @param request what the message begins with
   */
  static ApiException of(String request, Response response, Credentials credentials) {
    int status = response.code();
    String message =
        request
            + " "
            + status
            + ": "
            + meaning(status)
            + credentials.hide(traceId(response.body().source()));
    if (status < 300) {
      return new Malformed(message, false, null);
    }
    if (status == 429) {
      return new Throttled(message, retryAfter(response));
    }
    if (status >= 500 || status == 408 || status == 425) {
      boolean timeout = status == 504 || status == 408 || status == 524;
      return new Unavailable(message, timeout, null, retryAfter(response));
    }
    return new Refused(message, status);
  }

  private static String meaning(int status) {
    return switch (status) {
      case 400, 422 -> "the service does not accept the parameters; a shorter window may help";
      case 401 ->
          "the key is unknown or revoked; check the API key, and the password if one is due";
      case 403 ->
          "the key lacks the permission for this path; ask for it, or leave the resource out";
      case 404, 410 -> "there is no such path; check the base URL and the resource's path";
      case 405 -> "the path cannot be read; check the resource's path";
      case 407 -> PROXY_REFUSAL;
      case 413, 414, 431 -> "the request is too large for the service; a smaller page may help";
      case 429 -> "the limit of requests per minute is exceeded; another client may use this key";
      case 408, 504, 524 -> "the service took too long";
      default -> {
        if (status < 300) {
          yield "a success without the data; check the base URL";
        }
        yield status >= 500
            ? "the service failed"
            : "the service refused the request; its support can tell why";
      }
    };
  }

  private static String traceId(BufferedSource body) {
    body.timeout().deadline(ERROR_BODY_SECONDS, TimeUnit.SECONDS);
    try {
      body.request(ERROR_BODY);
    } catch (IOException e) {
      // What arrived before may hold the identifier; the status matters more than why it broke.
      return find(body);
    }
    return find(body);
  }

  private static String find(BufferedSource body) {
    Buffer arrived = body.getBuffer();
    try {
      String traceId = parse(arrived.readByteArray(Math.min(ERROR_BODY, arrived.size())));
      return TRACE_ID.matcher(traceId).matches() ? " (TraceId " + traceId + ")" : "";
    } catch (IOException e) {
      return ""; // not JSON, or cut: then there is none to tell
    }
  }

  private static String parse(byte[] json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return "";
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean wanted = parser.currentName().equalsIgnoreCase("TraceId");
        if (parser.nextToken() == JsonToken.VALUE_STRING && wanted) {
          return parser.getText();
        }
        parser.skipChildren();
      }
      return "";
    }
  }

  private static @Nullable Duration retryAfter(Response response) {
    String text = response.header(Transport.RETRY_AFTER, "");
    if (text == null || text.isBlank()) {
      return null;
    }
    if (SECONDS.matcher(text.strip()).matches()) {
      String digits = text.strip();
      return Duration.ofSeconds(
          digits.length() > LONGEST_DIGITS ? Integer.MAX_VALUE : Long.parseLong(digits));
    }
    Instant until = response.headers().getInstant(Transport.RETRY_AFTER);
    if (until == null) {
      return null;
    }
    Instant date = response.headers().getInstant("Date");
    Instant now = date == null ? Instant.ofEpochMilli(response.receivedResponseAtMillis()) : date;
    return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
  }
}
