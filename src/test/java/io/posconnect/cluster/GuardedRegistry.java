package io.posconnect.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okio.ByteString;

/** Stands in front of a registry that keeps running, over TLS, and admits who shows a token. */
public final class GuardedRegistry implements AutoCloseable {

  private final MockWebServer server = new MockWebServer();
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger refused = new AtomicInteger();

  public GuardedRegistry(Registry registry, SSLContext identity, String token) {
    server.useHttps(identity.getSocketFactory());
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            if (("Bearer " + token).equals(request.getHeaders().get("Authorization"))) {
              return passed(registry.url(), request);
            }
            refused.incrementAndGet();
            return new MockResponse.Builder().code(401).build();
          }
        });
    try {
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The place behind it that the address of the registry has. */
  public URI url(URI unguarded) {
    return URI.create("https://127.0.0.1:" + server.getPort()).resolve(unguarded.getPath());
  }

  /** How many requests it has refused. */
  public int refused() {
    return refused.get();
  }

  private MockResponse passed(URI registry, RecordedRequest request) {
    ByteString body = request.getBody();
    HttpRequest.Builder passed =
        HttpRequest.newBuilder(registry.resolve(request.getTarget()))
            .method(
                request.getMethod(),
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(body.toByteArray()));
    request
        .getHeaders()
        .forEach(
            header -> {
              if (header.getFirst().matches("(?i)accept|content-type|x-registry-.*")) {
                passed.header(header.getFirst(), header.getSecond());
              }
            });
    try {
      HttpResponse<String> answer = http.send(passed.build(), BodyHandlers.ofString());
      MockResponse.Builder response =
          new MockResponse.Builder().code(answer.statusCode()).body(answer.body());
      answer
          .headers()
          .firstValue("content-type")
          .ifPresent(t -> response.setHeader("Content-Type", t));
      return response.build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
