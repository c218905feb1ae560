package io.posconnect.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.posconnect.Io;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

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
    return json("200 OK", body);
  }

  static Answer json(String status, String body) {
    return respond(status, "Content-Type: application/json\r\n", body);
  }

  static Answer respond(String status, String headers, String body) {
    return respond(status, headers, body.getBytes(UTF_8));
  }

  /** The bytes as gzip packs them. */
  static byte[] packed(byte[] body) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Io.take(
        () -> {
          try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(body);
          }
        });
    return packed.toByteArray();
  }

  /** A complete answer. Each line of the headers ends with its line break. */
  static Answer respond(String status, String headers, byte[] body) {
    String length = "Content-Length: " + body.length + "\r\n\r\n";
    byte[] head = ("HTTP/1.1 " + status + "\r\n" + headers + length).getBytes(UTF_8);
    return wire -> wire.send(head).send(body);
  }
}
