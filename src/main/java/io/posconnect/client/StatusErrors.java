package io.posconnect.client;

import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.json.BodyLimits;
import io.posconnect.json.JsonText;
import io.posconnect.problem.Problem;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import okhttp3.MediaType;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Judges a response by its status and headers: whether rows follow, or which failure it is. Of an
 * error's body a message shows only the trace identifier, and only if it looks like one: bodies do
 * not reach logs. Of a 429's message only the limit that it states is used.
 *
 * @param request that messages begin with
 * @param redaction hides credentials that the service sends back
 */
record StatusErrors(RequestLine request, Response response, Redaction redaction) {

  private static final int ERROR_BODY = 8 * 1024;
  private static final Duration ERROR_BODY_TIME = Duration.ofSeconds(5);
  private static final int LONGEST_DIGITS = 10;
  private static final Pattern TRACE_ID = Pattern.compile("[A-Za-z0-9:._-]{1,128}");

  // Whole: no sign, no part of a word, a fraction or a time, no separator of thousands. A number
  // before a unit of time, or behind such as "retry in", is a wait, which a message may name beside
  // the limit or instead of it.
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?<![\\w.,:/^+-]|\\b(in|after|wait)[\\s:]{1,2})[0-9]{1,6}"
              + "(?![\\w^]|[.,:/-][0-9]|\\s+(ms\\b|millis|s\\b|sec|min|hour))",
          Pattern.CASE_INSENSITIVE);

  // Of a limit. A gateway may name no more than how long to wait.
  private static final Pattern PER_MINUTE =
      Pattern.compile("(\\bper\\s+|/\\s*)min", Pattern.CASE_INSENSITIVE);

  private static final Pattern SECONDS = Pattern.compile("\\d+");
  private static final Pattern JSON =
      Pattern.compile("application/json|text/json|[^/]+/[^/]+\\+json");
  private static final Pattern CHARSET = Pattern.compile("utf-?8|us-ascii");
  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9.+/_-]{1,100}");

  /**
   * Throws unless the headers promise JSON that can be read.
   *
   * @param time limits that of an error's body
   */
  void checkRows(BodyLimits limits, TimeLimit time) throws ApiException {
    if (response.code() != 200) {
      throw failure(time);
    }
    if (response.body().contentLength() > limits.bodyBytes()) {
      throw new Malformed(
          Problem.BODY_TOO_LARGE,
          subject(),
          "the body exceeds the limit of " + limits.bodyBytes() + " bytes of a body");
    }
    Optional<String> fault = encodingFault().or(this::typeFault);
    if (fault.isPresent()) {
      String detail = "the body " + redaction.hide(fault.get());
      throw new Malformed(Problem.BODY_MALFORMED, subject(), detail);
    }
  }

  private String subject() {
    return request + " " + response.code();
  }

  private Optional<String> encodingFault() {
    String encoding = response.header("Content-Encoding", "identity");
    return encoding == null || encoding.isEmpty() || encoding.equalsIgnoreCase("identity")
        ? Optional.empty()
        : Optional.of("has the content encoding " + shown(encoding) + " instead of gzip");
  }

  private Optional<String> typeFault() {
    String header = response.header("Content-Type");
    if (header == null || header.isBlank()) {
      return Optional.empty(); // The parser decides.
    }
    String bare = header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!JSON.matcher(bare).matches()) {
      return Optional.of("is " + shown(bare) + " instead of JSON");
    }
    MediaType type = MediaType.parse(header);
    String charset = type == null ? null : type.parameter("charset");
    if (charset != null && !CHARSET.matcher(charset.toLowerCase(Locale.ROOT)).matches()) {
      return Optional.of("is in " + shown(charset) + " instead of UTF-8");
    }
    return Optional.empty();
  }

  private static String shown(String sent) {
    return HARMLESS.matcher(sent).matches() ? sent : "something unreadable";
  }

  /** The proxy answered in the service's place. */
  static Refused proxyRefuses(String subject, int status) {
    String detail = status == 407 ? "the proxy wants a user" : "the proxy blocks the request";
    return new Refused(Problem.PROXY_REFUSES, subject, detail, status);
  }

  private ApiException failure(TimeLimit time) {
    int status = response.code();
    String answer = " " + status + traceId(response.body().source(), time);
    String subject = request + answer;
    if (status < 300) {
      return new Malformed(Problem.BODY_MALFORMED, subject, "a success without the data");
    }
    if (status < 400) {
      return new Refused(
          Problem.REDIRECT_REFUSED, subject, "neither the data nor a place for them", status);
    }
    return switch (status) {
      case 401 -> refused(Problem.KEY_REFUSED, request.ofLocation() + answer);
      case 403 -> refused(Problem.PERMISSION_MISSING, subject);
      case 404, 405, 410 -> refused(Problem.PATH_UNKNOWN, subject);
      case 407 -> proxyRefuses(subject, status);
      case 429 -> new Throttled(subject, retryAfter(), stated());
      case 408, 504, 524 -> unavailable(Problem.TOO_SLOW, subject);
      case 425 -> unavailable(Problem.SERVICE_FAILED, subject);
      default ->
          status >= 500
              ? unavailable(Problem.SERVICE_FAILED, subject)
              : refused(Problem.REQUEST_REFUSED, subject);
    };
  }

  private Refused refused(Problem problem, String subject) {
    return new Refused(problem, subject, problem.summary(), response.code());
  }

  private Unavailable unavailable(Problem problem, String subject) {
    return new Unavailable(problem, subject, problem.summary(), retryAfter());
  }

  private String traceId(BufferedSource body, TimeLimit time) {
    try {
      time.within(ERROR_BODY_TIME, () -> body.request(ERROR_BODY));
    } catch (IOException e) {
      // What arrived before may hold the identifier; the status matters more than why it broke.
    }
    return JsonText.find(beginning(body.getBuffer()), "TraceId")
        .filter(traceId -> TRACE_ID.matcher(traceId).matches())
        .map(traceId -> " (TraceId " + redaction.hide(traceId) + ")")
        .orElse("");
  }

  /**
   * The limit that the error's body states, if it has arrived: the only number, beside 0 and the
   * status, in a message about requests per minute. Of two, one may be the minutes that the other
   * is for.
   */
  private OptionalInt stated() {
    int[] numbers =
        JsonText.find(beginning(response.body().source().getBuffer()), "Message").stream()
            .filter(message -> PER_MINUTE.matcher(message).find())
            .flatMap(message -> NUMBER.matcher(message).results())
            .mapToInt(number -> Integer.parseInt(number.group()))
            .filter(number -> number > 0 && number != response.code())
            .distinct()
            .toArray();
    return numbers.length == 1 ? OptionalInt.of(numbers[0]) : OptionalInt.empty();
  }

  private static byte[] beginning(Buffer arrived) {
    return arrived.snapshot((int) Math.min(ERROR_BODY, arrived.size())).toByteArray();
  }

  private @Nullable Duration retryAfter() {
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
