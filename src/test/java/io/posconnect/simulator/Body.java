package io.posconnect.simulator;

import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalLong;

/** The body of a response, written as often as it is asked for and always the same. */
interface Body {

  /** Writes all of it; a failing stream ends the attempt. */
  void writeTo(OutputStream out) throws IOException;

  /** Its size in bytes where that is known without writing it. */
  OptionalLong length();

  /** How many rows the last attempt wrote entirely. */
  default int rows() {
    return 0;
  }

  /** Says that the last attempt is over, and whether the client was sent all of it. */
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
}
