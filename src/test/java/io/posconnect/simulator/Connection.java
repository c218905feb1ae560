package io.posconnect.simulator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One client's connection: request after request until either side ends it. */
final class Connection {

  /** Answers one call, using the transmission. */
  @FunctionalInterface
  interface Handler {
    void handle(Call call, Transmission transmission) throws IOException;
  }

  private static final int LONGEST_LINE = 64 * 1024;

  private final InputStream in;
  private final Transmission transmission;
  private final Handler handler;

  Connection(Socket socket, Handler handler) throws IOException {
    this.in = new BufferedInputStream(socket.getInputStream());
    this.transmission = new Transmission(socket);
    this.handler = handler;
  }

  void serve() throws IOException {
    boolean goOn = true;
    while (goOn) {
      Optional<String> line = line();
      if (line.isEmpty()) {
        return;
      }
      String[] parts = line.get().split(" ", -1);
      if (parts.length != 3 || !parts[2].startsWith("HTTP/1.")) {
        throw new ProtocolException("not an HTTP/1 request line");
      }
      goOn = serve(parts);
    }
  }

  private boolean serve(String[] requestLine) throws IOException {
    Map<String, String> headers = headers();
    skipBody(headers);
    Call call;
    try {
      call = Call.of(requestLine[0], requestLine[1], headers);
    } catch (IllegalArgumentException e) {
      transmission.send(Answers.malformed().with("Connection", "close"), true, () -> {});
      return false;
    }
    handler.handle(call, transmission);
    return !call.wantsClose() && requestLine[2].equals("HTTP/1.1");
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    while (true) {
      String line = line().orElseThrow(() -> new ProtocolException("headers break off"));
      if (line.isEmpty()) {
        return headers;
      }
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new ProtocolException("a header without a name");
      }
      headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
  }

  private void skipBody(Map<String, String> headers) throws IOException {
    if (headers.containsKey("Transfer-Encoding")) {
      throw new ProtocolException("no endpoint takes a body");
    }
    try {
      in.skipNBytes(Long.parseLong(headers.getOrDefault("Content-Length", "0")));
    } catch (NumberFormatException e) {
      ProtocolException unreadable = new ProtocolException("Content-Length is not a number");
      unreadable.initCause(e);
      throw unreadable;
    }
  }

  private Optional<String> line() throws IOException {
    StringBuilder line = new StringBuilder(128);
    while (line.length() < LONGEST_LINE) {
      int b = in.read();
      if (b < 0) {
        return Optional.empty();
      }
      if (b == '\n') {
        return Optional.of(line.toString().stripTrailing());
      }
      line.append((char) b);
    }
    throw new ProtocolException("a line is too long");
  }
}
