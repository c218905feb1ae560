package io.posconnect.record;

/** What becomes of a row that cannot be an event. */
public enum RowErrors {
  /** It goes, as it was sent, to the dead-letter topic. */
  DEAD_LETTER("dead-letter"),
  /** The task fails. */
  FAIL("fail"),
  /** It is counted and dropped. */
  SKIP("skip");

  private final String spelling;

  RowErrors(String spelling) {
    this.spelling = spelling;
  }

  /** As it stands in the configuration. */
  public String spelling() {
    return spelling;
  }
}
