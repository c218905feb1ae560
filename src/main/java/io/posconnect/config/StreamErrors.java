package io.posconnect.config;

/** What becomes of a task when one of its streams cannot go on. */
public enum StreamErrors {
  /** The others go on; the task fails only when none of them can. */
  ISOLATE("isolate"),
  /** The task fails at once. */
  FAIL("fail");

  private final String spelling;

  StreamErrors(String spelling) {
    this.spelling = spelling;
  }

  /** As it stands in the configuration. */
  public String spelling() {
    return spelling;
  }
}
