package io.posconnect.json;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Reads the top-level fields of a broken row as far as its text allows, so that its key is known:
 * the text may be cut off, nest without end, or hold values that are not JSON. For one thread.
 *
 * <p>Objects and arrays are cut out without being looked into, and the parser reads what is left.
 */
final class TopLevelReader {

  private final BodyLimits limits;
  private final RowReader reader = new RowReader(JsonText.JSON);
  private byte[] flat = new byte[0];

  TopLevelReader(BodyLimits limits) {
    this.limits = limits;
  }

  /**
   * Reads a text up to its end or its first fault.
   *
   * @return whether no other field can follow those that were read
   */
  boolean read(byte[] text) {
    ByteArrayOutputStream left = new ByteArrayOutputStream();
    try {
      flatten(new ValueCutter(new Utf8Input(new ByteArrayInputStream(text)), limits), left);
    } catch (IOException e) {
      // The text ends here; the fields before stand in what is left.
    }
    flat = left.toByteArray();
    return reader.readBeginning(flat);
  }

  /** The fields that were read; those that are objects or arrays are empty. */
  Row fields() {
    return reader.fieldsSoFar(flat);
  }

  private static void flatten(ValueCutter cutter, ByteArrayOutputStream left) throws IOException {
    if (cutter.peek() != '{') {
      left.writeBytes(value(cutter));
      return;
    }
    cutter.take('{');
    left.write('{');
    while (cutter.peek() != '}') {
      byte[] name = value(cutter);
      cutter.take(':');
      byte[] value = value(cutter);
      int next = cutter.peek();
      if (next == ValueCutter.NOTHING) {
        return; // the value may be longer than the text
      }
      left.writeBytes(name);
      left.write(':');
      left.writeBytes(value);
      if (next == ',') {
        cutter.take(',');
        left.write(',');
      }
    }
    left.write('}');
  }

  private static byte[] value(ValueCutter cutter) throws IOException {
    byte[] value = cutter.cut();
    return switch (value[0]) {
      case '{' -> new byte[] {'{', '}'};
      case '[' -> new byte[] {'[', ']'};
      default -> value;
    };
  }
}
