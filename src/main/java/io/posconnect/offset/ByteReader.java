package io.posconnect.offset;

import io.posconnect.offset.DigestCodec.DamagedException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link ByteWriter} wrote; whatever does not fit is damage, never an index out of
 * bounds.
 */
final class ByteReader {

  private final byte[] bytes;
  private final int end;
  private int position;

  ByteReader(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  int one() throws DamagedException {
    need(1);
    return bytes[position++] & 0xFF;
  }

  long varint() throws DamagedException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = one();
      value |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new DamagedException("it holds an endless integer");
  }

  /** A number of things that follow; each takes a byte at least, so there cannot be more. */
  int count() throws DamagedException {
    long count = varint();
    if (count < 0 || count > bytes.length) {
      throw new DamagedException("it announces more than it holds");
    }
    return (int) count;
  }

  long big(int count) throws DamagedException {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << 8) | one();
    }
    return value;
  }

  String utf8(int length) throws DamagedException {
    need(length);
    position += length;
    return new String(bytes, position - length, length, StandardCharsets.UTF_8);
  }

  /** A text after {@code before}, with which it shares its beginning. */
  String units(String before) throws DamagedException {
    int shared = count();
    int more = count();
    if (shared > before.length()) {
      throw new DamagedException("it has a text that shares more than there is");
    }
    StringBuilder text = new StringBuilder(shared + more).append(before, 0, shared);
    for (int i = 0; i < more; i++) {
      text.append(unit());
    }
    return text.toString();
  }

  private char unit() throws DamagedException {
    int first = one();
    if (first < 0x80) {
      return (char) first;
    }
    int second = one() & 0x3F;
    if (first < 0xE0) {
      return (char) (((first & 0x1F) << 6) | second);
    }
    return (char) (((first & 0xF) << 12) | (second << 6) | (one() & 0x3F));
  }

  void expectEnd() throws DamagedException {
    if (position != end) {
      throw new DamagedException("it goes on behind its end");
    }
  }

  private void need(int count) throws DamagedException {
    if (end - position < count) {
      throw new DamagedException("it is truncated");
    }
  }
}
