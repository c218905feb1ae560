package io.posconnect.client;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that brought no complete, well-formed, successful response. The type decides what the
 * caller does.
 */
public abstract sealed class ApiException extends Exception {

  private static final long serialVersionUID = 1L;

  private final @Nullable Duration retryAfter;

  private ApiException(String message, @Nullable Throwable cause) {
    this(message, cause, null);
  }

  private ApiException(String message, @Nullable Throwable cause, @Nullable Duration retryAfter) {
    super(Objects.requireNonNull(message, "message is null"), cause);
    this.retryAfter = retryAfter;
  }

  /** How long the service asked to be left alone, if it did; not yet capped. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** 429: the limit of this path and key is exceeded. */
  public static final class Throttled extends ApiException {
    private static final long serialVersionUID = 1L;

    public Throttled(String message, @Nullable Duration retryAfter) {
      super(message, null, retryAfter);
    }
  }

  /**
   * Another 4xx, or a redirect that must not be followed: trying the same again helps only after
   * somebody acted.
   */
  public static final class Refused extends ApiException {
    private static final long serialVersionUID = 1L;
    private final int status;

    public Refused(String message, int status) {
      super(message, null);
      this.status = status;
    }

    public int status() {
      return status;
    }
  }

  /** 5xx, no connection, a reset, a time-out or a stalled body: likely to pass by itself. */
  public static final class Unavailable extends ApiException {
    private static final long serialVersionUID = 1L;
    private final boolean timeout;

    public Unavailable(String message, boolean timeout, @Nullable Throwable cause) {
      this(message, timeout, cause, null);
    }

    public Unavailable(
        String message, boolean timeout, @Nullable Throwable cause, @Nullable Duration retryAfter) {
      super(message, cause, retryAfter);
      this.timeout = timeout;
    }

    /** Whether the service was too slow, rather than broken: a smaller window may help. */
    public boolean timeout() {
      return timeout;
    }
  }

  /** A 2xx whose body is truncated, mis-typed, not JSON, or beyond a limit of size or depth. */
  public static final class Malformed extends ApiException {
    private static final long serialVersionUID = 1L;
    private final boolean tooLarge;

    public Malformed(String message, boolean tooLarge, @Nullable Throwable cause) {
      super(message, cause);
      this.tooLarge = tooLarge;
    }

    /** Whether the body exceeded the limit of its size: a smaller window may help. */
    public boolean tooLarge() {
      return tooLarge;
    }
  }

  /** The client was closed, before the request or during it: nobody wants the answer any more. */
  public static final class Closed extends ApiException {
    private static final long serialVersionUID = 1L;

    Closed(String request) {
      super(request + ": cancelled, the client is closed", null);
    }
  }
}
