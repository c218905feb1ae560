package io.posconnect.record;

import java.util.Locale;

/** What the value of an event is. */
public enum EventFormat {
  /** Debezium's envelope: before, after, source, op. */
  ENVELOPE,
  /** The row itself, with operation and source in headers. */
  FLAT;

  /** How it is written in a configuration. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
