package io.posconnect.simulator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Accepts connections on one interface and gives each a thread of its own. */
final class HttpServer implements AutoCloseable {

  /** Makes the listening socket, not yet bound: plain or TLS. */
  @FunctionalInterface
  interface Sockets {
    ServerSocket open() throws IOException;
  }

  /** Answers one request, using the transmission. */
  @FunctionalInterface
  interface Handler {
    void handle(Request request, Transmission transmission) throws IOException;
  }

  private static final int LONGEST_LINE = 64 * 1024;

  private final Sockets sockets;
  private final Handler handler;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "simulator");
            thread.setDaemon(true);
            return thread;
          });
  private final String host;
  private ServerSocket listening;
  private int port;

  HttpServer(Sockets sockets, String host, int port, Handler handler) {
    this.sockets = sockets;
    this.host = host;
    this.port = port;
    this.handler = handler;
  }

  /** Listens, on the port of before if there was one. */
  synchronized void listen() {
    if (listening != null) {
      return;
    }
    try {
      ServerSocket socket = sockets.open();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port), 200);
      port = socket.getLocalPort();
      listening = socket;
      threads.execute(() -> accept(socket));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port + " of " + host, e);
    }
  }

  /** Refuses connections and breaks those that are open. */
  synchronized void stopListening() {
    if (listening != null) {
      shut(listening);
      listening = null;
    }
    open.forEach(HttpServer::shut);
  }

  synchronized int port() {
    return port;
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket accepted = socket.accept();
        open.add(accepted);
        if (socket.isClosed()) {
          shut(accepted);
          return;
        }
        threads.execute(() -> serve(accepted));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException("the simulator cannot accept connections", e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Transmission transmission = new Transmission(socket);
      Optional<String> requestLine = line(in);
      while (requestLine.isPresent() && answer(requestLine.get(), in, transmission)) {
        requestLine = line(in);
      }
    } catch (IOException e) {
      // The client went away or a fault broke the connection; the request log shows which.
      return;
    } finally {
      open.remove(socket);
    }
  }

  /** Answers one request; false: it was the last of the connection. */
  private boolean answer(String requestLine, InputStream in, Transmission transmission)
      throws IOException {
    String[] parts = requestLine.split(" ", -1);
    if (parts.length != 3 || !parts[2].startsWith("HTTP/1.")) {
      throw new ProtocolException("not an HTTP/1 request line");
    }
    Map<String, String> headers = headers(in);
    skipBody(headers, in);
    Request request;
    try {
      request = Request.of(parts[0], parts[1], headers);
    } catch (IllegalArgumentException e) {
      transmission.send(Response.malformed().with("Connection", "close"), true, () -> {});
      return false;
    }
    handler.handle(request, transmission);
    return !request.wantsClose() && parts[2].equals("HTTP/1.1");
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    while (true) {
      String line = line(in).orElseThrow(() -> new ProtocolException("headers break off"));
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

  private static void skipBody(Map<String, String> headers, InputStream in) throws IOException {
    String length = headers.getOrDefault("Content-Length", "0");
    if (headers.containsKey("Transfer-Encoding") || !length.matches("\\d{1,18}")) {
      throw new ProtocolException("no endpoint takes such a body");
    }
    in.skipNBytes(Long.parseLong(length));
  }

  private static Optional<String> line(InputStream in) throws IOException {
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

  private static void shut(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      throw new IllegalStateException("a socket could not be closed", e);
    }
  }

  @Override
  public void close() {
    stopListening();
    threads.shutdownNow();
  }
}
