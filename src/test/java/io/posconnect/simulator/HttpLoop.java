package io.posconnect.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Accepts connections on the loopback interface and gives each a thread of its own.
 *
 * <p>Written on plain sockets since the JDK's own server sets the {@code Date} header itself and
 * cannot be made to break off, to reset or to fall silent.
 */
final class HttpLoop implements AutoCloseable {

  /** Makes the listening socket, not yet bound: plain or TLS. */
  @FunctionalInterface
  interface Sockets {
    ServerSocket open() throws IOException;
  }

  private final Sockets sockets;
  private final Connection.Handler handler;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads;
  private ServerSocket listening;
  private int port;

  HttpLoop(Sockets sockets, int port, Connection.Handler handler) {
    this.sockets = sockets;
    this.port = port;
    this.handler = handler;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "simulator");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Listens, on the port of before if there was one. */
  synchronized void listen() {
    if (listening != null) {
      return;
    }
    try {
      ServerSocket socket = sockets.open();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
      port = socket.getLocalPort();
      listening = socket;
      threads.execute(() -> accept(socket));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port, e);
    }
  }

  /** Refuses connections and breaks those that are open. */
  synchronized void deafen() {
    if (listening != null) {
      shut(listening);
      listening = null;
    }
    open.forEach(HttpLoop::shut);
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
      new Connection(socket, handler).serve();
    } catch (IOException e) {
      // The client went away or a fault broke the connection; the request log says which.
      return;
    } finally {
      open.remove(socket);
    }
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
    deafen();
    threads.shutdownNow();
  }
}
