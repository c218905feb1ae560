package io.posconnect.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body in UTF-8 without its byte order mark, and refuses one in UTF-16 or UTF-32. Every
 * byte that is not UTF-8 becomes U+FFFD, and is counted: it costs a character, not the body. Reads
 * nothing before it is read from.
 */
final class Utf8Input extends InputStream {

  private static final int RAW = 8 * 1024;
  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

  private final InputStream body;
  private final byte[] raw = new byte[RAW];
  private final byte[] text = new byte[RAW * REPLACEMENT.length];
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();

  // Only the place of the bytes that are no character is of interest, not the characters.
  private final CharBuffer characters = CharBuffer.allocate(RAW);
  private @Nullable InputStream unmarked;
  private int head;
  private int tail;

  // Bytes at the beginning of what is raw that may be the beginning of a character.
  private int kept;
  private boolean ended;
  private long replaced;

  // Where replacements stand in the text, until they are counted.
  private final Deque<Long> places = new ArrayDeque<>();
  private long written;

  Utf8Input(InputStream body) {
    this.body = body;
  }

  long replaced() {
    return replaced;
  }

  /**
   * Counts the replacements before a place in the text, less those that an earlier call counted.
   *
   * @param end bytes of the text before the place
   */
  long replacedBefore(long end) {
    long count = 0;
    while (!places.isEmpty() && places.element() < end) {
      places.remove();
      count++;
    }
    return count;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (head == tail) {
      if (ended) {
        return -1;
      }
      fill();
    }
    int n = Math.min(length, tail - head);
    System.arraycopy(text, head, target, offset, n);
    head += n;
    return n;
  }

  private void fill() throws IOException {
    int n = unmarked().read(raw, kept, raw.length - kept);
    ended = n < 0;
    ByteBuffer bytes = ByteBuffer.wrap(raw, 0, kept + Math.max(0, n));
    head = 0;
    tail = 0;
    CoderResult found;
    do {
      int good = bytes.position();
      found = decoder.decode(bytes, characters.clear(), ended);
      put(raw, good, bytes.position());
      for (int bad = found.isMalformed() ? found.length() : 0; bad > 0; bad--) {
        bytes.get();
        replace();
      }
    } while (!found.isUnderflow());
    kept = bytes.remaining();
    System.arraycopy(raw, bytes.position(), raw, 0, kept);
  }

  private void replace() {
    places.add(written);
    put(REPLACEMENT, 0, REPLACEMENT.length);
    replaced++;
  }

  private void put(byte[] source, int from, int to) {
    System.arraycopy(source, from, text, tail, to - from);
    tail += to - from;
    written += to - from;
  }

  private InputStream unmarked() throws IOException {
    if (unmarked == null) {
      unmarked = withoutMark();
    }
    return unmarked;
  }

  private InputStream withoutMark() throws IOException {
    byte[] first = head(body);
    if (startsWith(first, 0xEF, 0xBB, 0xBF)) {
      InputStream rest =
          new SequenceInputStream(new ByteArrayInputStream(first, 3, first.length - 3), body);
      first = head(rest);
    }
    if (startsWith(first, 0xFE, 0xFF) || startsWith(first, 0xFF, 0xFE) || hasZero(first)) {
      throw BodyException.of("is not in UTF-8");
    }
    return new SequenceInputStream(new ByteArrayInputStream(first), body);
  }

  // Not readNBytes(4): it ends with a read of nothing, for which some streams wait.
  private static byte[] head(InputStream body) throws IOException {
    byte[] head = new byte[4];
    return Arrays.copyOf(head, body.readNBytes(head, 0, head.length));
  }

  private static boolean startsWith(byte[] bytes, int... prefix) {
    if (bytes.length < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if ((bytes[i] & 0xFF) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  // JSON text begins with two ASCII characters or is one: a zero byte means UTF-16 or UTF-32.
  private static boolean hasZero(byte[] bytes) {
    for (byte b : bytes) {
      if (b == 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
