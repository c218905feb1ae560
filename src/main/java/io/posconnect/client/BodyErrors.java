package io.posconnect.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;

/**
 * A body arrived and is not what it must be. The message says why and holds nothing of the body: it
 * continues a sentence that begins with "the body".
 */
final class BodyErrors extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean tooLarge;

  private BodyErrors(String message, boolean tooLarge) {
    super(message);
    this.tooLarge = tooLarge;
  }

  static BodyErrors of(String message) {
    return new BodyErrors(message, false);
  }

  static BodyErrors tooLarge(long limit) {
    return new BodyErrors("exceeds the limit of " + limit + " bytes of a body", true);
  }

  static BodyErrors rowTooLarge(long limit) {
    return of("exceeds the limit of " + limit + " bytes of one row");
  }

  /** What the parser found; its own message may quote the body, so it is not kept. */
  static BodyErrors of(JsonProcessingException e, BodyLimits limits) {
    if (e instanceof StreamConstraintsException) {
      return of(limit(e.getOriginalMessage(), limits));
    }
    String at =
        e.getLocation() == null
            ? ""
            : " (byte " + Math.max(0, e.getLocation().getByteOffset()) + ")";
    return of(isEnd(e) ? "is truncated" + at : "is not JSON" + at);
  }

  // Between two elements the parser reports the end of its input as any other error.
  private static boolean isEnd(JsonProcessingException e) {
    return e instanceof JsonEOFException
        || e.getOriginalMessage().startsWith("Unexpected end-of-input");
  }

  // The parser says which limit it was only in its message, by the name of the limit's accessor.
  private static String limit(String message, BodyLimits limits) {
    if (message.contains("getMaxNestingDepth")) {
      return "exceeds the limit of " + limits.depth() + " levels of nesting";
    }
    if (message.contains("getMaxStringLength")) {
      // A number that does not end meets this limit before its own, which is checked at its end.
      return "exceeds the limit of "
          + limits.stringLength()
          + " characters of one string or number";
    }
    if (message.contains("getMaxNumberLength")) {
      return "exceeds the limit of " + limits.numberLength() + " characters of one number";
    }
    if (message.contains("getMaxNameLength")) {
      return "exceeds the limit of " + limits.nameLength() + " characters of one field's name";
    }
    return "exceeds a limit of the parser";
  }

  /** Whether it is the size of the whole body. */
  boolean tooLarge() {
    return tooLarge;
  }
}
