package io.posconnect.client;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens sockets that receive at most 64 KiB without a byte of a body. The parsers of TLS, HTTP and
 * gzip hold what is not yet a body, many times its size if it is headers, so an endless chunk
 * header would fill the heap of the worker.
 *
 * <p>A connection's count restarts with each request and with each byte of a body, but not with
 * what TLS sends by itself: a service can make it send that as often as it likes. The thread that
 * sends a request and reads its body is the one that uses its connection. Sockets of a SOCKS proxy,
 * which only the JVM's own properties can set, are not bounded.
 */
final class BoundedSockets extends SocketFactory {

  /** More than headers, a handshake or a block of gzip take. */
  static final int MOST_BYTES = 64 * 1024;

  private static final ThreadLocal<@Nullable Count> LATEST = new ThreadLocal<>();

  /** The bytes of one connection; changed by the thread that uses it. */
  private static final class Count {

    private long bytes;

    /** Restarts with the first byte of a request. */
    void sent() {
      if (LATEST.get() == null) {
        LATEST.set(this);
        bytes = 0;
      }
    }

    void add(int received) throws ExceededException {
      LATEST.set(this);
      bytes += Math.max(0, received);
      if (bytes > MOST_BYTES) {
        throw new ExceededException();
      }
    }
  }

  /** Breaks off a response that brings no body. */
  static final class ExceededException extends ProtocolException {

    private ExceededException() {
      super("more than " + MOST_BYTES + " bytes came without a byte of a body");
    }
  }

  /** Restarts the count of the connection that this thread sends on next: a request begins. */
  static void requestBegins() {
    LATEST.remove();
  }

  /** Restarts the count of the connection that this thread reads from: a byte of a body arrived. */
  static void bodyArrived() {
    Count latest = LATEST.get();
    if (latest != null) {
      latest.bytes = 0;
    }
  }

  private static final class Bounded extends Socket {

    private final Count count = new Count();

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          int value = in.read();
          count.add(value < 0 ? 0 : 1);
          return value;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          int received = in.read(target, offset, length);
          count.add(received);
          return received;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          count.sent();
          out.write(bytes, offset, length);
        }
      };
    }
  }

  @Override
  public Socket createSocket() {
    return new Bounded();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw connected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    throw connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    throw connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    throw connected();
  }

  private static UnsupportedOperationException connected() {
    return new UnsupportedOperationException("the HTTP client connects its sockets itself");
  }
}
