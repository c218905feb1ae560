package io.posconnect.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open exchanges of one client, which end when it is closed. Safe for several threads. */
final class OpenExchanges {

  private final Set<Exchange> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  void add(Exchange exchange) {
    open.add(exchange);
  }

  void remove(Exchange exchange) {
    open.remove(exchange);
  }

  /**
   * @param request whose line the exception has
   * @throws ClientClosedException when the client was closed
   */
  void expectOpen(String request) {
    if (closed) {
      throw new ClientClosedException(request);
    }
  }

  /** Cancels all, those that begin later too. */
  void close() {
    closed = true;
    open.forEach(Exchange::cancel);
  }
}
