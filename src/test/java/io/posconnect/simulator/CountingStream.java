package io.posconnect.simulator;

import java.io.IOException;
import java.io.OutputStream;

/** Counts what passes. */
final class CountingStream extends OutputStream {

  private final OutputStream out;
  private long count;

  CountingStream(OutputStream out) {
    this.out = out;
  }

  long count() {
    return count;
  }

  @Override
  public void write(int b) throws IOException {
    out.write(b);
    count++;
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    out.write(bytes, from, length);
    count += length;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
