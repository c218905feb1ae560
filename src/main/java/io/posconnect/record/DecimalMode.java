package io.posconnect.record;

import java.util.Locale;

/** How an exact decimal is written. */
public enum DecimalMode {
  /** As Connect's Decimal, which converters turn into Avro's {@code decimal}. */
  PRECISE,
  /** As a string in plain notation. */
  STRING,
  /** As the nearest double. */
  DOUBLE;

  /** How it is written in a configuration. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
