package io.posconnect.fetch;

import io.posconnect.fetch.Reconciliation.RecentKeys;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides after each complete pass which of the missing keys are gone. A key that a response shows,
 * also one that breaks off, was not missing until then.
 *
 * <p><b>A wait is one value</b>: since which pass a key is missing, what it waits for, and since
 * when. What it waits for is one of three things, and when that changes, the wait begins again, so
 * a wait for one reason never counts for another:
 *
 * <table>
 * <caption>What a missing key waits for</caption>
 * <tr><td>{@link Reason#UNVERIFIED}</td><td>until it is clear which store answers</td></tr>
 * <tr><td>{@link Reason#UNREADABLE}</td><td>while the list holds a row whose key cannot be read,
 *     and which appeared when or after the key vanished: that row may be the missing one</td></tr>
 * <tr><td>{@link Reason#MISSING}</td><td>nothing holds it, and passes agree that it is gone</td></tr>
 * </table>
 *
 * <p><b>What passes must agree.</b> Where rows may shift between requests, of the list or of an
 * increment, two of them in a row. If more than {@code deletes.max.ratio} of at least {@link
 * #GUARDED_KEYS} keys vanish within an hour, at once or little by little, a key must still be
 * missing {@code deletes.confirm.ms} later: a store does not lose half of its products in an hour,
 * but a service sometimes answers with half of them. A pass that lacks so much more than the pass
 * before confirms nothing, but no key waits longer than twice {@code deletes.confirm.ms} and two
 * more passes. A pass that shows the keys again ends the alarm. Deletes that were confirmed so, and
 * keys that came back, do not count towards the ratio.
 *
 * <p>What is pending lives in memory only; a restart begins again.
 */
class DeleteDetector {

  /** Below this many keys, losing most of them at once is no reason for doubt. */
  static final int GUARDED_KEYS = 20;

  // A list that loses rows at each read is not read without end: what the last of so many passes
  // is the first to lack waits for the next one at its interval.
  private static final int MOST_AT_ONCE = 4;

  private static final Duration HOUR = Duration.ofHours(1);

  /** What a missing key waits for. */
  enum Reason {
    MISSING,
    UNREADABLE,
    UNVERIFIED
  }

  /**
   * The wait of one key.
   *
   * @param missingSince the first pass that lacked it
   * @param reason what it waits for
   * @param pass the pass after which it began to wait for that
   * @param nanos when that pass ended
   */
  record Wait(long missingSince, Reason reason, long pass, long nanos) {}

  /**
   * A complete pass over a list.
   *
   * @param missing keys that it did not show
   * @param hidden how many more it did not show, since increments returned them: they are not gone,
   *     but a list that lacks them proves less
   * @param keys how many the digest holds
   * @param newestUnreadable the latest pass since which a key may be missing and be a row whose key
   *     cannot be read; negative for none
   * @param trusted whether the location is known to be the store that was read before
   */
  record Seen(
      Collection<Key> missing, int hidden, int keys, long newestUnreadable, boolean trusted) {}

  /**
   * What a pass proves.
   *
   * @param gone keys to delete now, and dead letters to forget
   * @param unconfirmed those of them that no later pass confirmed
   * @param waiting the other missing keys
   * @param wantsAnotherPass whether a key waits for a pass that is to be planned, and not only for
   *     a row to become readable, or for the next pass at its interval
   * @param againNanos when that pass must follow; otherwise meaningless
   * @param provesLittle whether such a pass follows, or so many keys have lately begun to wait for
   *     something else, that dead letters which the list lacks may be there as well
   */
  record Verdict(
      List<Key> gone,
      List<Key> unconfirmed,
      Map<Key, Wait> waiting,
      boolean wantsAnotherPass,
      long againNanos,
      boolean provesLittle) {
    static final Verdict NOTHING = new Verdict(List.of(), List.of(), Map.of(), false, 0, false);

    /** Returns how many keys wait for that. */
    int waitingFor(Reason reason) {
      return (int) waiting.values().stream().filter(wait -> wait.reason() == reason).count();
    }

    /** Returns how long a key has waited for that, at most; 0 where none does. */
    long longestNanos(Reason reason, long nowNanos) {
      return waiting.values().stream()
          .filter(wait -> wait.reason() == reason)
          .mapToLong(wait -> nowNanos - wait.nanos())
          .max()
          .orElse(0);
    }

    /** Returns how many rows are deleted now. */
    int deletes() {
      return (int) gone.stream().filter(key -> !key.isDeadLetter()).count();
    }

    /** The same, and these dead letters are forgotten; nothing is emitted for them. */
    Verdict with(List<Key> deadLetters) {
      List<Key> all = new ArrayList<>(gone);
      all.addAll(deadLetters);
      return new Verdict(all, unconfirmed, waiting, wantsAnotherPass, againNanos, provesLittle);
    }
  }

  private final StreamSettings settings;
  private final boolean shifting;
  private Map<Key, Wait> waits = new HashMap<>();

  // Keys that were deleted without a confirmation.
  private final RecentKeys deletedLately = new RecentKeys(HOUR);
  private long pass;

  // In a row, each to confirm what the one before was the first to lack.
  private int passesAtOnce;

  DeleteDetector(StreamSettings settings) {
    this.settings = settings;
    Retrieval retrieval = settings.resource().retrieval();
    // A list may be older than a row, and the increment before it have missed the row.
    this.shifting = retrieval.shifting() || retrieval.shiftingIncrements();
  }

  /** Number of the pass under way, from 0. */
  long pass() {
    return pass;
  }

  /** Judges the keys that the pass under way did not show. */
  Verdict judge(Seen seen, long nowNanos) {
    Map<Key, Wait> waiting = new LinkedHashMap<>();
    long confirm = settings.deletesConfirm().toNanos();
    int free = 0;
    int held = 0;
    int unconfirmed = seen.hidden();
    int first = seen.hidden();
    for (Key key : seen.missing()) {
      Wait wait = wait(key, seen, nowNanos);
      waiting.put(key, wait);
      if (wait.reason() == Reason.MISSING) {
        free++;
        unconfirmed += nowNanos - wait.nanos() < confirm ? 1 : 0;
        first += wait.pass() == pass ? 1 : 0;
      } else if (nowNanos - wait.nanos() < 2 * confirm) {
        held++;
      }
    }
    int shown = seen.keys() - seen.missing().size() - seen.hidden();
    int lately = deletedLately.size(nowNanos);
    int vanished = free + seen.hidden() + lately;
    boolean guards = isTooMuch(vanished, shown + vanished, seen.keys() + lately);
    // What a list lacks for the first time may be so much that it confirms nothing either.
    boolean doubted = isTooMuch(first, shown + unconfirmed, seen.keys());
    long needed = doubted ? 2 * confirm : guards ? confirm : 0;
    int passes = doubted ? 2 : shifting ? 1 : 0;
    List<Key> gone = new ArrayList<>();
    List<Key> atFirstSight = new ArrayList<>();
    long again = Long.MAX_VALUE;
    for (Iterator<Map.Entry<Key, Wait>> rest = waiting.entrySet().iterator(); rest.hasNext(); ) {
      Map.Entry<Key, Wait> each = rest.next();
      Wait wait = each.getValue();
      long waited = nowNanos - wait.nanos();
      if (wait.reason() == Reason.UNREADABLE) {
        continue;
      }
      if (wait.reason() == Reason.UNVERIFIED) {
        again = Math.min(again, Math.max(confirm, settings.resource().pollInterval().toNanos()));
      } else if (waited < needed) {
        again = Math.min(again, (waited < confirm ? confirm : needed) - waited);
      } else if (pass - wait.pass() < passes) {
        boolean later = !doubted && passesAtOnce == MOST_AT_ONCE;
        again = later ? again : Math.min(again, doubted ? confirm : 0);
      } else {
        gone.add(each.getKey());
        if (waited < confirm) {
          atFirstSight.add(each.getKey());
        }
        rest.remove();
      }
    }
    boolean plans = again < Long.MAX_VALUE;
    boolean provesLittle = plans || isTooMuch(held, shown + held, seen.keys());
    long next = nowNanos + (plans ? again : 0);
    return new Verdict(gone, atFirstSight, waiting, plans, next, provesLittle);
  }

  /** The wait of a missing key: it begins again when the key waits for something else. */
  private Wait wait(Key key, Seen seen, long nowNanos) {
    Wait before = waits.get(key);
    long since = before == null ? pass : before.missingSince();
    Reason reason = reason(since, seen);
    return before == null || before.reason() != reason
        ? new Wait(since, reason, pass, nowNanos)
        : before;
  }

  private Reason reason(long missingSince, Seen seen) {
    if (!seen.trusted()) {
      return Reason.UNVERIFIED;
    }
    return missingSince > seen.newestUnreadable() ? Reason.MISSING : Reason.UNREADABLE;
  }

  /**
   * Returns whether that is too large a part.
   *
   * @param before how many keys there were
   */
  private boolean isTooMuch(int missing, int of, int before) {
    return before >= GUARDED_KEYS && missing > settings.deletesMaxRatio() * of;
  }

  /** Ends the pass under way, which was judged so. */
  void passEnded(Verdict verdict, long nowNanos) {
    verdict.unconfirmed().forEach(key -> deletedLately.add(key, nowNanos));
    waits = new HashMap<>(verdict.waiting());
    boolean atOnce = verdict.wantsAnotherPass() && verdict.againNanos() - nowNanos <= 0;
    passesAtOnce = atOnce ? passesAtOnce + 1 : 0;
    pass++;
  }

  /** Returns whether passes have lacked the key, and nothing holds it. */
  boolean isMissing(Key key) {
    Wait wait = waits.get(key);
    return wait != null && wait.reason() == Reason.MISSING;
  }

  /** Records that a response shows a key; returns whether an unreadable row held it until now. */
  boolean seen(Key key) {
    Wait wait = waits.remove(key);
    deletedLately.remove(key);
    return wait != null && wait.reason() == Reason.UNREADABLE;
  }
}
