package io.posconnect.client;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import okhttp3.MediaType;
import okhttp3.Response;

/** Whether the headers of a successful response promise JSON that can be read. */
final class ContentCheck {

  private static final Pattern JSON = Pattern.compile("application/json|text/json|.+/.+\\+json");
  private static final Pattern CHARSET = Pattern.compile("utf-?8|us-ascii");
  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9.+/_-]{1,100}");

  private ContentCheck() {}

  /** What is wrong, to continue a sentence that begins with "the body". */
  static Optional<String> fault(Response response, BodyLimits limits) {
    String encoding = response.header("Content-Encoding", "identity");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      return Optional.of("has the content encoding " + shown(encoding) + " instead of gzip");
    }
    if (response.body().contentLength() > limits.bodyBytes()) {
      return Optional.of("exceeds the limit of " + limits.bodyBytes() + " bytes of a body");
    }
    String header = response.header("Content-Type");
    if (header == null || header.isBlank()) {
      return Optional.empty(); // the parser will tell
    }
    return type(header);
  }

  private static Optional<String> type(String header) {
    String bare = header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!JSON.matcher(bare).matches()) {
      return Optional.of("is " + shown(bare) + " instead of JSON; check the base URL");
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
}
