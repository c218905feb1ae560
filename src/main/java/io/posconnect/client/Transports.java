package io.posconnect.client;

import java.util.ArrayList;
import java.util.List;

/**
 * What the clients of one configuration share: connections, threads and certificates, as far as
 * their connections allow, since hundreds of locations must not cost hundreds of each. Each client
 * has its own key and its own end. Safe for several threads.
 */
public final class Transports {

  private final List<Transport> opened = new ArrayList<>();

  /**
   * @throws IllegalArgumentException when a trust or key store cannot be used
   */
  synchronized Transport of(Connection connection) {
    for (Transport each : opened) {
      if (each.connection().sharesTransportWith(connection)) {
        return each;
      }
    }
    Transport transport = Transport.open(connection);
    opened.add(transport);
    return transport;
  }
}
