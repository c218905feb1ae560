package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.resource.Key;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Judges, after a full pass, which keys are gone.
 *
 * <p>Where rows may shift between requests, a key must be missing from two passes in a row. When
 * more than a given share of the keys vanishes within an hour, whether at once or little by little,
 * the rest must still be missing from a pass some time later: a store does not lose half of its
 * products in an hour, but a service sometimes answers with half of them. What was confirmed so
 * does not count towards the share.
 *
 * <p>What is pending lives in memory only; a restart begins again.
 */
final class DeleteDetector {

  /** Below this many keys, losing most of them at once is no reason for doubt. */
  static final int GUARDED_SIZE = 20;

  private static final long NONE = -1;
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  /** So many keys were deleted at that time, at first sight or after another look. */
  private record Deletes(long nanos, int keys, boolean confirmed) {}

  /**
   * What a pass proves.
   *
   * @param gone keys to delete now
   * @param confirmNanos when to look again; meaningless unless {@code pending} is positive
   * @param pending keys that wait for that second look
   * @param guarded whether they wait because so many vanished at once
   */
  record Verdict(List<Key> gone, long confirmNanos, int pending, boolean guarded) {}

  private final Digest digest;
  private final boolean shifting;
  private final double maxRatio;
  private final long confirmNanos;
  private final Deque<Deletes> lastHour = new ArrayDeque<>();
  private long pendingTick = NONE;
  private boolean guarded;
  private long guardedSinceNanos;

  DeleteDetector(Digest digest, boolean shifting, double maxRatio, Duration confirm) {
    this.digest = digest;
    this.shifting = shifting;
    this.maxRatio = maxRatio;
    this.confirmNanos = confirm.toNanos();
  }

  /**
   * A pass has ended.
   *
   * @param sinceTick the digest's tick at which it began
   * @param isFresh keys that an increment returned meanwhile and that are therefore there
   */
  Verdict judge(long sinceTick, Predicate<Key> isFresh, long nowNanos) {
    long since = pendingTick == NONE ? sinceTick : pendingTick;
    List<Key> missing = digest.missing(since).stream().filter(isFresh.negate()).toList();
    if (missing.isEmpty()) {
      return settled(missing);
    }
    if (guarded || isTooMuch(missing.size(), nowNanos)) {
      if (!guarded) {
        guarded = true;
        guardedSinceNanos = nowNanos;
      }
      if (nowNanos - guardedSinceNanos < confirmNanos) {
        return pending(since, guardedSinceNanos + confirmNanos, missing.size());
      }
    } else if (shifting && pendingTick == NONE) {
      return pending(since, nowNanos, missing.size());
    }
    lastHour.add(new Deletes(nowNanos, missing.size(), guarded));
    return settled(missing);
  }

  /** Whether more than the share would have vanished in the last hour, of the keys there were. */
  private boolean isTooMuch(int missing, long nowNanos) {
    lastHour.removeIf(deletes -> nowNanos - deletes.nanos() > HOUR);
    int keys = digest.size() + lastHour.stream().mapToInt(Deletes::keys).sum();
    int gone =
        missing + lastHour.stream().filter(d -> !d.confirmed()).mapToInt(Deletes::keys).sum();
    return keys >= GUARDED_SIZE && gone > maxRatio * keys;
  }

  /** Whether keys wait for a second look. */
  boolean undecided() {
    return pendingTick != NONE;
  }

  private Verdict pending(long since, long confirmAt, int keys) {
    pendingTick = since;
    return new Verdict(List.of(), confirmAt, keys, guarded);
  }

  private Verdict settled(List<Key> gone) {
    pendingTick = NONE;
    guarded = false;
    return new Verdict(gone, 0, 0, false);
  }
}
