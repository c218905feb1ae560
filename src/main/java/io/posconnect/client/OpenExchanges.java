package io.posconnect.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open exchanges of one client, which end when it is closed. Safe for several threads. */
final class OpenExchanges {

  private final Set<Exchange> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @throws ClientClosedException when the client was closed
   */
  void add(Exchange exchange) {
    open.add(exchange);
    // After the addition: close() either finds the exchange or is noticed here.
    if (closed) {
      open.remove(exchange);
      throw exchange.stopped();
    }
  }

  void remove(Exchange exchange) {
    open.remove(exchange);
  }

  boolean areClosed() {
    return closed;
  }

  /** Cancels all, those that begin later too. */
  void close() {
    closed = true;
    open.forEach(Exchange::cancel);
  }
}
