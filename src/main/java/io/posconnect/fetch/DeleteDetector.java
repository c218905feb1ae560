package io.posconnect.fetch;

import io.posconnect.resource.Key;
import io.posconnect.resource.StreamSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides after each complete pass which of the missing keys are gone. A key that a response shows,
 * also one that breaks off, was not missing until then.
 *
 * <ul>
 *   <li>Where rows may shift between requests, a key must be missing from two passes in a row.
 *   <li>While the list holds a row whose key cannot be read, and which appeared when or after a key
 *       vanished, that row may be the missing one: the key is held.
 *   <li>If more than {@code deletes.max.ratio} of at least {@link #GUARDED_KEYS} keys vanish within
 *       an hour, at once or little by little, a key must still be missing {@code
 *       deletes.confirm.ms} later: a store does not lose half of its products in an hour, but a
 *       service sometimes answers with half of them. A pass that shows the keys again ends the
 *       alarm. Deletes that were confirmed so, and keys that came back, do not count towards the
 *       ratio.
 * </ul>
 *
 * <p>What is pending lives in memory only; a restart begins again.
 */
class DeleteDetector {

  /** Below this many keys, losing most of them at once is no reason for doubt. */
  static final int GUARDED_KEYS = 20;

  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  /** The pass from which a key was missing first, and when that ended. */
  private record Missed(long pass, long nanos) {}

  /**
   * What a pass proves.
   *
   * @param gone keys to delete now, and dead letters to forget
   * @param pending how many keys another pass must confirm, those held by the ratio included
   * @param guarded how many of these are held because too many vanished
   * @param unreadable how many are held because of rows whose key cannot be read
   * @param confirmNanos when to look again; meaningless unless {@code pending} is positive
   */
  record Verdict(List<Key> gone, int pending, int guarded, int unreadable, long confirmNanos) {
    static final Verdict NOTHING = new Verdict(List.of(), 0, 0, 0, 0);

    /** Of a pass over what may be another store: all of the missing keys wait. */
    static Verdict untrusted(int missing, long nowNanos) {
      return new Verdict(List.of(), missing, 0, 0, nowNanos);
    }

    /** Returns how many rows are deleted now. */
    int deletes() {
      return (int) gone.stream().filter(key -> !key.isDeadLetter()).count();
    }

    /** The same, and these dead letters are forgotten; nothing is emitted for them. */
    Verdict with(List<Key> deadLetters) {
      List<Key> all = new ArrayList<>(gone);
      all.addAll(deadLetters);
      return new Verdict(all, pending, guarded, unreadable, confirmNanos);
    }
  }

  private final StreamSettings settings;
  private final boolean shifting;
  private Map<Key, Missed> missed = new HashMap<>();

  // Keys deleted at first sight, in the order of their times.
  private final LinkedHashMap<Key, Long> deletedLately = new LinkedHashMap<>();
  private long pass;

  DeleteDetector(StreamSettings settings) {
    this.settings = settings;
    this.shifting = settings.resource().retrieval().shifting();
  }

  /** Number of the pass under way, from 0. */
  long pass() {
    return pass;
  }

  /**
   * Judges the keys that the pass under way did not show.
   *
   * @param unseen how many keys the pass did not show, those of increments included: they are not
   *     gone, but a list that lacks them proves less
   * @param keys how many the digest holds
   * @param newestUnreadable the pass in which the newest row appeared whose key cannot be read;
   *     negative for none
   */
  Verdict judge(
      Collection<Key> missing, int unseen, int keys, long newestUnreadable, long nowNanos) {
    List<Key> unheld = unheld(missing, newestUnreadable, nowNanos);
    int fresh = unseen - missing.size();
    boolean guards = isTooMuch(unheld.size() + fresh, keys, deletedLately(nowNanos));
    // A list that lacks so much for the first time confirms nothing that was missing before.
    int latest = (int) unheld.stream().filter(key -> waits(key, nowNanos)).count();
    boolean confirms = !isTooMuch(latest + fresh, keys, 0);
    List<Key> gone = new ArrayList<>();
    int guarded = 0;
    long confirmNanos = Long.MAX_VALUE;
    for (Key key : unheld) {
      Missed first = missed(key, nowNanos);
      if (guards && waits(key, nowNanos)) {
        guarded++;
        confirmNanos = earlier(confirmNanos, first.nanos() + confirmDelay(), nowNanos);
      } else if (!confirms) {
        guarded++;
      } else if (shifting && first.pass() == pass) {
        confirmNanos = nowNanos;
      } else {
        gone.add(key);
      }
    }
    return new Verdict(
        gone, unheld.size() - gone.size(), guarded, missing.size() - unheld.size(), confirmNanos);
  }

  /** Returns the missing keys that no unreadable row can be. */
  private List<Key> unheld(Collection<Key> missing, long newestUnreadable, long nowNanos) {
    // Between pages, one pass may show a row both before and after it broke.
    long newestSuspect =
        shifting && newestUnreadable >= 0 ? newestUnreadable + 1 : newestUnreadable;
    return missing.stream().filter(key -> missed(key, nowNanos).pass() > newestSuspect).toList();
  }

  private boolean waits(Key key, long nowNanos) {
    return nowNanos - missed(key, nowNanos).nanos() < confirmDelay();
  }

  private long confirmDelay() {
    return settings.deletesConfirm().toNanos();
  }

  private static long earlier(long a, long b, long nowNanos) {
    return a == Long.MAX_VALUE || b - nowNanos < a - nowNanos ? b : a;
  }

  private Missed missed(Key key, long nowNanos) {
    Missed known = missed.get(key);
    return known == null ? new Missed(pass, nowNanos) : known;
  }

  private int deletedLately(long nowNanos) {
    return (int) deletedLately.values().stream().filter(at -> nowNanos - at <= HOUR).count();
  }

  /** Returns whether too large a part of the keys would vanish, with those that did. */
  private boolean isTooMuch(int missing, int keys, int deleted) {
    int before = keys + deleted;
    return before >= GUARDED_KEYS && missing + deleted > settings.deletesMaxRatio() * before;
  }

  /** Returns how long the key that is missing longest has been missing; 0 when none is. */
  long missingForNanos(Collection<Key> missing, long nowNanos) {
    return missing.stream()
        .mapToLong(key -> nowNanos - missed(key, nowNanos).nanos())
        .max()
        .orElse(0);
  }

  /** Ends the pass under way, whose missing keys were judged so. */
  void passEnded(Collection<Key> missing, Verdict verdict, long nowNanos) {
    Map<Key, Missed> still = new HashMap<>();
    missing.forEach(key -> still.put(key, missed(key, nowNanos)));
    for (Key key : verdict.gone()) {
      // A dead letter that is forgotten is no delete.
      Missed first = still.remove(key);
      if (first != null && nowNanos - first.nanos() < confirmDelay()) {
        deletedLately.put(key, nowNanos);
      }
    }
    missed = still;
    pass++;
    forget(nowNanos);
  }

  /** Records that a response shows a key. */
  void seen(Key key) {
    missed.remove(key);
    deletedLately.remove(key);
  }

  private void forget(long nowNanos) {
    Iterator<Long> times = deletedLately.values().iterator();
    while (times.hasNext() && nowNanos - times.next() > HOUR) {
      times.remove();
    }
  }
}
