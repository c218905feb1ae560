package io.posconnect.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Stands between converters and a registry that keeps running, and takes it away from them: it
 * refuses connections, stays silent, or breaks off every answer.
 */
public final class RegistryGate implements AutoCloseable {

  private enum State {
    OPEN,
    SILENT,
    CUTTING
  }

  private final Registry registry;
  private final int port = Node.freePort();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private State state = State.OPEN;
  private int stopped;
  private @Nullable ServerSocket door;

  /** An open gate. */
  public RegistryGate(Registry registry) {
    this.registry = registry;
    open();
  }

  /** The address for converters; it never changes. */
  public URI converterUrl() {
    return URI.create("http://127.0.0.1:" + port).resolve(registry.converterUrl().getPath());
  }

  /** Passes everything, and first what was held back. */
  public void open() {
    become(State.OPEN);
  }

  /** Refuses connections, and ends those that exist. */
  public synchronized void refuse() {
    if (door != null) {
      close(door);
      door = null;
    }
    sockets.forEach(RegistryGate::close);
  }

  /** Accepts connections and requests, and holds back both requests and answers. */
  public void silence() {
    become(State.SILENT);
  }

  /** Passes requests, and breaks off the connection when the answer begins. */
  public void cut() {
    become(State.CUTTING);
  }

  /** How many times it has held something back or broken it off. */
  public synchronized int stopped() {
    return stopped;
  }

  private synchronized void become(State next) {
    state = next;
    notifyAll();
    if (door == null) {
      try {
        ServerSocket opened = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        door = opened;
        threads.execute(() -> accept(opened));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void accept(ServerSocket from) {
    try {
      while (true) {
        Socket client = from.accept();
        sockets.add(client);
        threads.execute(() -> connect(client));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void connect(Socket client) {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), registry.url().getPort());
      sockets.add(server);
      threads.execute(() -> copy(server, client, true));
      copy(client, server, false);
    } catch (IOException e) {
      close(client);
    }
  }

  /** Ends both connections with either. */
  private void copy(Socket from, Socket to, boolean answers) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8192];
      for (int n = in.read(bytes); n >= 0 && passes(answers); n = in.read(bytes)) {
        out.write(bytes, 0, n);
      }
    } catch (IOException e) {
      // One of them was closed.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  /** Waits while it is silent. */
  private synchronized boolean passes(boolean answer) {
    boolean cuts = answer && state == State.CUTTING;
    if (cuts || state == State.SILENT) {
      stopped++;
    }
    try {
      while (state == State.SILENT) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !cuts;
  }

  @Override
  public void close() {
    refuse();
    threads.shutdownNow();
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
