package io.posconnect.simulator;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;

/** Rows between a head and a tail, rendered one at a time while they are sent. */
final class RowsBody implements Body {

  /** Told what was shown. */
  @FunctionalInterface
  interface Audience {
    void saw(List<RowState> rows, boolean whole);
  }

  private final byte[] head;
  private final List<RowState> rows;
  private final byte[] tail;
  private final RowTemplate template;
  private final Audience audience;
  private int written;

  RowsBody(String head, List<RowState> rows, String tail, RowTemplate template, Audience audience) {
    this.head = head.getBytes(StandardCharsets.UTF_8);
    this.rows = rows;
    this.tail = tail.getBytes(StandardCharsets.UTF_8);
    this.template = template;
    this.audience = audience;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    written = 0;
    out.write(head);
    for (RowState row : rows) {
      if (written > 0) {
        out.write(',');
      }
      out.write(template.render(row));
      written++;
    }
    out.write(tail);
  }

  @Override
  public OptionalLong length() {
    return OptionalLong.empty();
  }

  @Override
  public int rows() {
    return written;
  }

  @Override
  public void settled(boolean whole) {
    audience.saw(rows.subList(0, written), whole);
  }
}
