package io.posconnect.client;

import io.posconnect.json.JsonRows;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Sends requests to one location's service by HTTP. Never sends a request twice. */
public final class HttpApiClient implements ApiClient {

  private final Connection connection;
  private final Supplier<Credentials> credentials;
  private final List<Opened> shared;
  private final Opened opened;
  private final RequestUrl urls;
  private final OpenExchanges exchanges = new OpenExchanges();

  /**
   * Contacts nobody yet.
   *
   * @param credentials asked before each request, so that a key can be replaced at any time
   * @throws IllegalArgumentException when a trust or key store cannot be used
   */
  public HttpApiClient(Connection connection, Supplier<Credentials> credentials) {
    this(connection, credentials, new ArrayList<>());
  }

  private HttpApiClient(
      Connection connection, Supplier<Credentials> credentials, List<Opened> shared) {
    this.connection = connection;
    this.credentials = credentials;
    this.shared = shared;
    this.opened = opened(connection, shared);
    this.urls = new RequestUrl(connection.baseUrl());
  }

  /** Connections, threads and certificates, and a parser, opened for one way to a service. */
  private record Opened(Connection way, OkHttpClient http, JsonRows.Factory json) {}

  private static Opened opened(Connection connection, List<Opened> shared) {
    synchronized (shared) {
      for (Opened known : shared) {
        if (known.way().suits(connection)) {
          return known;
        }
      }
      Opened opened =
          new Opened(
              connection, Transport.open(connection), new JsonRows.Factory(connection.limits()));
      shared.add(opened);
      return opened;
    }
  }

  /**
   * A client for another location, which has the connections, threads and certificates of this one,
   * or of another beside it, if it is reached in the same way: hundreds of locations must not cost
   * hundreds of each. Neither client's key nor its end is the other's.
   */
  public HttpApiClient beside(Connection other, Supplier<Credentials> othersCredentials) {
    return new HttpApiClient(other, othersCredentials, shared);
  }

  /**
   * {@inheritDoc} The request timeout covers the request and the redirects that it follows, at most
   * five, together.
   *
   * @throws IllegalArgumentException when the path is not a path
   */
  @Override
  public Rows open(
      String resource, io.posconnect.resource.Request request, Shape shape, Runnable onRedirect)
      throws ApiException {
    Privacy privacy = connection.privacyOf(resource);
    String line = connection.location() + "/" + resource + ": " + RequestUrl.show(request);
    Credentials current = credentials.get();
    HttpUrl url = urls.of(request);
    Exchange exchange = new Exchange(line, connection, exchanges, hop -> call(hop, current));
    boolean kept = false;
    try {
      Response response = exchange.send(url, current, onRedirect);
      new StatusErrors(line, response, current).checkRows(connection.limits());
      kept = true;
      return exchange.rows(response, body -> opened.json().rows(body, shape, privacy));
    } finally {
      if (!kept) {
        exchange.release();
      }
    }
  }

  private Call call(HttpUrl url, Credentials current) {
    return opened
        .http()
        .newCall(
            new Request.Builder()
                .url(url)
                .header("Authorization", current.basic())
                .header("Accept", "application/json")
                .header("Cache-Control", "no-cache")
                .header("User-Agent", connection.userAgent())
                .build());
  }

  @Override
  public void close() {
    exchanges.close();
    opened.http().connectionPool().evictAll();
  }

  @Override
  public String toString() {
    return connection.location() + " at " + connection.baseUrl();
  }
}
