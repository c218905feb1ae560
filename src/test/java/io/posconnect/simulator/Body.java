package io.posconnect.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.GZIPOutputStream;

/** Writes the body of a response, as often as it is asked and always the same. */
@FunctionalInterface
interface Body {

  /** Writes all of it; a failing stream ends the attempt. */
  void writeTo(OutputStream out) throws IOException;

  /** Its size in bytes where that is known without writing it. */
  default OptionalLong length() {
    return OptionalLong.empty();
  }

  /** The number of rows that the last attempt wrote entirely. */
  default int rows() {
    return 0;
  }

  /** Says that the last attempt is over, and whether the client was sent all of it. */
  default void settled(boolean whole) {}

  static Body of(byte[] bytes) {
    return new Changed(out -> {}, OptionalLong.of(bytes.length), false, out -> out.write(bytes));
  }

  /** The body between two texts: its rows were shown, but not in a response of the right shape. */
  static Body between(String head, Body inner, String tail) {
    return new Changed(
        inner,
        OptionalLong.empty(),
        false,
        out -> {
          out.write(head.getBytes(UTF_8));
          inner.writeTo(out);
          out.write(tail.getBytes(UTF_8));
        });
  }

  /** The body under a false announcement of its size. */
  static Body announced(long bytes, Body inner) {
    return new Changed(inner, OptionalLong.of(bytes), false, inner);
  }

  /** The body compressed. */
  static Body gzipped(Body inner) {
    return new Changed(
        inner,
        OptionalLong.empty(),
        true,
        out -> {
          GZIPOutputStream zipped = new GZIPOutputStream(out);
          inner.writeTo(zipped);
          zipped.finish();
        });
  }

  /** A beginning, and then the same again and again until the client hangs up. */
  static Body endless(String head, String again) {
    return out -> {
      out.write(head.getBytes(UTF_8));
      byte[] piece = again.repeat(16 * 1024 / again.length()).getBytes(UTF_8);
      while (true) {
        out.write(piece);
      }
    };
  }

  /**
   * A body made of another one.
   *
   * @param readable whether a client can still read the rows of the other one
   */
  record Changed(Body inner, OptionalLong length, boolean readable, Body written) implements Body {
    @Override
    public void writeTo(OutputStream out) throws IOException {
      written.writeTo(out);
    }

    @Override
    public int rows() {
      return inner.rows();
    }

    @Override
    public void settled(boolean whole) {
      inner.settled(whole && readable);
    }
  }

  /** Rows between a head and a tail, rendered one at a time while they are sent. */
  final class Rows implements Body {

    /** Told what was shown. */
    @FunctionalInterface
    interface Listener {
      void shown(List<Row> rows, boolean whole);
    }

    private final String head;
    private final List<Row> rows;
    private final String tail;
    private final RowTemplate template;
    private final Listener listener;
    private int written;

    Rows(String head, List<Row> rows, String tail, RowTemplate template, Listener listener) {
      this.head = head;
      this.rows = rows;
      this.tail = tail;
      this.template = template;
      this.listener = listener;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      written = 0;
      out.write(head.getBytes(UTF_8));
      for (Row row : rows) {
        if (written > 0) {
          out.write(',');
        }
        out.write(template.render(row));
        written++;
      }
      out.write(tail.getBytes(UTF_8));
    }

    @Override
    public int rows() {
      return written;
    }

    @Override
    public void settled(boolean whole) {
      listener.shown(rows.subList(0, written), whole);
    }
  }
}
