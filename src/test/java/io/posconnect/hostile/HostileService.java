package io.posconnect.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Listens on a port of its own and answers each request by a script. */
public final class HostileService implements AutoCloseable {

  /** So little that a client which is not read from soon cannot write. */
  private static final int RECEIVE_BUFFER = 4 * 1024;

  private static final int BACKLOG = 50;

  private final ServerSocket server;
  private final @Nullable SSLContext tls;
  private final Function<String, Answer> script;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger answers = new AtomicInteger();
  private final long seed;

  private HostileService(@Nullable SSLContext tls, long seed, Function<String, Answer> script)
      throws IOException {
    this.tls = tls;
    this.seed = seed;
    this.script = script;
    server = new ServerSocket();
    server.setReceiveBufferSize(RECEIVE_BUFFER);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
  }

  /**
   * Starts a service.
   *
   * @param tls null for plain HTTP
   * @param seed of what is random in its answers, in the order of the requests
   * @param script from a request's path to the answer; a new connection with TLS has an empty path
   */
  public static HostileService start(
      @Nullable SSLContext tls, long seed, Function<String, Answer> script) {
    try {
      HostileService service = new HostileService(tls, seed, script);
      thread("hostile-accept", service::accept);
      return service;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  public URI baseUrl() {
    String scheme = tls == null ? "http" : "https";
    return URI.create(scheme + "://127.0.0.1:" + server.getLocalPort());
  }

  private void accept() {
    try {
      while (!server.isClosed()) {
        Socket socket = server.accept();
        open.add(socket);
        thread("hostile-answer", () -> serve(socket));
      }
    } catch (IOException e) {
      close();
    }
  }

  private void serve(Socket raw) {
    try (raw) {
      if (tls == null) {
        answer(raw);
      } else {
        serve(raw, tls);
      }
    } catch (IOException e) {
      // The client has gone.
      open.remove(raw);
    } finally {
      open.remove(raw);
    }
  }

  private void serve(Socket raw, SSLContext context) throws IOException {
    Answer first = script.apply("");
    if (first.isBelowTls()) {
      // Until the client has begun its handshake.
      raw.getInputStream().read(new byte[1024]);
      send(raw, first);
      return;
    }
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(raw, null, raw.getPort(), true);
    socket.setUseClientMode(false);
    answer(socket);
  }

  /** Answers one request after the other, as long as the client sends them. */
  private void answer(Socket socket) throws IOException {
    String path = path(socket.getInputStream());
    while (!path.isEmpty()) {
      send(socket, script.apply(path));
      path = path(socket.getInputStream());
    }
  }

  private void send(Socket socket, Answer answer) throws IOException {
    answer.send(new Wire(socket, new SplittableRandom(seed + answers.getAndIncrement())));
    if (answer instanceof Hostility) {
      socket.close();
    }
  }

  /** Reads the head of a request; empty when there is none. */
  private static String path(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    byte[] one = new byte[1];
    while (head.indexOf("\r\n\r\n") < 0) {
      if (in.read(one) < 0) {
        return "";
      }
      head.append(new String(one, ISO_8859_1));
    }
    return head.toString().split("[ ?]", 3)[1];
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
