package io.posconnect.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * Sets the HTTP client up so that it sends exactly the requests it is given: no redirects, no
 * second try, no request that a limiter does not know of.
 */
final class Transport {

  // Long enough for the next page; too short for the service to have closed it in the meantime.
  private static final long KEEP_ALIVE_SECONDS = 5;
  private static final int IDLE_CONNECTIONS = 4;

  /** Where a response's {@code Retry-After} stands when it comes out of here. */
  static final String RETRY_AFTER = "X-Retry-After-As-Sent";

  private Transport() {}

  /**
   * @throws IllegalArgumentException when a trust or key store cannot be used
   */
  static OkHttpClient open(Connection connection) {
    Connection.Timeouts timeouts = connection.timeouts();
    OkHttpClient.Builder client =
        new OkHttpClient.Builder()
            // One exchange a connection: on a shared one, a stalled answer would hold up others.
            .protocols(List.of(Protocol.HTTP_1_1))
            .followRedirects(false)
            .followSslRedirects(false)
            .retryOnConnectionFailure(false)
            .connectTimeout(timeouts.connect())
            .readTimeout(timeouts.request())
            .writeTimeout(timeouts.stall())
            .connectionPool(
                new ConnectionPool(IDLE_CONNECTIONS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS))
            .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
            .addNetworkInterceptor(Transport::withoutInvitation);
    proxy(client, connection.proxy());
    if (connection.isSecure()) {
      Tls.apply(connection.ssl(), client);
    }
    return client.build();
  }

  /**
   * The library must not read on a 503 when it may be repeated: after 0 seconds it would do so at
   * once, and of more digits than an int has it dies.
   */
  private static Response withoutInvitation(Interceptor.Chain chain) throws IOException {
    Response response = chain.proceed(chain.request());
    String after = response.header("Retry-After");
    return after == null
        ? response
        : response.newBuilder().removeHeader("Retry-After").header(RETRY_AFTER, after).build();
  }

  private static void proxy(OkHttpClient.Builder client, Connection.ProxyServer proxy) {
    if (proxy.isNone()) {
      return;
    }
    client.proxy(
        new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.host(), proxy.port())));
  }
}
