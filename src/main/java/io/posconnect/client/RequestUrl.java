package io.posconnect.client;

import io.posconnect.resource.Request;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.ServiceAddress;
import java.net.URI;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/** Makes URLs of requests, strictly: a name or value cannot become more than a name or a value. */
final class RequestUrl {

  private static final Pattern SHOWN =
      Pattern.compile("\\d{1,10}|\\d{4}-\\d\\d-\\d\\dT[0-9:.]{5,18}Z");

  private final HttpUrl base;

  RequestUrl(URI base) {
    this.base = HttpUrl.get(base.toString());
  }

  HttpUrl of(Request request) {
    if (!ServiceAddress.isPath(request.path())) {
      throw new IllegalArgumentException("the path of a request is not a path");
    }
    HttpUrl.Builder url = base.newBuilder().addEncodedPathSegments(request.path().substring(1));
    for (Parameter parameter : request.query()) {
      url.addQueryParameter(parameter.name(), parameter.value());
    }
    return url.build();
  }

  /** The request for a message, which shows times and numbers and no other value. */
  static String show(Request request) {
    StringBuilder line = new StringBuilder("GET ").append(request.path());
    char separator = '?';
    for (Parameter parameter : request.query()) {
      String value = SHOWN.matcher(parameter.value()).matches() ? parameter.value() : "…";
      line.append(separator).append(parameter.name()).append('=').append(value);
      separator = '&';
    }
    return line.toString();
  }
}
