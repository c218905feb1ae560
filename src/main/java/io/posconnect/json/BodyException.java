package io.posconnect.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.posconnect.problem.Problem;
import java.io.IOException;
import java.util.Objects;

/**
 * Tells that a body arrived and is not what it must be. The message says why and holds nothing of
 * the body: it continues a sentence that begins with "the body".
 */
public final class BodyException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Problem problem;

  private BodyException(Problem problem, String message) {
    super(message);
    this.problem = Objects.requireNonNull(problem, "problem is null");
  }

  public Problem problem() {
    return problem;
  }

  static BodyException of(String message) {
    return new BodyException(Problem.BODY_MALFORMED, message);
  }

  static BodyException tooLarge(long limit) {
    return new BodyException(
        Problem.BODY_TOO_LARGE, "exceeds the limit of " + limit + " bytes of a body");
  }

  static BodyException rowTooLarge(long limit) {
    return new BodyException(
        Problem.ROW_TOO_LARGE, "exceeds the limit of " + limit + " bytes of one row");
  }

  /** What the parser found; its own message may quote the body, so it is not kept. */
  static BodyException of(JsonProcessingException e, BodyLimits limits) {
    if (e instanceof StreamConstraintsException) {
      return new BodyException(Problem.ROW_TOO_LARGE, limit(e.getOriginalMessage(), limits));
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
}
