package io.posconnect.client;

import io.posconnect.json.BodyLimits;
import io.posconnect.json.Row;
import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Clients as tests want them. */
final class Clients {

  static final String KEY = "s3cr3t-Key";
  static final Credentials CREDENTIALS = new Credentials(KEY, "");
  static final Request PRODUCTS = new Request("/products");

  private Clients() {}

  static HttpApiClient to(URI baseUrl) {
    return new HttpApiClient(new Connection("downtown", baseUrl), () -> CREDENTIALS);
  }

  static HttpApiClient to(URI baseUrl, Timeouts timeouts) {
    return to(baseUrl, timeouts, BodyLimits.DEFAULT);
  }

  static HttpApiClient to(URI baseUrl, Timeouts timeouts, BodyLimits limits) {
    return to(baseUrl, timeouts, limits, ProxyServer.NONE, StoreFile.NONE, StoreFile.NONE);
  }

  static HttpApiClient to(
      URI baseUrl,
      Timeouts timeouts,
      BodyLimits limits,
      ProxyServer proxy,
      StoreFile trust,
      StoreFile key) {
    Connection connection =
        new Connection("downtown", baseUrl, true, "tests/1", timeouts, proxy, trust, key, limits);
    return new HttpApiClient(connection, () -> CREDENTIALS);
  }

  static Timeouts timeouts(int requestMillis, int stallMillis) {
    return new Timeouts(
        Duration.ofSeconds(5), Duration.ofMillis(requestMillis), Duration.ofMillis(stallMillis));
  }

  /** All rows of an array at /products. */
  static List<String> read(ApiClient client) throws ApiException {
    try (Rows rows = client.open("products", PRODUCTS, Shape.ARRAY)) {
      return drain(rows);
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
