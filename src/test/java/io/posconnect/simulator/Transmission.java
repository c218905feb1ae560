package io.posconnect.simulator;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** Sends one response over one connection, well or badly, as its delivery says. */
final class Transmission {

  private final Socket socket;
  private final OutputStream raw;
  private CountingStream counted = new CountingStream(OutputStream.nullOutputStream());

  Transmission(Socket socket) throws IOException {
    this.socket = socket;
    this.raw = new BufferedOutputStream(socket.getOutputStream(), 32 * 1024);
  }

  /** Bytes of the last body that were sent, before any framing. */
  long bytes() {
    return counted.count();
  }

  /**
   * Sends all of it; an exception means that the connection is of no more use.
   *
   * @param beforeLast runs when all is written but the client cannot know yet, so that whoever sees
   *     a complete response also sees what was noted about it
   */
  void send(Response response, boolean withBody, Runnable beforeLast) throws IOException {
    Delivery delivery = response.delivery();
    counted = new CountingStream(OutputStream.nullOutputStream());
    if (!delivery.beforeHeaders().isZero()) {
      delivery.gate().await(delivery.beforeHeaders());
    }
    if (delivery.stop() == Delivery.Stop.RESET_AT_ONCE) {
      reset();
    }
    OptionalLong size = delivery.sized() ? measured(response) : response.body().length();
    raw.write(head(response, size));
    if (withBody) {
      sendBody(response, size, beforeLast);
    } else {
      beforeLast.run();
    }
    raw.flush();
  }

  private void sendBody(Response response, OptionalLong size, Runnable beforeLast)
      throws IOException {
    ChunkedStream chunked = size.isPresent() ? null : new ChunkedStream(raw);
    counted = new CountingStream(chunked == null ? raw : chunked);
    response.body().writeTo(obstructed(response, counted));
    beforeLast.run();
    if (chunked != null) {
      chunked.end();
    }
  }

  private OutputStream obstructed(Response response, OutputStream out) throws IOException {
    Delivery delivery = response.delivery();
    OutputStream result = out;
    if (delivery.bytesPerSecond() > 0) {
      result = new PacedStream(result, delivery.bytesPerSecond(), delivery.gate());
    }
    if (delivery.stop() != Delivery.Stop.NONE) {
      long at =
          delivery.stopAt().isPresent()
              ? delivery.stopAt().getAsLong()
              : measured(response).getAsLong() / 2;
      result = new StoppingStream(result, at, () -> stop(delivery));
    }
    return result;
  }

  private void stop(Delivery delivery) throws IOException {
    switch (delivery.stop()) {
      case SILENCE -> delivery.gate().await();
      case CUT -> throw new IOException("cut on purpose");
      case RESET, RESET_AT_ONCE -> reset();
      case NONE -> throw new IllegalStateException("nothing to stop for");
    }
  }

  private void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
    throw new IOException("reset on purpose");
  }

  private static OptionalLong measured(Response response) throws IOException {
    CountingStream count = new CountingStream(OutputStream.nullOutputStream());
    response.body().writeTo(count);
    return OptionalLong.of(count.count());
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
}
