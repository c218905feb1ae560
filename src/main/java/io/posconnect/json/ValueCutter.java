package io.posconnect.json;

import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a body into its values while it arrives: finds where each of them ends, whatever its size,
 * and of one that exceeds a limit keeps the beginning only. For one thread.
 *
 * <p>It checks the order of brackets, names, colons and commas, so that no fault in one value can
 * swallow the next unnoticed. The parser checks strings and numbers.
 */
final class ValueCutter {

  /** No byte of UTF-8 has this value; bytes beyond ASCII are negative too. */
  static final int NOTHING = -1;

  private static final int CHUNK = 8 * 1024;

  private final Utf8Input body;
  private final BodyLimits limits;
  private final byte[] chunk = new byte[CHUNK];
  private int at;
  private int end;
  private long count;

  // The value being cut: the part of it that is still in the chunk begins at the mark.
  private boolean cutting;
  private int mark;
  private byte[] held = new byte[4 * CHUNK];
  private int heldLength;
  private long length;
  private long values;
  private long replaced;
  private @Nullable MessageDigest hash;
  private final BitSet objects = new BitSet();

  ValueCutter(Utf8Input body, BodyLimits limits) {
    this.body = body;
    this.limits = limits;
  }

  /** Bytes that came so far. */
  long count() {
    return count;
  }

  /** Bytes before the next one. */
  long offset() {
    return count - (end - at);
  }

  /** The next byte that is no blank, which stays the next; {@link #NOTHING} at the end. */
  int peek() throws IOException {
    if (at < end && chunk[at] > ' ') {
      return chunk[at];
    }
    long from = offset();
    while (at < end || fill()) {
      if (!isBlank(chunk[at])) {
        return chunk[at];
      }
      at++;
      if (!cutting && offset() - from > limits.rowBytes()) {
        throw BodyException.blank(limits.rowBytes());
      }
    }
    return NOTHING;
  }

  /** Skips that byte, which must be the next one except for blanks. */
  void take(int expected) throws IOException {
    if (solid() != expected) {
      throw BodyException.notJson(offset() - 1);
    }
  }

  /**
   * Skips one value, which must begin at the next byte except for blanks.
   *
   * @return its text; the beginning of it when there is an {@link #excess}
   */
  byte[] cut() throws IOException {
    peek();
    cutting = true;
    mark = at;
    heldLength = 0;
    length = 0;
    values = 0;
    body.replacedBefore(offset());
    replaced = 0;
    hash = null;
    value();
    keep();
    cutting = false;
    return Arrays.copyOf(held, heldLength);
  }

  long length() {
    return length;
  }

  /** Bytes of the value that was cut last that were not UTF-8. */
  long replaced() {
    return replaced;
  }

  /** The limit that the value that was cut last exceeds, if any. */
  Optional<String> excess() {
    if (hash != null) {
      return Optional.of(limits.rowBytes() + " bytes of one row");
    }
    if (values > BodyLimits.MOST_VALUES) {
      return Optional.of(BodyLimits.MOST_VALUES + " fields and elements of one row");
    }
    return Optional.empty();
  }

  /** SHA-256 of all of the value that was cut last, in hexadecimal digits; to be asked once. */
  String hash() {
    MessageDigest all = hash == null ? Row.sha256() : hash;
    if (hash == null) {
      all.update(held, 0, heldLength);
    }
    return HexFormat.of().formatHex(all.digest());
  }

  private void value() throws IOException {
    int depth = 0;
    do {
      boolean complete = true;
      int first = solid();
      values++;
      if (first == '{' || first == '[') {
        complete = peek() == closing(first == '{');
        if (complete) {
          at++;
        } else {
          objects.set(depth++, first == '{');
          nameIn(first == '{');
        }
      } else if (first == '"') {
        string();
      } else {
        scalar(first);
      }
      if (complete) {
        depth = toNextValue(depth);
      }
    } while (depth > 0);
  }

  /** Goes behind the end of a value to the next one; returns how deep that is. */
  private int toNextValue(int from) throws IOException {
    int depth = from;
    while (depth > 0) {
      boolean object = objects.get(depth - 1);
      int next = solid();
      if (next == ',') {
        nameIn(object);
        return depth;
      }
      if (next != closing(object)) {
        throw BodyException.notJson(offset() - 1);
      }
      depth--;
    }
    return 0;
  }

  private static int closing(boolean object) {
    return object ? '}' : ']';
  }

  private void nameIn(boolean object) throws IOException {
    if (object) {
      take('"');
      string();
      take(':');
    }
  }

  private void string() throws IOException {
    while (true) {
      at = PlainText.end(chunk, at, end);
      int next = next();
      if (next == '"') {
        return;
      }
      if (next == '\\') {
        next();
      } else if (next >= 0 && next < ' ') {
        throw BodyException.notJson(offset() - 1);
      }
    }
  }

  private void scalar(int first) throws IOException {
    if (!isScalar(first)) {
      throw BodyException.notJson(offset() - 1);
    }
    while ((at < end || fill()) && isScalar(chunk[at])) {
      at++;
    }
  }

  /**
   * Returns whether the byte may be part of a number or a word; whether it is JSON is not known.
   */
  private static boolean isScalar(int b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || b == '+'
        || b == '-'
        || b == '.';
  }

  private static boolean isBlank(int b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private int solid() throws IOException {
    int next = peek();
    if (next == NOTHING) {
      throw BodyException.truncated(count);
    }
    at++;
    return next;
  }

  private int next() throws IOException {
    if (at == end && !fill()) {
      throw BodyException.truncated(count);
    }
    return chunk[at++];
  }

  private boolean fill() throws IOException {
    if (cutting) {
      keep();
      mark = 0;
    }
    at = 0;
    end = Math.max(0, body.read(chunk, 0, CHUNK));
    count += end;
    if (count > limits.bodyBytes()) {
      throw BodyException.tooLarge(limits.bodyBytes());
    }
    return end > 0;
  }

  /** Keeps the part of the value that stands in the chunk. */
  private void keep() throws BodyException {
    int n = at - mark;
    length += n;
    if (length > BodyLimits.MOST_SKIPPED) {
      throw BodyException.rowTooLarge(BodyLimits.MOST_SKIPPED);
    }
    replaced += body.replacedBefore(offset());
    if (hash == null && length > limits.rowBytes()) {
      hash = Row.sha256();
      hash.update(held, 0, heldLength);
    }
    if (hash != null) {
      hash.update(chunk, mark, n);
    }
    int kept = Math.min(n, limits.rowBytes() - heldLength);
    if (heldLength + kept > held.length) {
      held = Arrays.copyOf(held, Math.max(2 * held.length, heldLength + kept));
    }
    System.arraycopy(chunk, mark, held, heldLength, kept);
    heldLength += kept;
    mark = at;
  }
}
