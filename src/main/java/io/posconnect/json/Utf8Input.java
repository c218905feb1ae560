package io.posconnect.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body in UTF-8 without its byte order mark, and refuses one in UTF-16 or UTF-32. Reads
 * nothing before it is read from.
 */
final class Utf8Input extends InputStream {

  private final InputStream body;
  private @Nullable InputStream unmarked;

  Utf8Input(InputStream body) {
    this.body = body;
  }

  @Override
  public int read() throws IOException {
    return unmarked().read();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return unmarked().read(target, offset, length);
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
