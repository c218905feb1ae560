package io.posconnect.simulator;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Takes a call through authentication, limit and permission to its data, and through faults. */
final class Router implements Connection.Handler {

  private final Map<String, Endpoint> endpoints = new ConcurrentHashMap<>();
  private final Keys keys;
  private final Limits limits = new Limits();
  private final DataReader reader;
  private final Faults faults;
  private final RequestLog log;
  private final ServerClock clock;
  private final Courtesy courtesy;

  /**
   * Manners of the service that the interface does not settle.
   *
   * @param retryAfter sent with a 429
   * @param blockedAgents beginnings of User-Agents that the network in front turns away with 403
   */
  record Courtesy(Optional<Duration> retryAfter, List<String> blockedAgents) {}

  Router(
      List<Endpoint> endpoints,
      Keys keys,
      DataReader reader,
      Faults faults,
      RequestLog log,
      ServerClock clock,
      Courtesy courtesy) {
    endpoints.forEach(endpoint -> this.endpoints.put(endpoint.path(), endpoint));
    this.keys = keys;
    this.reader = reader;
    this.faults = faults;
    this.log = log;
    this.clock = clock;
    this.courtesy = courtesy;
  }

  @Override
  public void handle(Call call, Transmission transmission) throws IOException {
    Optional<Store> store = keys.opened(call);
    LoggedRequest begun = log.begin(call, store.map(Store::alias).orElse(""));
    List<Fault> active = faults.striking(call, store);
    Reading reading = Reading.PLAIN;
    for (Fault fault : active) {
      reading = fault.reading(reading);
    }
    Response response = answer(call, store, reading).with("Date", httpDate(clock.now()));
    for (Fault fault : active) {
      response = fault.response(response);
    }
    send(call, begun, response, transmission);
  }

  private void send(Call call, LoggedRequest begun, Response response, Transmission transmission)
      throws IOException {
    boolean withBody = !call.method().equals("HEAD");
    Body body = response.body();
    try {
      transmission.send(
          response,
          withBody,
          () -> {
            body.settled(withBody);
            log.end(begun, response.status(), body.rows(), transmission.bytes(), true);
          });
    } catch (IOException e) {
      if (!log.isOver(begun)) {
        body.settled(false);
        log.end(begun, response.status(), body.rows(), transmission.bytes(), false);
      }
      throw e;
    }
  }

  private Response answer(Call call, Optional<Store> store, Reading reading) {
    try {
      Endpoint endpoint = admitted(call, store);
      return reader.read(call, endpoint, store.orElseThrow(), reading);
    } catch (RefusedException e) {
      return e.response();
    } catch (IllegalArgumentException e) {
      return Answers.malformed();
    }
  }

  private Endpoint admitted(Call call, Optional<Store> store) throws RefusedException {
    String agent = call.header("User-Agent").orElse("");
    if (courtesy.blockedAgents().stream().anyMatch(agent::startsWith)) {
      throw new RefusedException(
          Response.of(403, "text/html", "<html><body>Access denied</body></html>"));
    }
    if (store.isEmpty()) {
      throw new RefusedException(Response.empty(401));
    }
    Endpoint endpoint = endpoints.get(call.path());
    if (endpoint == null) {
      throw new RefusedException(Response.empty(404));
    }
    if (!call.method().equals("GET")) {
      throw new RefusedException(Response.empty(405).with("Allow", "GET"));
    }
    int limit = endpoint.requestsPerMinute();
    if (!limits.admit(endpoint.path(), store.get().alias(), limit, clock.nanos())) {
      Response throttled = Answers.throttled(limit);
      throw new RefusedException(
          courtesy
              .retryAfter()
              .map(wait -> throttled.with("Retry-After", Long.toString(wait.toSeconds())))
              .orElse(throttled));
    }
    if (endpoint.permission().isPresent() && !store.get().may(endpoint.permission().get())) {
      throw new RefusedException(Answers.lacks(endpoint.permission().get()));
    }
    return endpoint;
  }

  Endpoint endpoint(String path) {
    Endpoint endpoint = endpoints.get(path);
    if (endpoint == null) {
      throw new IllegalArgumentException("the service has no " + path);
    }
    return endpoint;
  }

  void put(Endpoint endpoint) {
    endpoints.put(endpoint.path(), endpoint);
  }

  void forgetRequests() {
    limits.forget();
    log.clear();
  }

  static String httpDate(Instant time) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
  }
}
