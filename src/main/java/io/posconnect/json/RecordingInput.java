package io.posconnect.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * Passes a body on to the parser and keeps what was passed on since a mark, so that the text of a
 * row can be cut out after the parser has found its end. Holds one row and the parser's read-ahead.
 */
final class RecordingInput extends InputStream {

  /** What the parser reads ahead at most. */
  private static final int READ_AHEAD = 8 * 1024;

  private final InputStream body;
  private final BodyLimits limits;
  private byte[] window = new byte[4 * READ_AHEAD];
  private int head;
  private int tail;
  private long headOffset;
  private long count;

  RecordingInput(InputStream body, BodyLimits limits) {
    this.body = body;
    this.limits = limits;
  }

  /** Bytes passed on so far. */
  long count() {
    return count;
  }

  /** What is before that offset will not be asked for again. */
  void mark(long offset) {
    int step = Math.toIntExact(offset - headOffset);
    head += Objects.checkIndex(step, tail - head + 1);
    headOffset = offset;
  }

  /** The bytes between two offsets, neither of them before the mark. */
  byte[] slice(long from, long to) {
    int start = head + Math.toIntExact(from - headOffset);
    return Arrays.copyOfRange(window, start, start + Math.toIntExact(to - from));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    // A row is measured exactly once it is whole; this keeps an endless one from filling the heap.
    if (tail - head > (long) limits.rowBytes() + READ_AHEAD) {
      throw BodyException.rowTooLarge(limits.rowBytes());
    }
    int n = body.read(target, offset, Math.min(length, READ_AHEAD));
    if (n > 0) {
      count += n;
      if (count > limits.bodyBytes()) {
        throw BodyException.tooLarge(limits.bodyBytes());
      }
      keep(target, offset, n);
    }
    return n;
  }

  private void keep(byte[] source, int offset, int length) {
    if (tail + length > window.length) {
      int kept = tail - head;
      int capacity = kept + length > window.length / 2 ? window.length * 2 : window.length;
      byte[] target = capacity == window.length ? window : new byte[capacity];
      System.arraycopy(window, head, target, 0, kept);
      window = target;
      head = 0;
      tail = kept;
    }
    System.arraycopy(source, offset, window, tail, length);
    tail += length;
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
