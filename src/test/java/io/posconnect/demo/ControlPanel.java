package io.posconnect.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Changes and breaks the simulated store by requests of a shell, such as {@code curl -X POST
 * 'http://127.0.0.1:40003/products/1?price=9.99'}. One request at a time is answered.
 */
final class ControlPanel implements AutoCloseable {

  private final Simulator service;
  private final IntSupplier topicLoss;
  private final HttpServer server;
  private boolean revoked;
  private Optional<ActiveFault> loss = Optional.empty();

  private record Answer(int status, String text) {

    static Answer done(String text) {
      return new Answer(200, text);
    }
  }

  /**
   * @param topicLoss removes half of the products from their topic; returns how many
   */
  ControlPanel(Simulator service, IntSupplier topicLoss) {
    this.service = service;
    this.topicLoss = topicLoss;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer =
          exchange.getRequestMethod().equals("POST")
              ? perform(exchange.getRequestURI())
              : new Answer(405, "use curl -X POST");
      byte[] body = (answer.text() + "\n").getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Answer perform(URI request) {
    return switch (request.getPath()) {
      case "/key/revoke" -> revoke(true);
      case "/key/restore" -> revoke(false);
      case "/inventory/lose-half" -> loseHalf(true);
      case "/inventory/restore" -> loseHalf(false);
      case "/topics/products/lose-half" ->
          Answer.done("the topic has lost " + topicLoss.getAsInt() + " products");
      default -> {
        String[] path = request.getPath().split("/", -1);
        yield path.length == 3 && path[1].equals("products") && path[2].matches("\\d{1,9}")
            ? change(Long.parseLong(path[2]), Optional.ofNullable(request.getQuery()).orElse(""))
            : new Answer(404, "the simulated store has no " + request.getPath());
      }
    };
  }

  private Answer revoke(boolean wanted) {
    if (wanted != revoked) {
      if (wanted) {
        service.revoke(Simulator.KEY);
      } else {
        service.restore(Simulator.KEY);
      }
      revoked = wanted;
    }
    return Answer.done("the key of the store is " + (revoked ? "revoked" : "valid"));
  }

  private Answer loseHalf(boolean wanted) {
    if (wanted && loss.isEmpty()) {
      loss = Optional.of(service.faults().on(Endpoint.INVENTORY).then(Fault.firstHalf()));
    } else if (!wanted) {
      loss.ifPresent(ActiveFault::close);
      loss = Optional.empty();
    }
    return Answer.done(
        "the service lists " + (loss.isPresent() ? "half of" : "all") + " its inventory");
  }

  /**
   * @param query the price, such as {@code price=9.99}
   */
  private Answer change(long product, String query) {
    if (!query.matches("price=\\d{1,9}(\\.\\d{1,4})?")) {
      return new Answer(400, "give the price, such as ?price=9.99");
    }
    String price = query.substring(query.indexOf('=') + 1);
    try {
      service
          .location()
          .products()
          .updateEdited(product, row -> row.put("price", new BigDecimal(price)));
    } catch (IllegalArgumentException e) {
      return new Answer(404, e.getMessage());
    }
    return Answer.done("product " + product + " costs " + price);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
