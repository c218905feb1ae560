package io.posconnect.simulator;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLServerSocket;

/**
 * The point-of-sale data service, on a port of the loopback interface: {@code try (Simulator
 * service = Simulator.start())}. Safe for several threads.
 *
 * <p>A key is issued, and its empty store opened, when {@link #store(String)} first names it.
 * Naming a path or a key that does not exist anywhere else is an {@link IllegalArgumentException}.
 */
public final class Simulator implements AutoCloseable {

  /** The key of {@link #store()}. */
  public static final String KEY = "simulated-key-1";

  private final ServerClock clock;
  private final Keys keys;
  private final RequestLog log;
  private final Faults faults;
  private final Router router;
  private final HttpLoop loop;
  private final boolean tls;
  private final boolean pascalCaseIdentity;

  Simulator(SimulatorBuilder how) {
    clock = new ServerClock(how.clock, how.nanos);
    keys = new Keys(how.password);
    log = new RequestLog(clock);
    faults = new Faults(clock);
    tls = how.tls.isPresent();
    pascalCaseIdentity = how.pascalCaseIdentity;
    router =
        new Router(
            how.endpoints(),
            keys,
            new DataReader(how.rules, clock, how.keepsHistory),
            faults,
            log,
            clock,
            new Router.Courtesy(how.retryAfter, List.copyOf(how.blockedAgents)));
    loop = new HttpLoop(() -> socket(how), how.port, router);
    loop.listen();
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

  /** Where it is, without a slash at the end. */
  public URI baseUrl() {
    return URI.create((tls ? "https" : "http") + "://127.0.0.1:" + loop.port());
  }

  public int port() {
    return loop.port();
  }

  /** The store behind {@link #KEY}. */
  public Store store() {
    return store(KEY);
  }

  /** The store behind the key, which is issued if it is new; also when the key is revoked. */
  public Store store(String key) {
    synchronized (keys) {
      return keys.find(key)
          .orElseGet(
              () -> {
                Store store = new Store(keys.count() + 1, clock, pascalCaseIdentity);
                keys.issue(key, store);
                return store;
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

  /** Gives the store another key; the old one is answered with 401. */
  public void rotate(String key, String successor) {
    keys.rotate(key, successor);
  }

  /** Changes a limit, in requests per minute and key. */
  public void limit(String path, int requestsPerMinute) {
    router.put(router.endpoint(path).withLimit(requestsPerMinute));
  }

  /** Sets the service's clock so much ahead of the world's: rows and {@code Date} headers. */
  public void skew(Duration ahead) {
    clock.skew(ahead);
  }

  /** What the service believes the time is, skew included. */
  public Instant now() {
    return clock.now();
  }

  /** Fills the store as of now. */
  public void fill(Store store, RandomStore sizes) {
    sizes.fill(store, clock.now());
  }

  /** A busy day at the store, not yet begun; to be closed by the caller. */
  public Churn churn(Store store, long seed) {
    return new Churn(store, seed, clock::now);
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

  /** The most requests of the store to the path that came within less than 60 seconds. */
  public int maxInAnySlidingMinute(String path, Store store) {
    return log.maxInAnySlidingMinute(path, store.alias());
  }

  /** Begins the log and the counts of the rate limits anew. */
  public void forgetRequests() {
    router.forgetRequests();
  }

  /** Breaks all connections and refuses new ones. */
  public void goDown() {
    loop.deafen();
  }

  /** Listens again, on the same port. */
  public void comeBack() {
    loop.listen();
  }

  @Override
  public void close() {
    loop.deafen();
    faults.close();
    loop.close();
  }

  @Override
  public String toString() {
    return "Simulator at " + baseUrl();
  }
}
