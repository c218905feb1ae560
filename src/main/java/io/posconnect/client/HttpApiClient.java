package io.posconnect.client;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.Response;

/** Sends requests to one location's service by HTTP. Never sends a request twice. */
public final class HttpApiClient implements ApiClient {

  private final Connection connection;
  private final Supplier<Credentials> credentials;
  private final Transport transport;
  private final RequestUrl urls;
  private final OpenExchanges exchanges = new OpenExchanges();
  private final Redaction redaction = new Redaction();

  /**
   * Makes a client, which sends nothing yet.
   *
   * @param credentials asked before each request, so that a key can be replaced at any time
   * @param transports which it shares with the others
   * @throws IllegalArgumentException when a trust or key store cannot be used
   */
  public HttpApiClient(
      Connection connection, Supplier<Credentials> credentials, Transports transports) {
    this.connection = connection;
    this.credentials = credentials;
    this.transport = transports.of(connection);
    this.urls = new RequestUrl(connection.baseUrl());
  }

  /**
   * {@inheritDoc} The request timeout covers the request and the redirects that it follows, at most
   * five, together.
   *
   * @throws IllegalArgumentException when the path is not a path
   */
  @Override
  public Rows open(String resource, Request request, Shape shape, Runnable onRedirect)
      throws ApiException {
    Privacy privacy = connection.privacyOf(resource);
    RequestLine line = new RequestLine(connection.location(), resource, RequestUrl.show(request));
    Credentials current = credentials.get();
    if (current.equals(Credentials.NONE)) {
      throw new Refused(
          Problem.KEY_REFUSED,
          line.ofLocation(),
          "the key of the configuration cannot be used",
          401);
    }
    redaction.add(current);
    Redirects redirects = new Redirects(line, redaction, onRedirect);
    Call call = transport.call(urls.of(request), current, connection.userAgent(), redirects);
    Exchange exchange = new Exchange(line.toString(), connection, exchanges, call);
    boolean kept = false;
    try {
      Response response = exchange.send();
      new StatusErrors(line, response, redaction).checkRows(connection.limits(), exchange.limit());
      kept = true;
      // A location is asked who it is between two reads: its object must not take hours.
      boolean whole = shape.equals(Shape.OBJECT);
      int part = whole ? MinimumRateInput.WHOLE : MinimumRateInput.KILOBYTE;
      return exchange.rows(response, part, body -> transport.json().rows(body, shape, privacy));
    } finally {
      if (!kept) {
        exchange.release();
      }
    }
  }

  @Override
  public void close() {
    exchanges.close();
    transport.http().connectionPool().evictAll();
  }
}
