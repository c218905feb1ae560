package io.posconnect.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Makes sure that the parser takes a body for UTF-8: it would guess UTF-16 and UTF-32 from the
 * first bytes, and offsets into them would be offsets into something that never arrived.
 */
final class Utf8Input {

  private Utf8Input() {}

  /**
   * The body without a byte order mark.
   *
   * @return empty when the body is in another encoding
   */
  static Optional<InputStream> of(InputStream body) throws IOException {
    byte[] first = head(body);
    if (startsWith(first, 0xEF, 0xBB, 0xBF)) {
      InputStream rest =
          new SequenceInputStream(new ByteArrayInputStream(first, 3, first.length - 3), body);
      first = head(rest);
    }
    if (startsWith(first, 0xFE, 0xFF) || startsWith(first, 0xFF, 0xFE) || hasZero(first)) {
      return Optional.empty();
    }
    return Optional.of(new SequenceInputStream(new ByteArrayInputStream(first), body));
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
}
