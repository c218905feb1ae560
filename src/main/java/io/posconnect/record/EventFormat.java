package io.posconnect.record;

/** What the value of an event looks like. */
public enum EventFormat {
  /** Before, after, source, operation and time, in the shape of change-data envelopes. */
  ENVELOPE("envelope"),
  /** The row itself; operation and source are headers, and a delete is a tombstone. */
  FLAT("flat");

  private final String spelling;

  EventFormat(String spelling) {
    this.spelling = spelling;
  }

  /** As it stands in the configuration. */
  public String spelling() {
    return spelling;
  }
}
