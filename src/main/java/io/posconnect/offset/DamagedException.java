package io.posconnect.offset;

import java.io.Serial;

/** The stored state of a bucket cannot be read: it is lost, which is not the same as empty. */
public final class DamagedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public DamagedException(String message) {
    super(message);
  }

  public DamagedException(String message, Throwable cause) {
    super(message, cause);
  }
}
