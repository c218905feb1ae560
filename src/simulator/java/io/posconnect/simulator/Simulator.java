package io.posconnect.simulator;

import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLServerSocket;

/**
 * The point-of-sale data service, on a port of one interface, usually the loopback: {@code try
 * (Simulator service = Simulator.start())}. Safe for several threads.
 *
 * <p>A key is issued, and its empty location opened, when {@link #location(String)} first names it.
 * Naming a path or a key that does not exist anywhere else is an {@link IllegalArgumentException}.
 */
public final class Simulator implements AutoCloseable {

  /** The key of {@link #location()}. */
  public static final String KEY = "simulated-key-1";

  private final ServiceClock clock;
  private final ApiKeys keys;
  private final RequestLog log;
  private final Faults faults;
  private final Router router;
  private final HttpServer server;
  private final boolean tls;
  private final String host;

  Simulator(SimulatorBuilder how) {
    clock = new ServiceClock(how.clock, how.nanos);
    keys = new ApiKeys(how.password);
    log = new RequestLog(clock);
    faults = new Faults();
    tls = how.tls.isPresent();
    // Of all interfaces, the one that every machine has.
    host = how.host.equals("0.0.0.0") || how.host.contains(":") ? "127.0.0.1" : how.host;
    router = new Router(how, keys, faults, log, clock);
    server = new HttpServer(() -> socket(how), how.host, how.port, router);
    server.listen();
  }

  private static ServerSocket socket(SimulatorBuilder how) throws IOException {
    if (how.tls.isEmpty()) {
      return ServerSocketFactory.getDefault().createServerSocket();
    }
    SSLServerSocket socket =
        (SSLServerSocket) how.tls.get().getServerSocketFactory().createServerSocket();
    socket.setNeedClientAuth(how.needsClientCertificate);
    return socket;
  }

  /** Starts the usual one on a free port. */
  public static Simulator start() {
    return builder().start();
  }

  public static SimulatorBuilder builder() {
    return new SimulatorBuilder();
  }

  /** Its address, without a slash at the end. */
  public URI baseUrl() {
    return URI.create((tls ? "https" : "http") + "://" + host + ":" + server.port());
  }

  /** The location behind {@link #KEY}. */
  public SimulatedLocation location() {
    return location(KEY);
  }

  /** The location behind the key, which is issued if it is new; also when the key is revoked. */
  public SimulatedLocation location(String key) {
    synchronized (keys) {
      return keys.find(key)
          .orElseGet(
              () -> {
                SimulatedLocation location = new SimulatedLocation(keys.count() + 1, clock);
                keys.issue(key, location);
                return location;
              });
    }
  }

  /** From now on the key is answered with 401. */
  public void revoke(String key) {
    keys.revoke(key);
  }

  /** Makes a revoked key valid again. */
  public void restore(String key) {
    keys.restore(key);
  }

  /** Another key opens that location too. */
  public void issue(String key, SimulatedLocation location) {
    keys.issue(key, location);
  }

  /** Gives the location another key; the old one is answered with 401. */
  public void rotate(String key, String successor) {
    keys.rotate(key, successor);
  }

  /** Sets the service's clock so much ahead of the world's: rows and {@code Date} headers. */
  public void skew(Duration ahead) {
    clock.skew(ahead);
  }

  /** The service's time, skew included. */
  public Instant now() {
    return clock.now();
  }

  public void fill(SimulatedLocation location, InitialRows sizes) {
    sizes.fill(location, clock.now());
  }

  /** A busy day at the location, not yet begun; to be closed by the caller. */
  public Churn churn(SimulatedLocation location, long seed) {
    return new Churn(location, seed, clock::now);
  }

  public Faults faults() {
    return faults;
  }

  /** Every request since the start or {@link #forgetRequests}, oldest first; 200 000 at most. */
  public List<LoggedRequest> requests() {
    return log.all();
  }

  /** The requests to one path, oldest first. */
  public List<LoggedRequest> requests(String path) {
    return log.all().stream().filter(request -> request.path().equals(path)).toList();
  }

  /** The most requests of the location to the path that came within less than 60 seconds. */
  public int maxInAnySlidingMinute(String path, SimulatedLocation location) {
    return log.maxInAnySlidingMinute(path, location.alias());
  }

  /** Empties the log and the counts of the rate limits. */
  public void forgetRequests() {
    router.forgetRequests();
  }

  /** Breaks all connections and refuses new ones. */
  public void goDown() {
    server.stopListening();
  }

  /** Listens again, on the same port. */
  public void comeBack() {
    server.listen();
  }

  @Override
  public void close() {
    server.stopListening();
    faults.close();
    server.close();
  }

  @Override
  public String toString() {
    return "Simulator at " + baseUrl();
  }

  /**
   * The service's own clock: stamps rows and {@code Date} headers, and may run ahead of or behind
   * the world. Elapsed time is measured apart, so that no skew moves a rate limit.
   */
  static final class ServiceClock {

    private final InstantSource world;
    private final LongSupplier nanos;
    private volatile Duration skew = Duration.ZERO;

    ServiceClock(InstantSource world, LongSupplier nanos) {
      this.world = world;
      this.nanos = nanos;
    }

    /** The service's time, in whole milliseconds. */
    Instant now() {
      return Instant.ofEpochMilli(world.instant().plus(skew).toEpochMilli());
    }

    /** The time without the skew. */
    Instant worldTime() {
      return world.instant();
    }

    /** A monotonic reading in nanoseconds; only differences mean something. */
    long nanos() {
      return nanos.getAsLong();
    }

    void skew(Duration ahead) {
      skew = ahead;
    }
  }
}
