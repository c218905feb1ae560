package io.posconnect.fetch;

import io.posconnect.Io;
import io.posconnect.json.BodyLimits;
import io.posconnect.json.JsonRows;
import io.posconnect.json.Row;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reads rows as the connector does, damaged ones too. */
final class RowText {

  /** Stands for a byte that is not UTF-8. */
  static final char BAD_BYTE = '\u00FF';

  /** What the connector makes of such a byte. */
  static final String REPLACED = "\uFFFD";

  private static final JsonRows.Factory JSON = new JsonRows.Factory(BodyLimits.DEFAULT);

  // Few texts are read very often.
  private static final Map<String, Row> ROWS = new ConcurrentHashMap<>();
  private static final int MOST_ROWS = 20_000;

  private RowText() {}

  /** Reads a row that is whole, and may be one that was read before. */
  static Row cached(String text) {
    Row row = ROWS.get(text);
    if (row == null) {
      row = row(text);
      if (ROWS.size() < MOST_ROWS) {
        ROWS.put(text, row);
      }
    }
    return row;
  }

  /** Reads a row; each {@link #BAD_BYTE} of its text is one byte, and the text need not be JSON. */
  static Row row(String text) {
    return isDamaged(text) ? damaged(text) : Row.parse(text);
  }

  private static boolean isDamaged(String text) {
    return text.indexOf(BAD_BYTE) >= 0 || text.contains(":~");
  }

  private static Row damaged(String text) {
    // A tilde is no value, but the scanner would not find the end of the row behind one.
    String body = "[" + text.replace(":~", ":tru") + "]";
    ByteArrayInputStream bytes =
        new ByteArrayInputStream(body.getBytes(StandardCharsets.ISO_8859_1));
    return Io.unchecked(() -> JSON.rows(bytes, Shape.ARRAY, Privacy.NONE).next().orElseThrow());
  }
}
