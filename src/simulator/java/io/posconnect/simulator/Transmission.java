package io.posconnect.simulator;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.posconnect.simulator.Response.Delivery;
import io.posconnect.simulator.Response.Stop;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Sends one response after the other over one connection, well or badly, as its delivery demands.
 */
final class Transmission {

  private final Socket socket;
  private final OutputStream raw;
  private long bytes;

  Transmission(Socket socket) throws IOException {
    this.socket = socket;
    this.raw = new BufferedOutputStream(socket.getOutputStream(), 32 * 1024);
  }

  /** Bytes of the last body that were sent, before any framing. */
  long bytes() {
    return bytes;
  }

  /**
   * Sends all of it; an exception means that the connection is of no more use.
   *
   * @param beforeLast runs when all is written but the client cannot know yet, so that the log is
   *     complete before the response is
   */
  void send(Response response, boolean withBody, Runnable beforeLast) throws IOException {
    Delivery delivery = response.delivery();
    bytes = 0;
    if (!delivery.beforeHeaders().isZero()) {
      delivery.release().await(delivery.beforeHeaders());
    }
    OptionalLong size = response.body().length();
    raw.write(head(response, size));
    if (withBody) {
      BodyStream body = new BodyStream(delivery, stopAt(response), size.isEmpty());
      response.body().writeTo(body);
      beforeLast.run();
      body.end();
    } else {
      beforeLast.run();
    }
    raw.flush();
  }

  private static long stopAt(Response response) throws IOException {
    Delivery delivery = response.delivery();
    if (delivery.stop() == Stop.NONE) {
      return Long.MAX_VALUE;
    }
    return delivery.stopAt().isPresent() ? delivery.stopAt().getAsLong() : measured(response) / 2;
  }

  private void stop(Delivery delivery) throws IOException {
    switch (delivery.stop()) {
      case SILENCE -> delivery.release().await();
      case CUT -> throw new IOException("cut on purpose");
      case RESET -> reset();
      case NONE -> throw new IllegalStateException("nothing to stop for");
    }
  }

  private void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
    throw new IOException("reset on purpose");
  }

  private static long measured(Response response) throws IOException {
    long[] size = {0};
    response
        .body()
        .writeTo(
            new OutputStream() {
              @Override
              public void write(int b) {
                size[0]++;
              }

              @Override
              public void write(byte[] from, int offset, int length) {
                size[0] += length;
              }
            });
    return size[0];
  }

  private static byte[] head(Response response, OptionalLong size) {
    StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(response.status()).append(" Status\r\n");
    response
        .headers()
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (size.isPresent()) {
      head.append("Content-Length: ").append(size.getAsLong());
    } else {
      head.append("Transfer-Encoding: chunked");
    }
    return head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Counts the bytes of a body, lets so many a second pass, stops at one of them, and frames them
   * as chunks where their number was not announced.
   */
  private final class BodyStream extends OutputStream {

    private static final Duration BEAT = Duration.ofMillis(100);

    private final Delivery delivery;
    private final long stopAt;
    private final byte[] chunk;
    private final int perBeat;
    private int filled;
    private int leftInBeat;
    private boolean stopped;

    BodyStream(Delivery delivery, long stopAt, boolean chunked) {
      this.delivery = delivery;
      this.stopAt = stopAt;
      this.chunk = new byte[chunked ? 16 * 1024 : 0];
      this.perBeat = (int) Math.max(1, Math.min(delivery.bytesPerSecond() / 10, 1 << 20));
      this.leftInBeat = perBeat;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      int done = 0;
      while (true) {
        if (!stopped && bytes >= stopAt) {
          flush();
          stopped = true;
          stop(delivery);
        }
        if (done == length) {
          return;
        }
        boolean paced = delivery.bytesPerSecond() > 0 && !delivery.release().isGiven();
        int step = length - done;
        step = stopped ? step : (int) Math.min(step, stopAt - bytes);
        step = paced ? Math.min(step, leftInBeat) : step;
        pass(from, offset + done, step);
        bytes += step;
        done += step;
        leftInBeat -= step;
        if (paced && leftInBeat == 0) {
          flush();
          delivery.release().await(BEAT);
          leftInBeat = perBeat;
        }
      }
    }

    private void pass(byte[] from, int offset, int length) throws IOException {
      if (chunk.length == 0) {
        raw.write(from, offset, length);
        return;
      }
      int done = 0;
      while (done < length) {
        int step = Math.min(length - done, chunk.length - filled);
        System.arraycopy(from, offset + done, chunk, filled, step);
        filled += step;
        done += step;
        if (filled == chunk.length) {
          endChunk();
        }
      }
    }

    private void endChunk() throws IOException {
      if (filled > 0) {
        raw.write((Integer.toHexString(filled) + "\r\n").getBytes(US_ASCII));
        raw.write(chunk, 0, filled);
        raw.write("\r\n".getBytes(US_ASCII));
        filled = 0;
      }
    }

    @Override
    public void flush() throws IOException {
      endChunk();
      raw.flush();
    }

    /** Ends the body. */
    void end() throws IOException {
      endChunk();
      if (chunk.length > 0) {
        raw.write("0\r\n\r\n".getBytes(US_ASCII));
      }
    }
  }
}
