package io.posconnect.client;

import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.client.Connection.Timeouts;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.HostileService;
import io.posconnect.json.BodyLimits;
import io.posconnect.json.Row;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;

/** Clients for tests. */
final class Clients {

  static final String KEY = "s3cr3t-Key";
  static final Credentials CREDENTIALS = new Credentials(KEY, "");
  static final Request PRODUCTS = new Request("/products");

  private static final ConfigDef SSL = new ConfigDef();

  static {
    SslConfigs.addClientSslSupport(SSL);
  }

  private static final Map<String, Privacy> PUBLIC =
      Map.of(
          "locations", Privacy.NONE,
          "products", Privacy.NONE,
          "register-transactions", Privacy.NONE);

  private Clients() {}

  /** Kafka's values of these settings, and its defaults of the others, where it has any. */
  static Map<String, Object> ssl(Map<String, String> settings) {
    Map<String, Object> values = SSL.parse(settings);
    values.values().removeIf(Objects::isNull);
    return values;
  }

  /** A connection with nothing but defaults. */
  static Connection connection(String location, URI baseUrl) {
    return new Connection(
        location,
        baseUrl,
        Connection.USER_AGENT,
        Timeouts.DEFAULT,
        ProxyServer.NONE,
        ssl(Map.of()),
        BodyLimits.DEFAULT,
        PUBLIC);
  }

  static HttpApiClient to(URI baseUrl) {
    return to(baseUrl, () -> CREDENTIALS);
  }

  static HttpApiClient to(URI baseUrl, Supplier<Credentials> credentials) {
    return new HttpApiClient(connection("downtown", baseUrl), credentials, new Transports());
  }

  static HttpApiClient to(URI baseUrl, Timeouts timeouts) {
    return to(baseUrl, timeouts, BodyLimits.DEFAULT);
  }

  static HttpApiClient to(URI baseUrl, Timeouts timeouts, BodyLimits limits) {
    return to(baseUrl, timeouts, limits, ProxyServer.NONE, Map.of());
  }

  static HttpApiClient to(URI baseUrl, ProxyServer proxy) {
    return to(baseUrl, Timeouts.DEFAULT, BodyLimits.DEFAULT, proxy, Map.of());
  }

  static HttpApiClient to(URI baseUrl, Map<String, String> ssl) {
    return to(baseUrl, Timeouts.DEFAULT, BodyLimits.DEFAULT, ProxyServer.NONE, ssl);
  }

  static HttpApiClient to(
      URI baseUrl,
      Timeouts timeouts,
      BodyLimits limits,
      ProxyServer proxy,
      Map<String, String> ssl) {
    return new HttpApiClient(
        connection(baseUrl, timeouts, limits, proxy, ssl), () -> CREDENTIALS, new Transports());
  }

  static Connection connection(URI baseUrl, Map<String, String> ssl) {
    return connection(baseUrl, Timeouts.DEFAULT, BodyLimits.DEFAULT, ProxyServer.NONE, ssl);
  }

  private static Connection connection(
      URI baseUrl,
      Timeouts timeouts,
      BodyLimits limits,
      ProxyServer proxy,
      Map<String, String> ssl) {
    return new Connection(
        "downtown", baseUrl, "tests/1", timeouts, proxy, ssl(ssl), limits, PUBLIC);
  }

  static Timeouts timeouts(int requestMillis, int stallMillis) {
    return new Timeouts(
        Duration.ofSeconds(5), Duration.ofMillis(requestMillis), Duration.ofMillis(stallMillis));
  }

  static SharedRateLimits.Limit limit(int perMinute, double share) {
    URI host = URI.create("https://api.example.com");
    return new SharedRateLimits.Limit(host, CREDENTIALS, "/products", perMinute, share);
  }

  static RateLimit limiter(int perMinute, double share, long startNanos) {
    return new SharedRateLimits().limiter(limit(perMinute, share), startNanos);
  }

  static Rows open(ApiClient client) throws ApiException {
    return open(client, "products", PRODUCTS, Shape.ARRAY);
  }

  static Rows open(ApiClient client, String resource, Request request, Shape shape)
      throws ApiException {
    return client.open(resource, request, shape, () -> {});
  }

  /** All rows of an array at /products. */
  static List<String> read(ApiClient client) throws ApiException {
    try (Rows rows = open(client)) {
      return drain(rows);
    }
  }

  /** What a client reads of a service that always answers so. */
  static List<String> answered(Answer answer) throws ApiException {
    return answered(answer, Timeouts.DEFAULT);
  }

  static List<String> answered(Answer answer, Timeouts timeouts) throws ApiException {
    try (HostileService server = HostileService.always(answer);
        HttpApiClient client = to(server.baseUrl(), timeouts)) {
      return read(client);
    }
  }

  static List<String> drain(Rows rows) throws ApiException {
    List<String> all = new ArrayList<>();
    for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
      all.add(row.get().json());
    }
    return all;
  }
}
