package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;
import io.posconnect.simulator.Simulator;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Hundreds of locations are reached in one way, and each with its own key. */
class ManyLocationsTest {

  private static final Request WHOAMI = new Request("/whoami");

  private final Transports shared = new Transports();

  private HttpApiClient client(Simulator service, String location, String key) {
    return new HttpApiClient(
        Clients.connection(location, service.baseUrl()), () -> new Credentials(key, ""), shared);
  }

  @Test
  void eachClientSendsItsOwnKey() throws ApiException {
    try (Simulator service = Simulator.start();
        HttpApiClient first = client(service, "first", "key-1");
        HttpApiClient second = client(service, "second", "key-2")) {
      String one = service.location("key-1").alias();
      String two = service.location("key-2").alias();
      Clients.open(first, "locations", WHOAMI, Shape.OBJECT).close();
      Clients.open(second, "locations", WHOAMI, Shape.OBJECT).close();
      assertThat(service.requests()).extracting(r -> r.location()).containsExactly(one, two);
    }
  }

  @Test
  void closingOneClientLeavesTheOthers() throws ApiException {
    try (Simulator service = Simulator.start()) {
      service.location("key-1");
      HttpApiClient first = client(service, "first", "key-1");
      HttpApiClient second = client(service, "second", "key-1");
      first.close();
      assertThatThrownBy(() -> Clients.open(first, "locations", WHOAMI, Shape.OBJECT))
          .isInstanceOf(ClientClosedException.class);
      Clients.open(second, "locations", WHOAMI, Shape.OBJECT).close();
      second.close();
    }
  }

  /** In a group of its own, since threads of other tests end and begin at any moment. */
  @Test
  void twoHundredLocationsStartNoThreads() throws Exception {
    FutureTask<Integer> started = new FutureTask<>(ManyLocationsTest::threadsOfTwoHundredLocations);
    new Thread(new ThreadGroup("clients"), started, "clients").start();
    assertThat(started.get()).isZero();
  }

  private static int threadsOfTwoHundredLocations() {
    Transports shared = new Transports();
    HttpApiClient first = tls("first", shared);
    int before = Thread.activeCount();
    List<HttpApiClient> clients = new ArrayList<>(List.of(first));
    for (int i = 0; i < 200; i++) {
      clients.add(tls("store" + i, shared));
    }
    int started = Thread.activeCount() - before;
    clients.forEach(HttpApiClient::close);
    return started;
  }

  private static HttpApiClient tls(String location, Transports shared) {
    return new HttpApiClient(
        Clients.connection(location, URI.create("https://localhost:1")),
        () -> new Credentials("key", ""),
        shared);
  }
}
