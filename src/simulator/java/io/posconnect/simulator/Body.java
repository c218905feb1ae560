package io.posconnect.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

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

  /**
   * Ends the last attempt.
   *
   * @param whole whether the client was sent all of it
   */
  default void settled(boolean whole) {}

  static Body of(byte[] bytes) {
    return new Body() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(bytes);
      }

      @Override
      public OptionalLong length() {
        return OptionalLong.of(bytes.length);
      }
    };
  }

  /** The same body, of which the history counts the rows as shown in part. */
  static Body unreadable(Body inner) {
    return new Body() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        inner.writeTo(out);
      }

      @Override
      public int rows() {
        return inner.rows();
      }

      @Override
      public void settled(boolean whole) {
        inner.settled(false);
      }
    };
  }

  /** Rows between a head and a tail, rendered one at a time while they are sent. */
  final class Rows implements Body {

    /** Receives what was shown. */
    @FunctionalInterface
    interface Listener {
      void shown(List<Row> rows, boolean whole);
    }

    private final String head;
    private final List<Row> rows;
    private final String tail;
    private final Function<? super Row, byte[]> render;
    private final Listener listener;
    private int written;

    Rows(
        String head,
        List<Row> rows,
        String tail,
        Function<? super Row, byte[]> render,
        Listener listener) {
      this.head = head;
      this.rows = rows;
      this.tail = tail;
      this.render = render;
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
        out.write(render.apply(row));
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
