package io.posconnect.benchmark;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Serves ready files of rows, so that it takes little of the processors. A request for a list waits
 * until {@link #release} answers it: a measurement begins then, whatever came before.
 */
final class ListServer implements AutoCloseable {

  private static final String IDENTITY = "{\"LocationName\":\"Benchmark\",\"LocationId\":1}";

  private static final int PIECE = 1 << 16;

  private record Waiting(Instant since, CompletableFuture<Void> permission) {}

  private final Map<String, Path> lists = new ConcurrentHashMap<>();
  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
  private volatile CompletableFuture<Void> current = new CompletableFuture<>();
  private final HostileService server = HostileService.start(this::answer);

  void add(String name, Path file) {
    lists.put(name, file);
  }

  URI url(String path) {
    return server.baseUrl().resolve(path);
  }

  private Answer answer(Call call) {
    Path list = lists.get(call.path());
    String query = URI.create(call.target()).getQuery();
    if (list == null) {
      return Answer.json(IDENTITY);
    } else if ("sample".equals(query)) {
      return Answer.json(new String(ProductRows.list(ProductRows.SAMPLE), US_ASCII));
    }
    CompletableFuture<Void> permission = new CompletableFuture<>();
    waiting.add(new Waiting(Instant.now(), permission));
    permission.join();
    if ("empty".equals(query)) {
      return Answer.json("[]");
    }
    return wire -> {
      wire.json("Content-Length: " + Files.size(list) + "\r\n");
      OutputStream out = new BufferedOutputStream(wire.out(), PIECE);
      Files.copy(list, out);
      out.flush();
    };
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
    server.close();
  }
}
