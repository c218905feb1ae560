package io.posconnect.fetch;

import org.jspecify.annotations.Nullable;

/**
 * Tells why a stream is not read for now.
 *
 * @param reason what to tell the operator
 * @param sinceNanos monotonic time of the first refusal without a success since
 */
public record Suspension(String reason, long sinceNanos) {

  /** A refusal now, after that one if any. */
  static Suspension of(String reason, long nowNanos, @Nullable Suspension before) {
    return new Suspension(reason, before == null ? nowNanos : before.sinceNanos());
  }
}
