package io.posconnect.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes an old answer, of a cache or a replica that lags, from one of a service whose clock
 * was set back: the {@code Date} of both lies far behind. From one answer to the next that of a
 * clock goes on as the time does, and that of a cache stands still or leaps. So an answer whose
 * {@code Date} lies behind is old, until answers over {@link #CONVINCING} ms have shown that it
 * goes on.
 *
 * <p>The {@code Date} of an old answer must not count as the service's time, or the next one would
 * not seem old beside it.
 */
final class OldAnswers {

  private static final long CONVINCING = TimeUnit.SECONDS.toMillis(5);

  // Both dates are cut to whole seconds, and answers are not equally long under way.
  private static final long RESOLUTION = TimeUnit.SECONDS.toMillis(2);
  private static final long JITTER = TimeUnit.SECONDS.toMillis(10);

  private record Answer(Instant date, long arrivalNanos) {}

  // The first one behind, since which each goes on.
  private @Nullable Answer first;

  /**
   * Notes the {@code Date} of an answer; returns whether the answer is old.
   *
   * @param oldest the earliest {@code Date} that does not lie behind
   */
  boolean note(Instant date, Instant oldest, long arrivalNanos) {
    if (!date.isBefore(oldest)) {
      first = null;
      return false;
    }
    Answer before = first == null ? new Answer(date, arrivalNanos) : first;
    long passed = TimeUnit.NANOSECONDS.toMillis(arrivalNanos - before.arrivalNanos());
    long wentOn = Duration.between(before.date(), date).toMillis();
    long tolerance = Math.max(RESOLUTION, Math.min(passed / 2, JITTER));
    boolean goesOn = Math.abs(wentOn - passed) <= tolerance;
    first = goesOn ? before : new Answer(date, arrivalNanos);
    return !goesOn || passed < CONVINCING;
  }
}
