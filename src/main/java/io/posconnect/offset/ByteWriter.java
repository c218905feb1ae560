package io.posconnect.offset;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;

/** Appends bytes, in the primitives of {@link DigestCodec}. */
final class ByteWriter {

  /** Bytes of a content hash. */
  static final int HASH = 7;

  private byte[] bytes = new byte[256];
  private int length;

  void one(int value) {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    bytes[length++] = (byte) value;
  }

  void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      one((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    one((int) rest);
  }

  void utf8(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    varint(utf8.length);
    all(utf8, utf8.length);
  }

  /** A text by what it shares with the one before, and what it does not. */
  void units(String before, String text) {
    int shared = 0;
    int limit = Math.min(before.length(), text.length());
    while (shared < limit && before.charAt(shared) == text.charAt(shared)) {
      shared++;
    }
    varint(shared);
    varint(text.length() - shared);
    for (int i = shared; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit < 0x80) {
        one(unit);
      } else if (unit < 0x800) {
        one(0xC0 | (unit >> 6));
        one(0x80 | (unit & 0x3F));
      } else {
        one(0xE0 | (unit >> 12));
        one(0x80 | ((unit >> 6) & 0x3F));
        one(0x80 | (unit & 0x3F));
      }
    }
  }

  private void all(byte[] more, int count) {
    if (bytes.length - length < count) {
      bytes = Arrays.copyOf(bytes, 2 * length + count);
    }
    System.arraycopy(more, 0, bytes, length, count);
    length += count;
  }

  void append(ByteWriter other) {
    all(other.bytes, other.length);
  }

  void checksum() {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    big(crc.getValue(), Integer.BYTES);
  }

  String base64() {
    return Base64.getEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, length));
  }

  void big(long value, int count) {
    for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
      one((int) (value >>> shift));
    }
  }
}
