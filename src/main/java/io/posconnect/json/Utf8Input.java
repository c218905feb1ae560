package io.posconnect.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long NOT_ASCII = 0x8080808080808080L;

  private final InputStream body;
  private final byte[] raw = new byte[RAW];
  private final byte[] text = new byte[RAW * REPLACEMENT.length];
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
    int end = kept + Math.max(0, n);
    int i = 0;
    int good = 0;
    head = 0;
    tail = 0;
    while (i < end) {
      i = behindAscii(i, end);
      if (i == end) {
        break;
      }
      int length = character(i, end);
      if (length > end - i && !ended) {
        break;
      }
      if (length == 0 || length > end - i) {
        put(raw, good, i);
        replace();
        i++;
        good = i;
      } else {
        i += length;
      }
    }
    put(raw, good, i);
    kept = end - i;
    System.arraycopy(raw, i, raw, 0, kept);
  }

  /** The first byte that is not ASCII, eight at a time; the end when all are. */
  private int behindAscii(int from, int end) {
    int i = from;
    while (i + Long.BYTES <= end && ((long) EIGHT.get(raw, i) & NOT_ASCII) == 0) {
      i += Long.BYTES;
    }
    while (i < end && raw[i] >= 0) {
      i++;
    }
    return i;
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

  /**
   * The length of the character of several bytes that begins there; 0 when none does. Bytes behind
   * the end are taken for what they should be.
   */
  private int character(int start, int end) {
    int lead = raw[start] & 0xFF;
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    for (int i = 1; i < length && start + i < end; i++) {
      int next = raw[start + i] & 0xFF;
      boolean second = i == 1;
      // Neither longer than need be, nor half of a surrogate pair, nor beyond the last character.
      int least = second && lead == 0xE0 ? 0xA0 : second && lead == 0xF0 ? 0x90 : 0x80;
      int most = second && lead == 0xED ? 0x9F : second && lead == 0xF4 ? 0x8F : 0xBF;
      if (next < least || next > most) {
        return 0;
      }
    }
    return length;
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
