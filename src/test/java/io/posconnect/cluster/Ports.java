package io.posconnect.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free loopback ports below the range from which systems take the ports of outgoing connections, so
 * that a stopped node finds its port free when it comes back.
 */
final class Ports {

  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;

  private Ports() {}

  /** That many different ports that nobody listens on at the moment. */
  static List<Integer> free(int count) {
    List<Integer> ports = new ArrayList<>(count);
    for (int attempt = 0; ports.size() < count; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      } else if (attempt > 1_000) {
        throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST);
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
