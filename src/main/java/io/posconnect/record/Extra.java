package io.posconnect.record;

import io.posconnect.json.Names;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON object of the fields that the typed ones do not represent, in their order, each
 * value as it was sent. For an undeclared resource that is the whole row, so it copies bytes and
 * derives the labels once for all rows that share their names. Safe for several threads.
 */
final class Extra {

  // The bytes before each field's value: a comma, its name and a colon.
  private final Names.Derived<List<byte[]>> labels = new Names.Derived<>(Extra::labels);

  /**
   * The object; null when it would be empty.
   *
   * @param represented for each field of the row whether the typed fields hold it exactly
   */
  @Nullable String of(Row row, boolean[] represented, Conversion conversion) {
    List<byte[]> labels = this.labels.of(row.names());
    int length = 0;
    for (int field = 0; field < represented.length; field++) {
      if (!represented[field]) {
        length += labels.get(field).length + row.end(field) - row.start(field);
      }
    }
    if (length == 0) {
      return null;
    }
    byte[] text = conversion.workspace(length + 1);
    int end = 0;
    for (int field = 0; field < represented.length; field++) {
      if (!represented[field]) {
        byte[] label = labels.get(field);
        end = put(label, 0, label.length, text, end);
        end = put(row.bytes(), row.start(field), row.end(field), text, end);
      }
    }
    text[0] = '{';
    text[end] = '}';
    return new String(text, 0, length + 1, StandardCharsets.UTF_8);
  }

  private static int put(byte[] source, int from, int to, byte[] target, int at) {
    System.arraycopy(source, from, target, at, to - from);
    return at + to - from;
  }

  private static List<byte[]> labels(Names names) {
    return names.list().stream()
        .map(name -> "," + TextType.quoted(name) + ":")
        .map(label -> label.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
