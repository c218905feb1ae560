package io.posconnect.simulator;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.zip.GZIPOutputStream;

/** Bodies made of other bodies. */
final class Bodies {

  private static final int PIECE = 16 * 1024;

  private Bodies() {}

  /** The body between two texts: its rows were shown, but not in a response of the right shape. */
  static Body between(String head, Body inner, String tail) {
    return new Body() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(head.getBytes(StandardCharsets.UTF_8));
        inner.writeTo(out);
        out.write(tail.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public OptionalLong length() {
        return OptionalLong.empty();
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

  /** A beginning, and then the same again and again until the client hangs up. */
  static Body endless(String head, String again) {
    return new Body() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(head.getBytes(StandardCharsets.UTF_8));
        byte[] piece = again.repeat(PIECE / again.length()).getBytes(StandardCharsets.UTF_8);
        while (true) {
          out.write(piece);
        }
      }

      @Override
      public OptionalLong length() {
        return OptionalLong.empty();
      }
    };
  }

  /** The body under a false announcement of its size. */
  static Body announced(long bytes, Body inner) {
    return new Body() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        inner.writeTo(out);
      }

      @Override
      public OptionalLong length() {
        return OptionalLong.of(bytes);
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

  /** The body compressed. */
  static Body gzipped(Body inner) {
    return new Body() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        try (GZIPOutputStream zipped = new GZIPOutputStream(new Kept(out))) {
          inner.writeTo(zipped);
        }
      }

      @Override
      public OptionalLong length() {
        return OptionalLong.empty();
      }

      @Override
      public int rows() {
        return inner.rows();
      }

      @Override
      public void settled(boolean whole) {
        inner.settled(whole);
      }
    };
  }

  /** Closing the compressor must not close the connection. */
  private static final class Kept extends FilterOutputStream {

    Kept(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
