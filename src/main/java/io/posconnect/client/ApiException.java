package io.posconnect.client;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a request had no complete, well-formed, successful response. The type decides what
 * the caller does; the problem holds the remedy for a person.
 *
 * <p>A {@code subject} is stream, request and status. A {@code detail} is what is wrong, in a
 * clause that begins with a small letter. Neither holds a key or a body. It has no cause: one of
 * the HTTP library may quote the service's response, and only the incident is shown.
 */
public abstract sealed class ApiException extends Exception {

  private final Incident incident;
  private final @Nullable Duration retryAfter;

  private ApiException(Incident incident, @Nullable Duration retryAfter) {
    super(incident.toString());
    this.incident = incident;
    this.retryAfter = retryAfter;
  }

  public Incident incident() {
    return incident;
  }

  /** The pause that the service asked for, if it did; not yet capped. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** Returns whether asking for less may help. */
  public boolean isTooMuch() {
    return is(Problem.TOO_SLOW) || is(Problem.BODY_TOO_LARGE);
  }

  /** Returns whether that is the problem. */
  public boolean is(Problem other) {
    return incident.problem() == other;
  }

  /** 429: the limit of this path and key is exceeded. */
  public static final class Throttled extends ApiException {

    private final OptionalInt stated;

    /**
     * @param stated the limit a minute that the service's text states, if it does
     */
    public Throttled(String subject, @Nullable Duration retryAfter, OptionalInt stated) {
      super(incident(subject, stated), retryAfter);
      this.stated = stated;
    }

    private static Incident incident(String subject, OptionalInt stated) {
      if (stated.isEmpty()) {
        return Problem.THROTTLED.incident(subject);
      }
      return Problem.THROTTLED.incident(
          subject, "the service states a limit of " + stated.getAsInt() + " a minute");
    }

    OptionalInt stated() {
      return stated;
    }
  }

  /** Another 4xx, or a redirect that must not be followed: a retry helps only after a remedy. */
  public static final class Refused extends ApiException {

    /** With which services refuse a range that is too long. */
    private static final Set<Integer> TOO_MUCH = Set.of(400, 413, 422);

    private final int status;

    public Refused(Problem problem, String subject, String detail, int status) {
      super(problem.incident(subject, detail), null);
      this.status = status;
    }

    public int status() {
      return status;
    }

    @Override
    public boolean isTooMuch() {
      return TOO_MUCH.contains(status);
    }
  }

  /** 5xx, no connection, a reset, a timeout or a stalled body: likely to pass by itself. */
  public static final class Unavailable extends ApiException {

    public Unavailable(Problem problem, String subject, String detail) {
      this(problem, subject, detail, null);
    }

    Unavailable(Problem problem, String subject, String detail, @Nullable Duration retryAfter) {
      super(problem.incident(subject, detail), retryAfter);
    }
  }

  /**
   * A success of no use: without the rows; with a body that is truncated, mis-typed, not JSON, or
   * beyond a limit of size or depth; or a page that leads nowhere.
   */
  public static final class Malformed extends ApiException {

    public Malformed(Problem problem, String subject, String detail) {
      super(problem.incident(subject, detail), null);
    }
  }
}
