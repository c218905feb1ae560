package io.posconnect.client;

import io.posconnect.client.ApiException.Closed;
import io.posconnect.client.ApiException.Redirected;
import io.posconnect.json.JsonRows;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Speaks HTTP with one location's service. One {@link #open} is one request, a redirect within the
 * service's own origin included: whoever sends the request again is taken there. Nothing is tried
 * twice.
 */
public final class HttpApiClient implements ApiClient {

  private final Connection connection;
  private final Supplier<Credentials> credentials;
  private final List<Opened> shared;
  private final Opened opened;
  private final RequestUrl urls;
  private final TransportErrors breakage;
  private final Redirects redirects = new Redirects();
  private final Set<Exchange> exchanges = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

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
    this.breakage = new TransportErrors(connection);
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
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException when the path is no path
   */
  @Override
  public Rows open(String resource, io.posconnect.resource.Request request, Shape shape)
      throws ApiException {
    Privacy privacy = connection.privacyOf(resource);
    String line = connection.location() + "/" + resource + ": " + RequestUrl.show(request);
    Credentials current = credentials.get();
    Hop hop = redirects.take(request).orElseGet(() -> new Hop(urls.of(request), 0));
    Exchange exchange = exchange(line, hop.url(), current);
    boolean kept = false;
    try {
      Response response = exchange.send();
      StatusErrors status = new StatusErrors(line, response, current);
      if (status.isRedirect()) {
        int count = hop.count() + 1;
        redirects.put(request, new Hop(status.redirectTarget(count), count));
        throw new Redirected(line);
      }
      status.checkRows(connection.limits());
      kept = true;
      return exchange.rows(response, body -> opened.json().rows(body, shape, privacy));
    } finally {
      if (!kept) {
        exchange.release();
      }
    }
  }

  /**
   * Where a request goes.
   *
   * @param count redirects in a row that led there
   */
  private record Hop(HttpUrl url, int count) {}

  /** Remembers where redirected requests lead until they are sent again. */
  private static final class Redirects {

    // More than a location has streams; one that is not sent again makes room.
    private static final int MOST = 100;

    private final Map<io.posconnect.resource.Request, Hop> hops = new LinkedHashMap<>();

    synchronized Optional<Hop> take(io.posconnect.resource.Request request) {
      return Optional.ofNullable(hops.remove(request));
    }

    synchronized void put(io.posconnect.resource.Request request, Hop hop) {
      hops.put(request, hop);
      if (hops.size() > MOST) {
        hops.remove(hops.keySet().iterator().next());
      }
    }
  }

  private Exchange exchange(String line, HttpUrl url, Credentials current) throws Closed {
    Request request =
        new Request.Builder()
            .url(url)
            .header("Authorization", current.basic())
            .header("Accept", "application/json")
            .header("Cache-Control", "no-cache")
            .header("User-Agent", connection.userAgent())
            .build();
    Exchange exchange =
        new Exchange(
            line,
            opened.http().newCall(request),
            connection.timeouts(),
            breakage,
            () -> closed,
            exchanges::remove);
    exchanges.add(exchange);
    // After the addition: close() either sees the exchange or is seen here.
    if (closed) {
      exchanges.remove(exchange);
      throw new Closed(line);
    }
    return exchange;
  }

  @Override
  public void close() {
    closed = true;
    exchanges.forEach(Exchange::cancel);
    opened.http().connectionPool().evictAll();
  }

  @Override
  public String toString() {
    return connection.location() + " at " + connection.baseUrl();
  }
}
