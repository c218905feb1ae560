package io.posconnect.client;

import io.posconnect.resource.Privacy;
import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.Response;

/** Sends requests to one location's service by HTTP. Never sends a request twice. */
public final class HttpApiClient implements ApiClient {

  private final Connection connection;
  private final Supplier<Credentials> credentials;
  private final List<Transport> shared;
  private final Transport transport;
  private final RequestUrl urls;
  private final OpenExchanges exchanges = new OpenExchanges();
  private final Redaction redaction = new Redaction();

  /**
   * Makes a client, which sends nothing yet.
   *
   * @param credentials asked before each request, so that a key can be replaced at any time
   * @throws IllegalArgumentException when a trust or key store cannot be used
   */
  public HttpApiClient(Connection connection, Supplier<Credentials> credentials) {
    this(connection, credentials, new ArrayList<>());
  }

  private HttpApiClient(
      Connection connection, Supplier<Credentials> credentials, List<Transport> shared) {
    this.connection = connection;
    this.credentials = credentials;
    this.shared = shared;
    this.transport = transport(connection, shared);
    this.urls = new RequestUrl(connection.baseUrl());
  }

  private static Transport transport(Connection connection, List<Transport> shared) {
    synchronized (shared) {
      for (Transport each : shared) {
        if (each.connection().sharesTransportWith(connection)) {
          return each;
        }
      }
      Transport opened = Transport.open(connection);
      shared.add(opened);
      return opened;
    }
  }

  /**
   * Makes a client for another location. It shares the connections, threads and certificates of
   * this client, or of one that was made from it, if its connection allows: hundreds of locations
   * must not cost hundreds of each. Each client has its own key and its own end.
   */
  public HttpApiClient sharingConnectionsFor(
      Connection other, Supplier<Credentials> othersCredentials) {
    return new HttpApiClient(other, othersCredentials, shared);
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
    redaction.add(current);
    Redirects redirects = new Redirects(line, redaction, onRedirect);
    Call call = transport.call(urls.of(request), current, connection.userAgent(), redirects);
    Exchange exchange = new Exchange(line.toString(), connection, exchanges, call);
    boolean kept = false;
    try {
      Response response = exchange.send();
      new StatusErrors(line, response, redaction).checkRows(connection.limits(), exchange.limit());
      kept = true;
      return exchange.rows(response, body -> transport.json().rows(body, shape, privacy));
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

  @Override
  public String toString() {
    return connection.location() + " at " + connection.baseUrl();
  }
}
