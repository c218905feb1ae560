package io.posconnect.record;

import io.posconnect.json.Row.Fault;

/** Reports why a row cannot become an event; the message holds nothing of the row. */
public final class BrokenRowException extends Exception {

  public enum Reason {
    TOO_LARGE("too large"),
    NOT_JSON("not JSON"),
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
  }

  private final Reason reason;

  public BrokenRowException(Reason reason) {
    super(reason.text);
    this.reason = reason;
  }

  BrokenRowException(Reason reason, String detail) {
    super(reason.text + ": " + detail);
    this.reason = reason;
  }

  /** A plain value can be a row if the configuration says so. */
  static BrokenRowException notAnObject(String kind) {
    return switch (kind) {
      case "STRING", "NUMBER", "BOOLEAN" ->
          new BrokenRowException(
              Reason.NOT_AN_OBJECT, "key.fields=value makes rows of plain values");
      default -> new BrokenRowException(Reason.NOT_AN_OBJECT);
    };
  }

  static BrokenRowException of(Fault fault) {
    return switch (fault.type()) {
      case EXCEEDS_LIMIT -> new BrokenRowException(Reason.TOO_LARGE, "more than " + fault.detail());
      case NOT_AN_OBJECT -> notAnObject(fault.detail());
      case NOT_JSON -> new BrokenRowException(Reason.NOT_JSON, fault.detail());
    };
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  public Reason reason() {
    return reason;
  }
}
