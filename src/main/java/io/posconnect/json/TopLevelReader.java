package io.posconnect.json;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Reads the top-level fields of a broken row as far as its text allows, so that its key is known:
 * the text may be cut off, nest without end, or hold values that are not JSON. For one thread.
 *
 * <p>Objects and arrays are cut out without being looked into. The parser reads each name with what
 * is left of its value, up to the first that is not JSON.
 */
final class TopLevelReader {

  private final BodyLimits limits;
  private final RowReader reader = new RowReader(JsonText.JSON);

  /**
   * What could be read of a text.
   *
   * @param fields those that are objects or arrays are empty
   * @param complete whether no other field can follow them
   */
  record Beginning(Row fields, boolean complete) {}

  TopLevelReader(BodyLimits limits) {
    this.limits = limits;
  }

  /** Reads a text up to its end or its first fault. */
  Beginning read(byte[] text) {
    if (Scan.at(text, 0) != '{') {
      return new Beginning(Row.NOTHING, false);
    }
    boolean complete = false;
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write('{');
    try {
      complete = copy(new ValueCutter(new ByteArrayInputStream(text), limits), whole);
    } catch (IOException e) {
      // The fields before the fault are there.
    }
    whole.write('}');
    return new Beginning(Row.parse(whole.toByteArray()), complete);
  }

  private boolean copy(ValueCutter cutter, ByteArrayOutputStream whole) throws IOException {
    cutter.take('{');
    int next = cutter.peek();
    while (next != '}') {
      byte[] field = field(cutter);
      next = cutter.peek();
      if (next != ',' && next != '}') {
        return false; // the value may be longer than the text
      }
      if (whole.size() > 1) {
        whole.write(',');
      }
      whole.write(field, 1, field.length - 2);
      if (next == ',') {
        cutter.take(',');
      }
    }
    return true;
  }

  /** The next field as an object of its own, which is JSON. */
  private byte[] field(ValueCutter cutter) throws IOException {
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write('{');
    field.writeBytes(cutter.cut());
    cutter.take(':');
    field.write(':');
    byte[] value = cutter.cut();
    field.writeBytes(
        switch (value[0]) {
          case '{' -> new byte[] {'{', '}'};
          case '[' -> new byte[] {'[', ']'};
          default -> value;
        });
    field.write('}');
    return reader.read(field.toByteArray(), 0).bytes();
  }
}
