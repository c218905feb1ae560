package io.posconnect.hostile;

import java.io.IOException;

/** What a service writes to a connection. */
@FunctionalInterface
public interface Answer {

  /**
   * Writes it; an exception means that the client has gone.
   *
   * @throws IOException when the connection is of no more use
   */
  void send(Wire wire) throws IOException;

  /** Returns whether it takes the place of TLS, where the service has it. */
  default boolean isBelowTls() {
    return false;
  }

  /** A correct answer with this JSON. */
  static Answer json(String body) {
    return wire -> wire.send(Wire.JSON + "Content-Length: " + body.length() + "\r\n\r\n" + body);
  }
}
