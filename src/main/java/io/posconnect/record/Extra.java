package io.posconnect.record;

import io.posconnect.json.Names;
import io.posconnect.json.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON object of the fields that the typed ones do not represent, in their order, each
 * value as it was sent. For an undeclared resource that is the whole row, so it copies bytes and
 * derives the labels once for all rows that share their names. Safe for several threads.
 */
final class Extra {

  // The bytes before each field's value: its name and a colon.
  private final Names.Derived<List<byte[]>> labels = new Names.Derived<>(Extra::labels);

  /**
   * The object; null when it would be empty.
   *
   * @param represented for each field of the row whether the typed fields hold it exactly
   */
  @Nullable String of(Row row, boolean[] represented) {
    List<byte[]> labels = this.labels.of(row.names());
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int field = 0; field < represented.length; field++) {
      if (!represented[field]) {
        text.write(text.size() == 0 ? '{' : ',');
        text.writeBytes(labels.get(field));
        text.write(row.bytes(), row.start(field), row.end(field) - row.start(field));
      }
    }
    if (text.size() == 0) {
      return null;
    }
    text.write('}');
    return text.toString(StandardCharsets.UTF_8);
  }

  private static List<byte[]> labels(Names names) {
    return names.list().stream()
        .map(name -> TextType.quoted(name) + ":")
        .map(label -> label.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
