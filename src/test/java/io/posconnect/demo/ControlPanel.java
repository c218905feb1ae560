package io.posconnect.demo;

import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.Simulator;
import java.math.BigDecimal;
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
  private final HostileService server;
  private boolean revoked;
  private Optional<ActiveFault> loss = Optional.empty();

  /**
   * @param topicLoss removes half of the products from their topic; returns how many
   */
  ControlPanel(Simulator service, IntSupplier topicLoss) {
    this.service = service;
    this.topicLoss = topicLoss;
    server = HostileService.start(this::answer);
  }

  URI url() {
    return server.baseUrl();
  }

  private synchronized Answer answer(Call call) {
    return call.method().equals("POST")
        ? perform(URI.create(call.target()))
        : text("405 No", "use curl -X POST");
  }

  private static Answer done(String text) {
    return text("200 OK", text);
  }

  private static Answer text(String status, String text) {
    return Answer.respond(status, "", text + "\n");
  }

  private Answer perform(URI request) {
    return switch (request.getPath()) {
      case "/key/revoke" -> revoke(true);
      case "/key/restore" -> revoke(false);
      case "/inventory/lose-half" -> loseHalf(true);
      case "/inventory/restore" -> loseHalf(false);
      case "/topics/products/lose-half" ->
          done("the topic has lost " + topicLoss.getAsInt() + " products");
      default -> {
        String[] path = request.getPath().split("/", -1);
        yield path.length == 3 && path[1].equals("products") && path[2].matches("\\d{1,9}")
            ? change(Long.parseLong(path[2]), Optional.ofNullable(request.getQuery()).orElse(""))
            : text("404 No", "the simulated store has no " + request.getPath());
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
    return done("the key of the store is " + (revoked ? "revoked" : "valid"));
  }

  private Answer loseHalf(boolean wanted) {
    if (wanted && loss.isEmpty()) {
      loss = Optional.of(service.faults().on(Endpoint.INVENTORY).then(Fault.firstHalf()));
    } else if (!wanted) {
      loss.ifPresent(ActiveFault::close);
      loss = Optional.empty();
    }
    return done("the service lists " + (loss.isPresent() ? "half of" : "all") + " its inventory");
  }

  /**
   * @param query the price, such as {@code price=9.99}
   */
  private Answer change(long product, String query) {
    if (!query.matches("price=\\d{1,9}(\\.\\d{1,4})?")) {
      return text("400 No", "give the price, such as ?price=9.99");
    }
    String price = query.substring(query.indexOf('=') + 1);
    try {
      service
          .location()
          .products()
          .updateEdited(product, row -> row.put("price", new BigDecimal(price)));
    } catch (IllegalArgumentException e) {
      return text("404 No", e.getMessage());
    }
    return done("product " + product + " costs " + price);
  }

  @Override
  public void close() {
    server.close();
  }
}
