package io.posconnect.simulator;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Frames what is written as HTTP/1.1 chunks; a flush ends a chunk, only {@link #end} the body. */
final class ChunkedStream extends OutputStream {

  private static final byte[] NEWLINE = {'\r', '\n'};

  private final OutputStream out;
  private final byte[] chunk = new byte[16 * 1024];
  private int filled;

  ChunkedStream(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = Math.min(length - done, chunk.length - filled);
      System.arraycopy(bytes, from + done, chunk, filled, step);
      filled += step;
      done += step;
      if (filled == chunk.length) {
        endChunk();
      }
    }
  }

  @Override
  public void flush() throws IOException {
    endChunk();
    out.flush();
  }

  /** Says that the body is complete. */
  void end() throws IOException {
    endChunk();
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private void endChunk() throws IOException {
    if (filled > 0) {
      out.write(Integer.toHexString(filled).getBytes(StandardCharsets.US_ASCII));
      out.write(NEWLINE);
      out.write(chunk, 0, filled);
      out.write(NEWLINE);
      filled = 0;
    }
  }
}
