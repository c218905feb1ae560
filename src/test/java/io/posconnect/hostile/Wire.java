package io.posconnect.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLSocket;

/** The connection that an answer is written to. Nothing lasts longer than the client listens. */
public final class Wire {

  static final String JSON = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

  /** More than any client may hold. */
  private static final long FLOOD = 96L << 20;

  /** Rows that a client must read. */
  private static final long ROWS = 6L << 20;

  private static final int BLOCK = 16 * 1024;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final RandomGenerator random;

  /**
   * @param in what the socket receives
   */
  Wire(Socket socket, InputStream in, RandomGenerator random) throws IOException {
    this.socket = socket;
    this.in = in;
    this.out = socket.getOutputStream();
    this.random = random;
  }

  RandomGenerator random() {
    return random;
  }

  String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  public Wire send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  public Wire send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  /**
   * Begins a successful answer in JSON; a body that is not framed ends with the connection.
   *
   * @param headers more of them, each with its line break
   */
  public Wire json(String headers) throws IOException {
    return send(JSON + headers + "\r\n");
  }

  /** Takes more bytes; it ends the connection when it is closed. */
  public OutputStream out() {
    return out;
  }

  /** Begins a body in chunks. */
  public Wire chunked() throws IOException {
    return json("Transfer-Encoding: chunked\r\n");
  }

  /** Repeats the text until it is more than any client may hold. */
  void flood(String text) throws IOException {
    flood(text.getBytes(ISO_8859_1), FLOOD, out);
  }

  /** Repeats the row for a while, and ends without an end. */
  void rows(String row) throws IOException {
    flood(row.getBytes(ISO_8859_1), ROWS, out);
  }

  /** Repeats random bytes as often. */
  void floodOfNoise() throws IOException {
    byte[] noise = new byte[BLOCK];
    random.nextBytes(noise);
    flood(noise, FLOOD, out);
  }

  private static void flood(byte[] text, long size, OutputStream out) throws IOException {
    int times = Math.max(1, BLOCK / text.length);
    byte[] block = new byte[times * text.length];
    for (int i = 0; i < block.length; i++) {
      block[i] = text[i % text.length];
    }
    for (long sent = 0; sent < size; sent += block.length) {
      out.write(block);
    }
    out.flush();
  }

  /** Floods with what unpacks to the text, again and again, compressed so many times. */
  void bomb(String text, int times) throws IOException {
    OutputStream packed = withoutClose();
    for (int i = 0; i < times; i++) {
      packed = new GZIPOutputStream(packed, BLOCK);
    }
    flood(text.getBytes(ISO_8859_1), FLOOD, packed);
    packed.close();
    out.flush();
  }

  private OutputStream withoutClose() {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
      }

      @Override
      public void close() {
        // The connection goes on.
      }
    };
  }

  /**
   * Repeats the text slowly until the client goes: too slowly for what a client receives at most
   * without a body.
   */
  void drip(String text) throws IOException {
    socket.setSoTimeout(10 + random.nextInt(20));
    while (isOpen()) {
      send(text);
    }
  }

  /** Sends nothing until the client goes. */
  public void hang() throws IOException {
    socket.setSoTimeout(0);
    while (isOpen()) {
      Thread.onSpinWait();
    }
  }

  /** Sends nothing for so long, unless the client goes. */
  public Wire pause(int millis) throws IOException {
    socket.setSoTimeout(millis);
    isOpen();
    socket.setSoTimeout(0);
    return this;
  }

  /** Returns whether the client has not gone by the socket's timeout. */
  private boolean isOpen() throws IOException {
    try {
      return in.read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  /** Ends the connection in good order. */
  public void close() throws IOException {
    socket.close();
  }

  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /**
   * Demands new keys again and again, and reads no answer to that where the protocol needs none.
   */
  void renewKeys() throws IOException {
    if (socket instanceof SSLSocket tls) {
      for (long sent = 0; sent < FLOOD; sent++) {
        tls.startHandshake();
      }
    }
  }
}
