package io.posconnect.simulator;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** Lets so many bytes a second pass, ten times a second, until the gate opens. */
final class PacedStream extends OutputStream {

  private static final Duration BEAT = Duration.ofMillis(100);

  private final OutputStream out;
  private final int bytesPerBeat;
  private final Gate gate;
  private int left;

  PacedStream(OutputStream out, long bytesPerSecond, Gate gate) {
    this.out = out;
    this.bytesPerBeat = (int) Math.max(1, Math.min(bytesPerSecond / 10, 1 << 20));
    this.gate = gate;
    this.left = bytesPerBeat;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int done = 0;
    while (done < length && !gate.isOpen()) {
      int step = Math.min(length - done, left);
      out.write(bytes, from + done, step);
      done += step;
      left -= step;
      if (left == 0) {
        out.flush();
        gate.await(BEAT);
        left = bytesPerBeat;
      }
    }
    out.write(bytes, from + done, length - done);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
