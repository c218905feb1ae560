package io.posconnect.record;

import io.posconnect.json.Row;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

/** What a row holds beyond its typed fields: one JSON object of the original texts. */
final class Extra {

  static final Schema SCHEMA =
      Semantics.json()
          .optional()
          .doc("JSON object of every field that is not typed here or did not fit, as it was sent.")
          .build();

  private Extra() {}

  /** The object of the fields that nothing else says, in their order; null when there are none. */
  static @Nullable String of(Row row, boolean[] said) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < said.length; i++) {
      if (!said[i]) {
        text.append(text.isEmpty() ? '{' : ',');
        Text.quote(row.name(i), text);
        text.append(':').append(row.text(i));
      }
    }
    return text.isEmpty() ? null : text.append('}').toString();
  }
}
