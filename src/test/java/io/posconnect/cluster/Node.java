package io.posconnect.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One process of the cluster, a JVM of its own. Its address and what it stored survive every stop.
 */
public abstract class Node implements AutoCloseable {

  private static final int LOWEST_PORT = 20_000;
  private static final int HIGHEST_PORT = 32_000;
  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  private final String name;
  final RunFolders run;
  private @Nullable Child child;

  Node(String name, RunFolders run) {
    this.name = name;
    this.run = run;
  }

  /** The command that starts its process. */
  abstract Child.Command command();

  /** Returns once it serves. */
  abstract void awaitReady(Child started);

  /** Prepares its first start. */
  void prepare() {}

  /** Its address, for people. */
  abstract String address();

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
    if (child == null) {
      prepare();
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

  /** The number of its process; an {@link IllegalStateException} before its first start. */
  public final synchronized long pid() {
    if (child == null) {
      throw new IllegalStateException(name + " has not been started");
    }
    return child.pid();
  }

  final synchronized boolean foundPortTaken() {
    return child != null && !child.alive() && child.foundPortTaken();
  }

  /**
   * Starts nodes side by side and returns once all of them serve. When one fails, the first failure
   * is thrown after the others have ended their start.
   */
  static void startAll(Collection<? extends Node> nodes, Consumer<String> progress) {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      CompletableFuture.allOf(
              nodes.stream()
                  .map(
                      node ->
                          CompletableFuture.runAsync(
                              () -> {
                                node.start();
                                progress.accept(node.name() + " serves at " + node.address());
                              },
                              threads))
                  .toArray(CompletableFuture[]::new))
          .join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the cluster does not start", e.getCause());
    } finally {
      threads.shutdown();
    }
  }

  /**
   * A loopback port that nothing listens on at the moment, and that this process has not taken
   * before. It is below the range from which systems take the ports of outgoing connections, so
   * that a stopped node finds its port free when it comes back.
   */
  static int freePort() {
    return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT))
        .limit(1_000)
        .filter(port -> isFree(port) && TAKEN.add(port))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no free port"));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
