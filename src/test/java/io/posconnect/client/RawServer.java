package io.posconnect.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLServerSocket;

/** An HTTP server that sends exactly the bytes it is told to, however wrong they are. */
final class RawServer implements AutoCloseable {

  /** What is done with a connection after a request has been read from it. */
  interface Answer {
    void to(Wire wire) throws IOException;
  }

  private final ServerSocket server;
  private final Function<String, Answer> script;
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  RawServer(Answer answer) throws IOException {
    this(head -> answer);
  }

  RawServer(Function<String, Answer> script) throws IOException {
    this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
  }

  /**
   * @param script from a request's head to its answer
   */
  RawServer(ServerSocket server, Function<String, Answer> script) {
    this.script = script;
    this.server = server;
    start(this::accept);
  }

  /** A complete response. */
  static Answer respond(String status, String headers, String body) {
    return respond(status, headers, body.getBytes(StandardCharsets.UTF_8));
  }

  static Answer respond(String status, String headers, byte[] body) {
    return wire -> {
      wire.send("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + body.length);
      wire.send("\r\n\r\n");
      wire.send(body);
    };
  }

  /** A successful response with a JSON body. */
  static Answer json(String body) {
    return respond("200 OK", "Content-Type: application/json\r\n", body);
  }

  URI url() {
    return url("");
  }

  URI url(String path) {
    String scheme = server instanceof SSLServerSocket ? "https" : "http";
    return URI.create(scheme + "://127.0.0.1:" + port() + path);
  }

  int port() {
    return server.getLocalPort();
  }

  /** The heads of all requests so far. */
  List<String> heads() {
    return List.copyOf(heads);
  }

  String head() {
    return heads.get(heads.size() - 1);
  }

  int connections() {
    return sockets.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        start(() -> serve(socket));
      }
    } catch (IOException e) {
      if (closed.getCount() > 0) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      Wire wire = new Wire(socket);
      while (!socket.isClosed()) {
        String head = head(socket.getInputStream());
        if (head.isEmpty()) {
          return;
        }
        heads.add(head);
        script.apply(head).to(wire);
      }
    } catch (IOException e) {
      // The client has gone, which is what some tests are about; the client's side is asserted.
      sockets.remove(socket);
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      head.write(b);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** The server's end of a connection. */
  final class Wire {
    private final Socket socket;
    private final OutputStream out;

    private Wire(Socket socket) throws IOException {
      this.socket = socket;
      this.out = socket.getOutputStream();
    }

    void send(String text) throws IOException {
      send(text.getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    void chunk(String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      send(Integer.toHexString(bytes.length) + "\r\n" + text + "\r\n");
    }

    /** Lets time pass, or fewer of it when the test ends. */
    void pause(Duration time) throws IOException {
      try {
        if (closed.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IOException("the test has ended");
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    void silence() throws IOException {
      pause(Duration.ofMinutes(5));
    }

    /** Ends the connection in order. */
    void hangUp() throws IOException {
      socket.close();
    }

    /** Ends the connection with a reset. */
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }
}
