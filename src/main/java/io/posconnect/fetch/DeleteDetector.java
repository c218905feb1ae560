package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Known;
import io.posconnect.change.RecentKeys;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.StreamSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides after each complete pass which of the missing keys are gone. A key that a response shows,
 * also one that breaks off, was not missing until then.
 *
 * <p><b>A wait is one value</b>, of all keys that the same pass was the first to lack: which pass,
 * what it waits for, and since when. What it waits for is one of three things, and when that
 * changes, the wait begins again, so a wait for one reason never counts for another:
 *
 * <table>
 * <caption>What a missing key waits for</caption>
 * <tr><td>{@link Reason#UNVERIFIED}</td><td>until it is clear which store answers</td></tr>
 * <tr><td>{@link Reason#UNREADABLE}</td><td>while the list holds a row whose key cannot be read,
 *     and which appeared when or after the key vanished: that row may be the missing one. An
 *     <em>uncertain</em> key waits for older rows as well: see {@link UnreadableRows}</td></tr>
 * <tr><td>{@link Reason#MISSING}</td><td>nothing holds it, and passes agree that it is gone</td></tr>
 * </table>
 *
 * <p><b>What passes must agree.</b> Where rows may shift between requests, of the list or of an
 * increment, two of them in a row. If more than {@code deletes.max.ratio} of at least {@value
 * StreamSettings#GUARDED_KEYS} keys vanish within an hour, at once or little by little, a key must
 * still be missing {@code deletes.confirm.ms} later: a store does not lose half of its products in
 * an hour, but a service sometimes answers with half of them. A pass that lacks so much more than
 * the pass before confirms nothing, but no key waits longer than twice {@code deletes.confirm.ms}
 * and two more passes. A pass that shows the keys again ends the alarm. Deletes that were confirmed
 * so, and keys that came back, do not count towards the ratio.
 *
 * <p>What is pending lives in memory only; a restart begins again.
 */
class DeleteDetector {

  // A list that loses rows at each read is not read without end: what the last of so many passes
  // is the first to lack waits for the next one at its interval.
  private static final int MOST_AT_ONCE = 4;

  // Uncertain keys share one wait: for it, this stands for both the tick and the pass since which
  // they are missing.
  private static final long UNCERTAIN = UnreadableRows.NONE;

  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  /** What a missing key waits for. */
  enum Reason {
    MISSING,
    UNREADABLE,
    UNVERIFIED
  }

  /**
   * The wait of all keys that are missing since the same pass, or of all that are uncertain.
   *
   * @param missingSince the first pass that lacked them; before each for uncertain ones
   * @param reason what they wait for
   * @param pass the pass after which they began to wait for that
   * @param nanos when that pass ended
   * @param keys while the pass is judged; none between two passes
   */
  record Wait(long missingSince, Reason reason, long pass, long nanos, List<Key> keys) {
    Wait withoutKeys() {
      return new Wait(missingSince, reason, pass, nanos, List.of());
    }
  }

  /**
   * A complete pass over a list.
   *
   * @param missing keys that it did not show
   * @param hidden how many more it did not show, since increments returned them: they are not gone,
   *     but a list that lacks them proves less
   * @param since the digest's tick at which it began
   * @param newestUnreadable the latest pass since which a key may be missing and be a row whose key
   *     cannot be read; before each for none
   * @param uncertain whether a missing key may be such a row though it is older
   * @param trusted whether the location is known to be the store that was read before
   */
  record Seen(
      Collection<Key> missing,
      int hidden,
      long since,
      long newestUnreadable,
      Predicate<Key> uncertain,
      boolean trusted) {}

  /**
   * What a pass proves.
   *
   * @param gone keys to delete now, and dead letters to forget
   * @param unconfirmed those of them that no later pass confirmed
   * @param waiting the other missing keys, by the digest's tick at which the first pass began that
   *     lacked them
   * @param wantsAnotherPass whether a key waits for a pass that is to be planned, and not only for
   *     a row to become readable, or for the next pass at its interval
   * @param againNanos when that pass must follow; otherwise meaningless
   * @param provesLittle whether such a pass follows, or so many keys have lately begun to wait for
   *     something else, that dead letters which the list lacks may be there as well
   */
  record Verdict(
      List<Key> gone,
      List<Key> unconfirmed,
      SortedMap<Long, Wait> waiting,
      boolean wantsAnotherPass,
      long againNanos,
      boolean provesLittle) {
    static final Verdict NOTHING =
        new Verdict(List.of(), List.of(), Collections.emptySortedMap(), false, 0, false);

    /** Returns how many keys wait. */
    int keysWaiting() {
      return waiting.values().stream().mapToInt(wait -> wait.keys().size()).sum();
    }

    /** Returns how many keys wait for that. */
    int waitingFor(Reason reason) {
      return waiting.values().stream()
          .filter(wait -> wait.reason() == reason)
          .mapToInt(wait -> wait.keys().size())
          .sum();
    }

    /**
     * So many of the keys that wait, but for uncertain ones, and that this pass or one before it
     * was the first to lack, and which.
     */
    Map<Key, Long> missingUntil(long pass, int most) {
      return waiting.values().stream()
          .filter(wait -> wait.missingSince() != UNCERTAIN && wait.missingSince() <= pass)
          .flatMap(wait -> wait.keys().stream().map(key -> Map.entry(key, wait.missingSince())))
          .limit(most)
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
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
  private final Digest digest;

  // The digest knows when a missing key was last seen, so none is held here: by the tick at which a
  // pass began, the wait of the keys that it was the first to lack.
  private NavigableMap<Long, Wait> waits = new TreeMap<>();

  // Keys that were deleted without a confirmation.
  private final RecentKeys deletedLately;
  private long pass = 1;

  // In a row, each to confirm what the one before was the first to lack.
  private int passesAtOnce;

  DeleteDetector(StreamSettings settings, Digest digest) {
    this.settings = settings;
    this.digest = digest;
    deletedLately = new RecentKeys(digest);
    Retrieval retrieval = settings.resource().retrieval();
    // A list may be older than a row, and the increment before it have missed the row.
    this.shifting = retrieval.shifting() || retrieval.shiftingIncrements();
  }

  /** Number of the pass under way, from 1. */
  long pass() {
    return pass;
  }

  /** Judges the keys that the pass under way did not show. */
  Verdict judge(Seen seen, long nowNanos) {
    SortedMap<Long, Wait> waiting = new TreeMap<>();
    for (Key key : seen.missing()) {
      waiting.computeIfAbsent(tick(key, seen), each -> wait(each, seen, nowNanos)).keys().add(key);
    }
    long confirm = settings.deletesConfirm().toNanos();
    int free = 0;
    int held = 0;
    int unconfirmed = seen.hidden();
    int first = seen.hidden();
    for (Wait wait : waiting.values()) {
      int keys = wait.keys().size();
      if (wait.reason() == Reason.MISSING) {
        free += keys;
        unconfirmed += nowNanos - wait.nanos() < confirm ? keys : 0;
        first += wait.pass() == pass ? keys : 0;
      } else if (nowNanos - wait.nanos() < 2 * confirm) {
        held += keys;
      }
    }
    int shown = digest.keys() - seen.missing().size() - seen.hidden();
    int lately = deletedLately.size(nowNanos - HOUR_NANOS);
    int vanished = free + seen.hidden() + lately;
    boolean guards = settings.areTooMany(vanished, shown + vanished, digest.keys() + lately);
    // What a list lacks for the first time may be so much that it confirms nothing either.
    boolean doubted = settings.areTooMany(first, shown + unconfirmed, digest.keys());
    long needed = doubted ? 2 * confirm : guards ? confirm : 0;
    int passes = doubted ? 2 : shifting ? 1 : 0;
    List<Key> gone = new ArrayList<>();
    List<Key> atFirstSight = new ArrayList<>();
    long again = Long.MAX_VALUE;
    for (Iterator<Wait> rest = waiting.values().iterator(); rest.hasNext(); ) {
      Wait wait = rest.next();
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
        gone.addAll(wait.keys());
        if (waited < confirm) {
          atFirstSight.addAll(wait.keys());
        }
        rest.remove();
      }
    }
    boolean plans = again < Long.MAX_VALUE;
    boolean provesLittle = plans || settings.areTooMany(held, shown + held, digest.keys());
    long next = nowNanos + (plans ? again : 0);
    return new Verdict(gone, atFirstSight, waiting, plans, next, provesLittle);
  }

  /** The tick at which the first pass began that lacked the key, if it is not uncertain. */
  private long tick(Key key, Seen seen) {
    Long tick = waits.higherKey(digest.known(key).seen());
    return seen.uncertain().test(key) ? UNCERTAIN : tick == null ? seen.since() : tick;
  }

  /** The wait of missing keys: it begins again when they wait for something else. */
  private Wait wait(long tick, Seen seen, long nowNanos) {
    Wait before = waits.get(tick);
    long since = tick == UNCERTAIN ? UNCERTAIN : before == null ? pass : before.missingSince();
    Reason reason = reason(since, seen);
    return before == null || before.reason() != reason
        ? new Wait(since, reason, pass, nowNanos, new ArrayList<>())
        : new Wait(since, reason, before.pass(), before.nanos(), new ArrayList<>());
  }

  private Reason reason(long missingSince, Seen seen) {
    if (!seen.trusted()) {
      return Reason.UNVERIFIED;
    }
    return missingSince > seen.newestUnreadable() ? Reason.MISSING : Reason.UNREADABLE;
  }

  /** Ends the pass under way, which was judged so. */
  void passEnded(Verdict verdict, long nowNanos) {
    verdict.unconfirmed().forEach(key -> deletedLately.add(key, nowNanos));
    deletedLately.forget(nowNanos - HOUR_NANOS);
    waits = new TreeMap<>(verdict.waiting());
    Wait uncertain = waits.get(UNCERTAIN);
    if (uncertain != null) {
      // When nothing makes them uncertain any more, a later pass is the first to lack them.
      uncertain.keys().forEach(digest::see);
    }
    waits.replaceAll((tick, wait) -> wait.withoutKeys());
    boolean atOnce = verdict.wantsAnotherPass() && verdict.againNanos() - nowNanos <= 0;
    passesAtOnce = atOnce ? passesAtOnce + 1 : 0;
    pass++;
  }

  /** Returns the wait of such a key; null where it does not wait. */
  @Nullable Wait waiting(Known known) {
    Map.Entry<Long, Wait> wait = known.isThere() ? waits.higherEntry(known.seen()) : null;
    return wait == null ? null : wait.getValue();
  }

  /** Records that a response shows a key. */
  void shows(Key key) {
    deletedLately.remove(key);
  }
}
