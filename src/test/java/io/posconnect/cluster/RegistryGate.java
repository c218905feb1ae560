package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import io.posconnect.hostile.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Stands between clients and a registry that keeps running. It admits who shows a token, or
 * everybody, and takes the registry away from them: it refuses connections, stays silent, or breaks
 * off every answer.
 */
public final class RegistryGate implements AutoCloseable {

  private final Registry registry;
  private final String authorization;
  private final HostileService service;
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger stopped = new AtomicInteger();
  private volatile CompletableFuture<Boolean> passes = CompletableFuture.completedFuture(true);
  private volatile boolean cuts;

  /** An open gate without TLS. */
  public RegistryGate(Registry registry) {
    this(registry, null, "");
  }

  /**
   * An open gate.
   *
   * @param identity null for no TLS
   * @param authorization the header of those that it admits; empty: that have none
   */
  public RegistryGate(Registry registry, @Nullable SSLContext identity, String authorization) {
    this.registry = registry;
    this.authorization = authorization;
    this.service = HostileService.start(identity, this::answer);
  }

  /** The place behind it that the address of the registry has; it never changes. */
  public URI url(URI ungated) {
    return service.baseUrl().resolve(ungated.getPath());
  }

  /** Passes everything, and first what was held back. */
  public void open() {
    become(false);
    passes.complete(true);
  }

  /** Refuses connections, and ends those that exist. */
  public void refuse() {
    service.close();
  }

  /** Accepts connections and requests, and holds back both requests and answers. */
  public void silence() {
    passes = passes.isDone() ? new CompletableFuture<>() : passes;
    become(false);
  }

  /** Passes requests, and breaks off the connection when the answer begins. */
  public void cut() {
    become(true);
    passes.complete(true);
  }

  private void become(boolean cutting) {
    cuts = cutting;
    service.listen();
  }

  /** How many times it has not admitted a client, held something back or broken it off. */
  public int stopped() {
    return stopped.get();
  }

  private Answer answer(Call call) {
    if (!call.header("Authorization").equals(authorization)) {
      stopped.incrementAndGet();
      return Answer.respond("401 No", "", "");
    }
    if (!passes()) {
      return Wire::close;
    }
    Answer answer = passed(call);
    if (cuts) {
      stopped.incrementAndGet();
      return Wire::close;
    }
    return passes() ? answer : Wire::close;
  }

  /** Waits while it is silent. */
  private boolean passes() {
    if (!passes.isDone()) {
      stopped.incrementAndGet();
    }
    return passes.join();
  }

  private Answer passed(Call call) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(registry.url().resolve(call.target()))
            .method(call.method(), BodyPublishers.ofString(call.body(), ISO_8859_1));
    call.headers()
        .forEach(
            (name, value) -> {
              if (name.matches("(?i)accept|content-type|x-registry-.*")) {
                request.header(name, value);
              }
            });
    try {
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      String type = answer.headers().firstValue("Content-Type").orElse("application/json");
      return Answer.respond(
          answer.statusCode() + " X", "Content-Type: " + type + "\r\n", answer.body());
    } catch (IOException e) {
      // The registry has died; its clients see that as the end of their connections.
      return Wire::close;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    service.close();
    passes.complete(false);
  }
}
