package io.posconnect.client;

import java.util.HashMap;
import java.util.Map;

/**
 * What the clients of one configuration share: connections, threads and certificates, as far as
 * their connections allow, since hundreds of locations must not cost hundreds of each. Each client
 * has its own key and is closed by itself. Safe for several threads.
 */
public final class Transports {

  private final Map<Object, Transport> opened = new HashMap<>();

  /**
   * @throws IllegalArgumentException when a trust or key store cannot be used
   */
  synchronized Transport of(Connection connection) {
    return opened.computeIfAbsent(connection.ofTransport(), any -> Transport.open(connection));
  }
}
