package io.posconnect.fetch;

import io.posconnect.problem.Incident;
import org.jspecify.annotations.Nullable;

/**
 * Why a stream is not read for now.
 *
 * @param sinceNanos monotonic time of the first failure without a success since
 */
public record Suspension(Incident incident, long sinceNanos) {

  /** A failure now, after that one if any. */
  static Suspension of(Incident incident, long nowNanos, @Nullable Suspension before) {
    return new Suspension(incident, before == null ? nowNanos : before.sinceNanos());
  }
}
