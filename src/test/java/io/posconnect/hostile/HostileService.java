package io.posconnect.hostile;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Listens on a loopback port of its own, answers each request by a script, and records it. */
public final class HostileService implements AutoCloseable {

  /** So little that a client which is not read from soon cannot write. */
  private static final int RECEIVE_BUFFER = 4 * 1024;

  private static final int BACKLOG = 50;

  private final @Nullable SSLContext tls;
  private final Function<Call, Answer> script;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();
  private final long seed;
  private volatile boolean demandsCertificates;
  private volatile @Nullable String cipherSuite;
  private volatile int port;
  private @Nullable ServerSocket door;

  private HostileService(@Nullable SSLContext tls, long seed, Function<Call, Answer> script) {
    this.tls = tls;
    this.seed = seed;
    this.script = script;
    listen();
  }

  /**
   * Starts a service.
   *
   * @param tls null for plain HTTP
   * @param seed of what is random in its answers, in the order of the requests
   * @param script from a request to the answer; a new connection with TLS has an empty head
   */
  public static HostileService start(
      @Nullable SSLContext tls, long seed, Function<Call, Answer> script) {
    return new HostileService(tls, seed, script);
  }

  public static HostileService start(Function<Call, Answer> script) {
    return new HostileService(null, 0, script);
  }

  /**
   * Starts a service whose TLS is as it should be.
   *
   * @param tls null for plain HTTP
   */
  public static HostileService start(@Nullable SSLContext tls, Function<Call, Answer> script) {
    Answer nothing = wire -> {};
    return start(tls, 0, call -> call.head().isEmpty() ? nothing : script.apply(call));
  }

  /** Starts a service that answers each request with the same. */
  public static HostileService always(Answer answer) {
    return start(call -> answer);
  }

  /** Admits only clients with a certificate, from now on. */
  public void demandCertificates() {
    demandsCertificates = true;
  }

  /** Agrees to no other cipher suite, from now on. */
  public void demandCipherSuite(String suite) {
    cipherSuite = suite;
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  public URI baseUrl() {
    String scheme = tls == null ? "http" : "https";
    return URI.create(scheme + "://127.0.0.1:" + port);
  }

  /** All requests so far. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** The last request. */
  public Call call() {
    return calls.get(calls.size() - 1);
  }

  /** Listens, on the port of before if there was one. */
  public synchronized void listen() {
    if (door != null) {
      return;
    }
    try {
      ServerSocket opened = new ServerSocket();
      opened.setReceiveBufferSize(RECEIVE_BUFFER);
      opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
      port = opened.getLocalPort();
      door = opened;
      thread("hostile-accept", () -> accept(opened));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Refuses connections from now on, and ends those that exist. */
  @Override
  public synchronized void close() {
    try {
      if (door != null) {
        door.close();
        door = null;
      }
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket from) {
    try {
      while (true) {
        Socket socket = from.accept();
        open.add(socket);
        if (from.isClosed()) {
          // Nobody else may have seen it.
          socket.close();
        }
        thread("hostile-answer", () -> serve(socket));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(Socket raw) {
    try (raw) {
      // Or the second part of an answer waits until the client confirms the first.
      raw.setTcpNoDelay(true);
      if (tls == null) {
        answer(raw, "");
      } else {
        serve(raw, tls);
      }
    } catch (IOException e) {
      // The client has gone.
    } finally {
      open.remove(raw);
    }
  }

  private void serve(Socket raw, SSLContext context) throws IOException {
    Answer first = script.apply(new Call("", "", 0, ""));
    if (first.isBelowTls()) {
      // Until the client has begun its handshake.
      raw.getInputStream().read(new byte[1024]);
      send(raw, raw.getInputStream(), first);
      return;
    }
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(raw, null, raw.getPort(), true);
    socket.setUseClientMode(false);
    socket.setNeedClientAuth(demandsCertificates);
    if (cipherSuite != null) {
      socket.setEnabledCipherSuites(new String[] {cipherSuite});
    }
    socket.startHandshake();
    answer(socket, socket.getSession().getProtocol() + " " + socket.getSession().getCipherSuite());
  }

  /** Answers one request after the other, as long as the client sends them. */
  private void answer(Socket socket, String session) throws IOException {
    int connection = connections.incrementAndGet();
    InputStream in = new BufferedInputStream(socket.getInputStream());
    for (String head = head(in); !head.isEmpty(); head = head(in)) {
      Call alone = new Call(head, "", connection, session);
      int length = Integer.parseInt(alone.headers().getOrDefault("Content-Length", "0"));
      String body = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
      Call call = new Call(head, body, connection, session);
      calls.add(call);
      send(socket, in, script.apply(call));
    }
  }

  private void send(Socket socket, InputStream in, Answer answer) throws IOException {
    answer.send(new Wire(socket, in, new SplittableRandom(seed + answers.getAndIncrement())));
  }

  /** Reads the head of a request; empty when there is none. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    String line = line(in);
    for (; line.length() > 2; line = line(in)) {
      head.append(line);
    }
    return line.equals("\r\n") ? head + line : "";
  }

  /** Reads a line with its break. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n') {
      line.append((char) next);
      next = in.read();
    }
    return next < 0 ? "" : line + "\n";
  }
}
