package io.posconnect.record;

import java.util.Objects;

/** Says that a row cannot become an event, and why; the message holds nothing of the row. */
public final class BrokenRowException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Why a row is broken. */
  public enum Reason {
    TOO_LARGE("too large"),
    NOT_AN_OBJECT("not an object"),
    KEY_MISSING("no key"),
    KEY_UNFIT("key does not fit its type"),
    KEY_TOO_LONG("key too long"),
    KEY_AMBIGUOUS("key named twice"),
    KEY_NOT_UNIQUE("key not unique");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** The words for it in a dead letter. */
    public String text() {
      return text;
    }
  }

  private final Reason reason;

  public BrokenRowException(Reason reason) {
    super(Objects.requireNonNull(reason, "reason is null").text());
    this.reason = reason;
  }

  BrokenRowException(Reason reason, String detail) {
    super(reason.text() + ": " + detail);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
