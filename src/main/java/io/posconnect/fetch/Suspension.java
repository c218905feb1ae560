package io.posconnect.fetch;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why a stream is not read for now.
 *
 * @param sinceNanos monotonic time at which the suspension began, whatever its reason was then
 */
public record Suspension(Incident incident, long sinceNanos) {

  private static final Set<Problem> OF_KEYS =
      Set.of(Problem.KEY_REFUSED, Problem.PERMISSION_MISSING, Problem.OTHER_STORE);

  /** A failure now, after that one if any. */
  static Suspension of(Incident incident, long nowNanos, @Nullable Suspension before) {
    return new Suspension(incident, before == null ? nowNanos : before.sinceNanos());
  }

  Suspension because(Incident reason) {
    return new Suspension(reason, sinceNanos);
  }

  /** Returns whether nothing but the location's key keeps the stream from being read. */
  boolean isRefusedKey() {
    return incident.problem() == Problem.KEY_REFUSED;
  }

  /** Returns whether another key may help, or another permission of the key. */
  boolean isAboutKey() {
    return isAboutKey(incident);
  }

  static boolean isAboutKey(Incident incident) {
    return OF_KEYS.contains(incident.problem());
  }
}
