package io.posconnect.benchmark;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Serves ready files of rows, so that it takes little of the processors. A request for a list waits
 * until {@link #release} answers it: a measurement begins then, whatever came before.
 */
final class ListServer implements AutoCloseable {

  private static final String IDENTITY = "{\"LocationName\":\"Benchmark\",\"LocationId\":1}";

  private record Waiting(Instant since, CompletableFuture<Void> permission) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Path> lists = new ConcurrentHashMap<>();
  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
  private volatile CompletableFuture<Void> current = new CompletableFuture<>();

  ListServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  void add(String name, Path file) {
    lists.put(name, file);
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort()).resolve(path);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Path list = lists.get(exchange.getRequestURI().getPath());
      String query = exchange.getRequestURI().getQuery();
      if (list == null) {
        send(exchange, IDENTITY.getBytes(US_ASCII));
      } else if ("sample".equals(query)) {
        send(exchange, ProductRows.list(ProductRows.SAMPLE));
      } else {
        CompletableFuture<Void> permission = new CompletableFuture<>();
        waiting.add(new Waiting(Instant.now(), permission));
        permission.join();
        if ("empty".equals(query)) {
          send(exchange, "[]".getBytes(US_ASCII));
        } else {
          send(exchange, list);
        }
      }
    }
  }

  private static void send(HttpExchange exchange, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private static void send(HttpExchange exchange, Path file) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, Files.size(file));
    byte[] piece = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file);
        OutputStream out = exchange.getResponseBody()) {
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        out.write(piece, 0, n);
      }
    }
  }

  /** Waits until a connector waits for a list; returns since when it does. */
  Instant awaitRequest() throws InterruptedException {
    Waiting next = waiting.poll(3, TimeUnit.MINUTES);
    if (next == null) {
      throw new AssertionError("no connector asks for a list");
    }
    current = next.permission();
    return next.since();
  }

  /** Answers the connector that waits; returns the time. */
  Instant release() {
    Instant now = Instant.now();
    current.complete(null);
    return now;
  }

  /** Answers all that wait, whose connectors are gone. */
  void dismiss() {
    for (var next = waiting.poll(); next != null; next = waiting.poll()) {
      next.permission().complete(null);
    }
  }

  @Override
  public void close() {
    dismiss();
    server.stop(0);
    threads.shutdownNow();
  }
}
