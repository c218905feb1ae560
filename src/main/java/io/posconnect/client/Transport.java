package io.posconnect.client;

import io.posconnect.json.JsonRows;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;

/**
 * What clients of one kind of connection share: connections, threads, certificates and a parser.
 * Sends exactly the requests it is given: no redirect and no second try that a limiter does not
 * know of. The library follows a redirect once {@link Redirects} allows it.
 */
record Transport(OkHttpClient http, JsonRows.Factory json) {

  // Some servers close idle connections after two seconds, and a request on a closed one fails. At
  // the usual limits the next page comes sooner.
  private static final long KEEP_ALIVE_SECONDS = 1;
  private static final int IDLE_CONNECTIONS = 4;

  /** The header that holds a response's {@code Retry-After} when it comes out of here. */
  static final String RETRY_AFTER = "X-Retry-After-As-Sent";

  /**
   * @throws IllegalArgumentException when a trust or key store cannot be used
   */
  static Transport open(Connection connection) {
    return new Transport(http(connection), new JsonRows.Factory(connection.limits()));
  }

  private static OkHttpClient http(Connection connection) {
    Connection.Timeouts timeouts = connection.timeouts();
    OkHttpClient.Builder client =
        new OkHttpClient.Builder()
            // One exchange a connection: on a shared one, a stalled answer would hold up others.
            .protocols(List.of(Protocol.HTTP_1_1))
            .socketFactory(new BoundedSockets())
            .retryOnConnectionFailure(false)
            .connectTimeout(timeouts.connect())
            // A TimeLimit stands for these.
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .connectionPool(
                new ConnectionPool(IDLE_CONNECTIONS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS))
            .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
            .addNetworkInterceptor(Transport::exchange);
    proxy(client, connection.proxy());
    if (connection.isSecure()) {
      new Tls(connection.ssl()).apply(client);
    }
    return client.build();
  }

  /** A call of that URL, with the headers that every request has. */
  Call call(HttpUrl url, Credentials credentials, String userAgent, Redirects redirects) {
    Request.Builder request =
        new Request.Builder()
            .url(url)
            .tag(Redirects.class, redirects)
            .header("Authorization", credentials.basic())
            .header("Accept", "application/json")
            .header("Cache-Control", "no-cache")
            .header("User-Agent", userAgent);
    credentials.headers().forEach(request::header);
    return http.newCall(request.build());
  }

  /**
   * Exchanges a request for a response, which a redirect must not be unless it may be followed, and
   * hides a header from the library, which repeats a request at once after a 503 with 0 seconds,
   * and fails on more digits than an int has.
   */
  private static Response exchange(Interceptor.Chain chain) throws IOException {
    BoundedSockets.requestBegins();
    Response response = chain.proceed(chain.request());
    if (response.body().contentLength() < -1) {
      // The library would fail where the body is read, with an exception that is no IOException.
      throw new ProtocolException("a length below 0");
    }
    Redirects redirects = chain.request().tag(Redirects.class);
    if (response.isRedirect() && redirects != null) {
      redirects.follow(response);
    }
    if ("x-gzip".equalsIgnoreCase(response.header("Content-Encoding"))) {
      // The old name of gzip, which the library does not know.
      response = response.newBuilder().header("Content-Encoding", "gzip").build();
    }
    String after = response.header("Retry-After");
    if (after == null) {
      return response;
    }
    Headers.Builder headers = response.headers().newBuilder().removeAll("Retry-After");
    // The service's text may hold any byte.
    return response
        .newBuilder()
        .headers(headers.addUnsafeNonAscii(RETRY_AFTER, after).build())
        .build();
  }

  private static void proxy(OkHttpClient.Builder client, Connection.ProxyServer proxy) {
    if (proxy.isNone()) {
      return;
    }
    client.proxy(
        new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.host(), proxy.port())));
  }
}
