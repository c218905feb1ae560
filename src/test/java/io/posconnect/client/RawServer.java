package io.posconnect.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockResponseBody;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okhttp3.Headers;
import okio.BufferedSink;
import okio.ByteString;

/** An HTTP server that answers by a script, however wrongly, and records its requests. */
final class RawServer implements AutoCloseable {

  private static final String JSON = "Content-Type: application/json\r\n";

  private final MockWebServer server = new MockWebServer();
  private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();

  RawServer(MockResponse answer) throws IOException {
    this(head -> answer);
  }

  /**
   * @param script from a request's head to its answer
   */
  RawServer(Function<String, MockResponse> script) throws IOException {
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            requests.add(request);
            return script.apply(head(request));
          }
        });
    server.start();
  }

  /** A complete response. */
  static MockResponse respond(String status, String headers, String body) {
    return respond(status, headers, body.getBytes(StandardCharsets.UTF_8));
  }

  static MockResponse respond(String status, String headers, byte[] body) {
    String length = "Content-Length: " + body.length + "\r\n";
    return response(status, headers + length, body).build();
  }

  static MockResponse json(String body) {
    return respond("200 OK", JSON, body);
  }

  /** These bytes for a body, whatever the headers announce. */
  static MockResponse garbled(String headers, String bytes) {
    return ok(headers, bytes).build();
  }

  /** These bytes for a body, whatever the headers announce; then the connection ends. */
  static MockResponse cut(String headers, String bytes) {
    return ok(headers, bytes).onResponseBody(new SocketEffect.CloseSocket()).build();
  }

  /** These bytes for a body, whatever the headers announce; then nothing more. */
  static MockResponse stalled(String headers, String bytes) {
    return ok(headers, bytes).onResponseBody(SocketEffect.Stall.INSTANCE).build();
  }

  /** No response, and no end of the connection. */
  static MockResponse silence() {
    return new MockResponse.Builder().onResponseStart(SocketEffect.Stall.INSTANCE).build();
  }

  private static MockResponse.Builder ok(String headers, String bytes) {
    return response("200 OK", JSON + headers, bytes.getBytes(StandardCharsets.UTF_8));
  }

  private static MockResponse.Builder response(String status, String headers, byte[] body) {
    Headers.Builder fields = new Headers.Builder();
    for (String line : headers.lines().toList()) {
      int colon = line.indexOf(':');
      fields.addUnsafeNonAscii(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return new MockResponse.Builder()
        .status("HTTP/1.1 " + status)
        .body(new Bytes(ByteString.of(body)))
        .headers(fields.build());
  }

  URI url() {
    return url("");
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  int port() {
    return server.getPort();
  }

  /** The heads of all requests so far. */
  List<String> heads() {
    return requests.stream().map(RawServer::head).toList();
  }

  String head() {
    return head(requests.get(requests.size() - 1));
  }

  private static String head(RecordedRequest request) {
    StringBuilder head = new StringBuilder(request.getRequestLine()).append("\r\n");
    Headers fields = request.getHeaders();
    for (int i = 0; i < fields.size(); i++) {
      head.append(fields.name(i)).append(": ").append(fields.value(i)).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  /** How many connections those requests came by. */
  long connections() {
    return requests.stream().map(RecordedRequest::getConnectionIndex).distinct().count();
  }

  @Override
  public void close() {
    server.close();
  }

  /** A body that claims twice its length: its effect comes when half of that was sent. */
  private record Bytes(ByteString bytes) implements MockResponseBody {
    @Override
    public long getContentLength() {
      return 2L * bytes.size();
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sink.write(bytes);
    }
  }
}
