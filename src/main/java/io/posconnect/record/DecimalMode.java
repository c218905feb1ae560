package io.posconnect.record;

/** How a decimal number is written. */
public enum DecimalMode {
  /** As an exact decimal of fixed scale. */
  PRECISE("precise"),
  /** As text, in plain notation. */
  STRING("string"),
  /** As a binary floating-point number, which may not be exact. */
  DOUBLE("double");

  private final String spelling;

  DecimalMode(String spelling) {
    this.spelling = spelling;
  }

  /** As it stands in the configuration. */
  public String spelling() {
    return spelling;
  }
}
