package io.posconnect.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
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
    String first = head(body, 4);
    if (first.startsWith("\u00EF\u00BB\u00BF")) {
      first = first.substring(3) + head(body, 3);
    }
    // JSON text begins with two ASCII characters or is one: a zero byte means UTF-16 or UTF-32.
    if (first.startsWith("\u00FE\u00FF")
        || first.startsWith("\u00FF\u00FE")
        || first.contains("\0")) {
      throw BodyException.of("is not in UTF-8");
    }
    return new SequenceInputStream(new ByteArrayInputStream(first.getBytes(ISO_8859_1)), body);
  }

  /** The next bytes, each as the character of its value. */
  private static String head(InputStream body, int bytes) throws IOException {
    // Not readNBytes(bytes): it ends with a read of nothing, for which some streams wait.
    byte[] head = new byte[bytes];
    return new String(head, 0, body.readNBytes(head, 0, bytes), ISO_8859_1);
  }
}
