package io.posconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.posconnect.Io;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** JSON over HTTP, for one base address. */
final class Rest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(100);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final URI base;

  Rest(URI base) {
    this.base = base;
  }

  /**
   * One answer.
   *
   * @param body a missing node when there was none, or none in JSON
   */
  record Answer(String request, int status, JsonNode body, String text) {

    boolean ok() {
      return status / 100 == 2;
    }

    /** The body of a success; an {@link IllegalStateException} that shows everything otherwise. */
    JsonNode orThrow() {
      if (!ok()) {
        throw new IllegalStateException(request + " answered " + status + ": " + text);
      }
      return body;
    }
  }

  Answer get(String path) throws IOException {
    return send("GET", path);
  }

  /** Sends a request without a body. */
  Answer send(String method, String path) throws IOException {
    return send(method, path, HttpRequest.BodyPublishers.noBody());
  }

  /** Sends a request; the body is anything that Jackson can write. */
  Answer send(String method, String path, Object body) throws IOException {
    return send(method, path, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
  }

  /** The same for callers to whom a failing connection is a failure and not a state. */
  static JsonNode unwrap(Io<Answer> call) {
    return Io.unchecked(call).orThrow();
  }

  private Answer send(String method, String path, HttpRequest.BodyPublisher body)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .method(method, body)
            .build();
    try {
      HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(
          method + " " + request.uri(),
          response.statusCode(),
          parse(response.body()),
          response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static JsonNode parse(String text) throws IOException {
    if (text.isEmpty() || "{[\"0123456789tfn-".indexOf(text.charAt(0)) < 0) {
      return MissingNode.getInstance();
    }
    return JSON.readTree(text);
  }
}
