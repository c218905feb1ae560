package io.posconnect.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of the cluster, a JVM of its own. Its address and what it stored survive every stop.
 */
public abstract class Node implements AutoCloseable {

  private static final int ATTEMPTS = 3;
  private static final int LOWEST_PORT = 20_000;
  private static final int HIGHEST_PORT = 32_000;

  private final String name;
  final RunFolders run;
  private @Nullable Child child;

  Node(String name, RunFolders run) {
    this.name = name;
    this.run = run;
  }

  /** How it is called. */
  abstract Child.Command command();

  /** Returns once it serves. */
  abstract void awaitReady(Child started);

  /** Such as {@code worker-0}; also the name of its log. */
  public final String name() {
    return name;
  }

  /**
   * Starts a stopped node and returns once it serves; an {@link IllegalStateException} when it does
   * not.
   */
  public final synchronized void start() {
    if (child != null && child.alive()) {
      throw new IllegalStateException(name + " runs already");
    }
    child = command().start(name, run);
    awaitReady(child);
  }

  /**
   * Asks it to end, as an operator would, and returns once it has; nothing when it does not run.
   */
  public final synchronized void stop() {
    if (child != null && child.alive()) {
      child.stop();
    }
  }

  /** Ends it at once, without any chance to finish what it does: {@code kill -9}. */
  public final synchronized void kill9() {
    if (child != null && child.alive()) {
      child.kill9();
    }
  }

  /** Stops it, unless it is gone already, and starts it again. */
  public final void restart() {
    stop();
    start();
  }

  /** Ends it for good. */
  @Override
  public final void close() {
    kill9();
  }

  final synchronized boolean foundPortTaken() {
    return child != null && !child.alive() && child.foundPortTaken();
  }

  /** The first start of a node, with other ports if somebody was faster. */
  static <N extends Node> N started(Supplier<N> create) {
    for (int attempt = 1; ; attempt++) {
      N node = create.get();
      try {
        node.start();
        return node;
      } catch (RuntimeException e) {
        node.close();
        if (attempt == ATTEMPTS || !node.foundPortTaken()) {
          throw e;
        }
      }
    }
  }

  static int freePort() {
    return freePorts(1).get(0);
  }

  /**
   * That many different loopback ports that nobody listens on at the moment, below the range from
   * which systems take the ports of outgoing connections, so that a stopped node finds its port
   * free when it comes back.
   */
  static List<Integer> freePorts(int count) {
    List<Integer> ports = new ArrayList<>(count);
    for (int attempt = 0; ports.size() < count; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      } else if (attempt > 1_000) {
        throw new IllegalStateException(
            "no free port between " + LOWEST_PORT + " and " + HIGHEST_PORT);
      }
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
