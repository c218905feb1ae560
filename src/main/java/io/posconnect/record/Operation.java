package io.posconnect.record;

/** What happened to a row, in the spelling of Debezium's envelope. */
public enum Operation {
  CREATE("c"),
  UPDATE("u"),
  DELETE("d"),
  /** Found there by a snapshot or a first backfill. */
  READ("r");

  private final String code;

  Operation(String code) {
    this.code = code;
  }

  /** The value of the envelope's field {@code op}. */
  public String code() {
    return code;
  }
}
