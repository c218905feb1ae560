package io.posconnect.json;

import io.posconnect.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
 * <p>It follows the order of brackets, names, colons and commas, so that no fault in one value can
 * swallow the next unnoticed; the parser checks strings and numbers.
 */
final class ValueCutter {

  /** No byte has this value. */
  static final int NOTHING = Byte.MIN_VALUE - 1;

  private static final int CHUNK = 8 * 1024;

  private final InputStream body;
  private final BodyLimits limits;

  // What has come and is still needed: a value is in one piece, up to the limit of a row.
  private byte[] text = new byte[2 * CHUNK];
  private int at;
  private int end;
  private long count;

  // The value begins at the mark. Of one beyond the limit only the beginning stays; the rest was
  // counted and hashed.
  private boolean cutting;
  private boolean isCut;
  private int mark;
  private int counted;
  private long dropped;
  private long values;
  private long replaced;
  private @Nullable MessageDigest hash;
  private final BitSet objects = new BitSet();

  ValueCutter(InputStream body, BodyLimits limits) {
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

  /**
   * Skips the byte order mark of a body, which does not count, and refuses one in UTF-16 or UTF-32.
   * To be called first.
   */
  void skipMark() throws IOException {
    if (beginning().startsWith("\u00EF\u00BB\u00BF")) {
      at += 3;
      count -= 3;
    }
    String first = beginning();
    // JSON text begins with two ASCII characters or is one: a zero byte means UTF-16 or UTF-32.
    if (first.startsWith("\u00FE\u00FF")
        || first.startsWith("\u00FF\u00FE")
        || first.contains("\0")) {
      throw BodyException.of("is not in UTF-8");
    }
  }

  /** The next four bytes, if there are so many, each as the character of its value. */
  private String beginning() throws IOException {
    int bytes = has(4) ? 4 : end - at;
    return new String(text, at, bytes, StandardCharsets.ISO_8859_1);
  }

  /** The next byte that is no blank, which stays the next; {@link #NOTHING} at the end. */
  int peek() throws IOException {
    if (at < end && text[at] > ' ') {
      return text[at];
    }
    long from = offset();
    while (at < end || fill()) {
      if (!Scan.isBlank(text[at])) {
        return text[at];
      }
      at++;
      if (!cutting && offset() - from > limits.rowBytes()) {
        throw BodyException.exceeds(
            limits.rowBytes(), "blanks between rows", Problem.ROW_TOO_LARGE);
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

  /** Skips one value if it is a known row. It must begin at the next byte except for blanks. */
  boolean skip(KnownRows known, int expected) throws IOException {
    peek();
    // An object ends where its text does, whatever follows.
    if (expected > 0 && has(expected) && known.passes(text, at, expected)) {
      at += expected;
      return true;
    }
    pass();
    if (text[mark] != '{' || hash != null) {
      known.expected(); // begins the row once more: what it was asked about is not the row
      isCut = true;
    } else {
      isCut = !known.passes(text, mark, at - mark);
    }
    return !isCut;
  }

  private boolean has(int bytes) throws IOException {
    boolean more = true;
    while (more && end - at < bytes) {
      more = fill();
    }
    return more;
  }

  /**
   * Cuts the value that {@link #skip} has passed in vain, or else the next one, which must begin at
   * the next byte except for blanks.
   *
   * @return its text; the beginning of it when there is an {@link #excess}
   */
  byte[] cut() throws IOException {
    if (!isCut) {
      pass();
    }
    isCut = false;
    if (hash != null) {
      int kept = Utf8.lastWhole(text, mark, mark + limits.rowBytes());
      return Utf8.copy(text, mark, kept, Utf8.bad(text, mark, kept));
    }
    int bad = Utf8.bad(text, mark, at);
    replaced = bad;
    return Utf8.copy(text, mark, at, bad);
  }

  private void pass() throws IOException {
    peek();
    cutting = true;
    mark = at;
    dropped = 0;
    values = 0;
    replaced = 0;
    hash = null;
    value();
    if (at - mark > limits.rowBytes()) {
      drop(at);
    }
    cutting = false;
  }

  /** Bytes of the value that was cut last. */
  long length() {
    return dropped + at - mark;
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
      all.update(text, mark, at - mark);
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
      at = PlainText.end(text, at, end);
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
    while ((at < end || fill()) && isScalar(text[at])) {
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
    return text[at++];
  }

  /** Reads on, with what is still needed at the beginning of the text. */
  private boolean fill() throws IOException {
    if (cutting && at - mark > limits.rowBytes()) {
      drop(Utf8.lastWhole(text, counted(), at));
    }
    int from = cutting ? mark : at;
    close(0, from);
    mark -= cutting ? from : 0;
    counted -= from;
    if (text.length - end < CHUNK) {
      text = Arrays.copyOf(text, 2 * text.length);
    }
    int read = Math.max(0, body.read(text, end, text.length - end));
    end += read;
    count += read;
    if (count > limits.bodyBytes()) {
      throw BodyException.exceeds(limits.bodyBytes(), "a body", Problem.BODY_TOO_LARGE);
    }
    return read > 0;
  }

  /** Counts and hashes a value beyond the limit of a row up to there, and keeps its beginning. */
  private void drop(int to) throws BodyException {
    int from = counted();
    if (hash == null) {
      hash = Row.sha256();
    }
    hash.update(text, from, to - from);
    replaced += Utf8.bad(text, from, to);
    counted = to;
    int limit = mark + limits.rowBytes();
    if (to > limit) {
      dropped += to - limit;
      close(limit, to);
      counted = limit;
    }
    if (length() > BodyLimits.MOST_SKIPPED) {
      throw BodyException.exceeds(BodyLimits.MOST_SKIPPED, "one row", Problem.ROW_TOO_LARGE);
    }
  }

  private int counted() {
    return hash == null ? mark : counted;
  }

  /** Removes a part of the text before the place that was reached. */
  private void close(int from, int to) {
    if (to > from) { // or a long row would be copied onto itself with each read
      System.arraycopy(text, to, text, from, end - to);
      at -= to - from;
      end -= to - from;
    }
  }
}
