package io.posconnect.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/** A body that arrives in pieces of random size. */
final class Chunks extends InputStream {

  private final byte[] bytes;
  private final RandomGenerator random;
  private final int largest;
  private int position;
  private boolean breaksOff;

  Chunks(String text, RandomGenerator random, int largest) {
    this(text.getBytes(StandardCharsets.UTF_8), random, largest);
  }

  Chunks(byte[] bytes, RandomGenerator random, int largest) {
    this.bytes = bytes;
    this.random = random;
    this.largest = largest;
  }

  /** From now on it ends with an exception. */
  Chunks breakingOff() {
    breaksOff = true;
    return this;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (position == bytes.length) {
      if (breaksOff) {
        throw new IOException("gone");
      }
      return -1;
    }
    int n = Math.min(Math.min(length, bytes.length - position), 1 + random.nextInt(largest));
    System.arraycopy(bytes, position, target, offset, n);
    position += n;
    return n;
  }
}
