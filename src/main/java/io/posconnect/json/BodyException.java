package io.posconnect.json;

import io.posconnect.problem.Problem;
import java.io.IOException;

/**
 * Reports that a body is not what it must be. The message gives the reason and holds nothing of the
 * body: it continues a sentence that begins with "the body".
 */
public final class BodyException extends IOException {

  private final Problem problem;

  private BodyException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }

  static BodyException of(String message) {
    return new BodyException(Problem.BODY_MALFORMED, message);
  }

  static BodyException exceeds(long limit, String bytesOf, Problem problem) {
    return new BodyException(problem, "exceeds the limit of " + limit + " bytes of " + bytesOf);
  }

  static BodyException notJson(long offset) {
    return of("is not JSON (byte " + offset + ")");
  }

  static BodyException truncated(long offset) {
    return of("is truncated (byte " + offset + ")");
  }
}
