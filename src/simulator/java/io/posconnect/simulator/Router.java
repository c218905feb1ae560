package io.posconnect.simulator;

import io.posconnect.simulator.DataReader.Reading;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.Response.RefusedException;
import io.posconnect.simulator.Simulator.ServiceClock;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Takes a request through authentication, limit and permission to its data, and through the faults
 * in force.
 */
final class Router implements HttpServer.Handler {

  private final Map<String, Endpoint> endpoints = new HashMap<>();
  private final ApiKeys keys;
  private final Limits limits = new Limits();
  private final DataReader reader;
  private final Faults faults;
  private final RequestLog log;
  private final ServiceClock clock;

  Router(SimulatorBuilder how, ApiKeys keys, Faults faults, RequestLog log, ServiceClock clock) {
    how.endpoints().forEach(endpoint -> endpoints.put(endpoint.path(), endpoint));
    this.keys = keys;
    this.reader = new DataReader(how, clock);
    this.faults = faults;
    this.log = log;
    this.clock = clock;
  }

  @Override
  public void handle(Request request, Transmission transmission) throws IOException {
    Optional<SimulatedLocation> location = keys.opened(request);
    LoggedRequest begun = log.begin(request, location.map(SimulatedLocation::alias).orElse(""));
    List<Fault> active = faults.striking(request, location);
    Reading reading = Reading.PLAIN;
    for (Fault fault : active) {
      reading = fault.reading(reading);
    }
    Response response = answer(request, location, reading).with("Date", httpDate(clock.now()));
    for (Fault fault : active) {
      response = fault.response(response);
    }
    send(request, begun, response, transmission);
  }

  private void send(
      Request request, LoggedRequest begun, Response response, Transmission transmission)
      throws IOException {
    boolean withBody = !request.method().equals("HEAD");
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

  private Response answer(Request request, Optional<SimulatedLocation> location, Reading reading) {
    try {
      Endpoint endpoint = admitted(request, location);
      return reader.read(request, endpoint, location.orElseThrow(), reading);
    } catch (RefusedException e) {
      return e.response();
    } catch (IllegalArgumentException e) {
      return Response.malformed();
    }
  }

  private Endpoint admitted(Request request, Optional<SimulatedLocation> location)
      throws RefusedException {
    if (location.isEmpty()) {
      throw new RefusedException(Response.empty(401));
    }
    Endpoint endpoint = endpoints.get(request.path());
    if (endpoint == null) {
      throw new RefusedException(Response.empty(404));
    }
    if (!request.method().equals("GET")) {
      throw new RefusedException(Response.empty(405).with("Allow", "GET"));
    }
    int limit = endpoint.requestsPerMinute();
    if (!limits.admit(endpoint.path(), location.get().alias(), limit, clock.nanos())) {
      throw new RefusedException(
          Response.error(
              429, "Only " + limit + " requests per minute are permitted to this endpoint."));
    }
    if (endpoint.permission().isPresent() && !location.get().may(endpoint.permission().get())) {
      String lacking = endpoint.permission().get().published();
      throw new RefusedException(
          Response.error(403, "The key lacks the permission " + lacking + "."));
    }
    return endpoint;
  }

  void forgetRequests() {
    limits.forget();
    log.clear();
  }

  static String httpDate(Instant time) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
  }

  /**
   * Counts the requests of each key to each endpoint over the last 60 seconds. Refused ones do not
   * count. Safe for several threads.
   */
  private static final class Limits {

    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private record Bucket(String path, String key) {}

    private final Map<Bucket, Deque<Long>> admitted = new HashMap<>();

    /** Counts one more request, unless that exceeds the limit. */
    synchronized boolean admit(String path, String key, int limit, long nanos) {
      Deque<Long> times =
          admitted.computeIfAbsent(new Bucket(path, key), any -> new ArrayDeque<>());
      while (!times.isEmpty() && nanos - times.peekFirst() >= WINDOW_NANOS) {
        times.removeFirst();
      }
      if (times.size() >= limit) {
        return false;
      }
      times.addLast(nanos);
      return true;
    }

    synchronized void forget() {
      admitted.clear();
    }
  }
}
