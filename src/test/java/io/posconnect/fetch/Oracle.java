package io.posconnect.fetch;

import io.posconnect.fetch.EmittedRecord.Kind;
import io.posconnect.fetch.Table.Version;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Checks each record as it is written, and compares the topic with the table in the end. */
final class Oracle {

  /** The law was broken. */
  static final class Violation extends RuntimeException {
    Violation(String what) {
      super(what, null, false, false);
    }
  }

  /**
   * A change that was written, but not committed, when the worker died.
   *
   * @param believed what the digest believed of the key
   * @param healing whether the next worker began with an increment
   */
  private record Undone(Version believed, boolean healing) {}

  private final World world;
  private final Setup setup;
  private final Map<Integer, Version> last = new HashMap<>();

  /** Keys of which one more event with the same content is in order. */
  private final Set<Integer> again = new HashSet<>();

  /** Keys that must have an event, since a new snapshot was asked for. */
  private final Set<Integer> wanted = new HashSet<>();

  /**
   * Keys that must come again, and that may, only since a segment was lost that the position alone
   * vouched for.
   */
  private final Set<Integer> wantedForLoss = new HashSet<>();

  private final Set<Integer> againForLoss = new HashSet<>();

  /**
   * Keys whose last event may be wrong for good, and what the digest believed of them: their change
   * was written but not committed when the worker died, and was undone before it was read again.
   */
  private final Map<Integer, Undone> undone = new HashMap<>();

  /** Of each key the latest event, while no stored offset vouches for it. */
  private final Map<Integer, EmittedRecord> unstored = new HashMap<>();

  /** Keys whose end may be missed, since a segment was lost. */
  private final Set<Integer> orphans = new HashSet<>();

  private final Set<Integer> spoilt = new HashSet<>();
  private Version deleted;
  private boolean keysWereLimited;
  private final Numbers numbers;

  Oracle(World world) {
    this.world = world;
    this.setup = world.setup();
    numbers = new Numbers(setup);
  }

  /** Checks a record that is written to its topic. */
  void written(EmittedRecord sent) {
    world.trace(() -> "writes " + sent);
    if (sent.kind() == Kind.TOMBSTONE) {
      tombstone(sent);
    } else {
      numbers.written(sent);
    }
    if (sent.owner().learned(sent) != null && setup.exactlyOnce) {
      learn(sent);
    }
    if (sent.kind() != Kind.EVENT) {
      return;
    }
    Version version = sent.version();
    Version before = last.get(version.key());
    if (setup.exactlyOnce) {
      exactlyOnce(sent, version, before);
    } else {
      atLeastOnce(sent, before);
    }
    last.put(version.key(), version);
    unstored.put(version.key(), sent);
    again.remove(version.key());
    wanted.remove(version.key());
    undone.remove(version.key());
    orphans.remove(version.key());
    sent.owner().sure(version.key());
    if (sent.owner() != world.task()) {
      spoilt.add(version.key());
    }
  }

  /**
   * A record of a baseline is emitted. At least once, an event behind it may be written before it.
   */
  void learns(EmittedRecord sent) {
    if (!setup.exactlyOnce) {
      learn(sent);
    }
  }

  /** As if a consumer had read these rows before the first event. */
  private void learn(EmittedRecord baseline) {
    baseline
        .owner()
        .learned(baseline)
        .forEach((key, version) -> last.merge(key, version, Oracle::later));
  }

  private static Version later(Version one, Version other) {
    return one.number() > other.number() ? one : other;
  }

  private void tombstone(EmittedRecord sent) {
    if (setup.exactlyOnce && !sent.version().equals(deleted)) {
      throw new Violation("a tombstone that does not follow its delete: " + sent);
    }
    deleted = null;
  }

  private void exactlyOnce(EmittedRecord sent, Version version, Version before) {
    if (deleted != null && !setup.dropsTombstones) {
      throw new Violation("a delete without its tombstone: " + deleted);
    }
    if (!version.exists() && setup.hasTombstones()) {
      deleted = version;
    }
    // What came before the change of delivery may come again.
    boolean isUnsure = setup.switches && sent.owner().unsure(version.key());
    boolean lags = setup.lag > 0 || isUnsure;
    if (before != null && before.number() > version.number() && !lags) {
      throw new Violation("reverted: " + version + " after " + before);
    }
    if (!isUnsure && (before == null ? !version.exists() : repeats(version, before))) {
      throw new Violation("repeated: " + version + " after " + before);
    }
  }

  private void atLeastOnce(EmittedRecord sent, Version before) {
    int key = sent.version().key();
    // A failed record may have stored its image or not: this looks like a loss, as offsets do of
    // which a crash kept a part. A row that is broken then comes once more when it is whole.
    boolean mayComeLate =
        !failed.isEmpty() || (before != null && world.table().wasBrokenAfter(key, before.number()));
    boolean believedLost = mayComeLate && sent.owner().repeatsAll();
    boolean excused =
        sent.mayRepeat()
            || sent.owner().unsure(key)
            || !spoilt.isEmpty()
            || failed.contains(key)
            || believedLost;
    if (!excused && before != null && repeats(sent.version(), before)) {
      throw new Violation("repeated: " + sent + " after " + before);
    }
  }

  private boolean repeats(Version version, Version before) {
    return version.sameContent(before)
        && !again.contains(version.key())
        && !keysWereLimited
        && !setup.dropsEvent(version.key());
  }

  private Version lastOf(int key) {
    return last.getOrDefault(key, Version.none(key));
  }

  /** Returns whether the row was gone for a while. */
  private boolean wentAway(Version version, Version before) {
    return world.table().deletionAfter(version.key(), before.number(), version.visible()) != null;
  }

  /**
   * Returns whether the digest, once whole again, may not know a key that has had no event since:
   * the row was gone, or broken.
   */
  private boolean isUnknown(int key, Version shown) {
    return wentAway(world.table().newest(key), shown)
        || world.table().wasBrokenAfter(key, shown.number());
  }

  private final Set<Integer> failed = new HashSet<>();

  /** A record could not be written, and that is tolerated. */
  void failed(EmittedRecord sent) {
    failed.add(sent.version().key());
  }

  /** Whether a record of the key could ever not be written: what it stores may be stored or not. */
  boolean hasFailed(int key) {
    return failed.contains(key);
  }

  /** Everything is to be emitted once more. */
  void newSnapshot() {
    answered();
    again.addAll(last.keySet());
    wanted.addAll(everyKey());
  }

  /** All offsets are gone: everything comes again, and deletes are lost. */
  void forgotten() {
    newSnapshot();
    orphans.addAll(everyKey());
    numbers.mayBeginAgain();
  }

  /** What is damaged may be damaged anew, and with it the latest numbers lost. */
  void newNumbers() {
    numbers.mayBeginAgain();
  }

  /** The events go to another topic from now on, in which nothing stands yet. */
  void newTopic() {
    answered();
    last.clear();
    again.clear();
    undone.clear();
    orphans.clear();
    wanted.addAll(everyKey());
    deleted = null;
    numbers.mayBeginAgain();
  }

  /**
   * A segment of the digest was lost, and with it what was known of these keys.
   *
   * @param shown whether what is left of the digest shows it, and not the position alone
   */
  void lost(Set<Integer> keys, boolean shown) {
    if (shown) {
      answered();
    } else {
      last.keySet().stream().filter(key -> !again.contains(key)).forEach(againForLoss::add);
      everyKey().stream().filter(key -> !wanted.contains(key)).forEach(wantedForLoss::add);
    }
    againForLoss.removeAll(keys);
    // While everything is being emitted once more, it is begun again, since what was emitted of it
    // cannot be known any more.
    again.addAll(last.keySet());
    orphans.addAll(keys);
    wanted.addAll(everyKey());
    numbers.mayBeginAgain();
  }

  /**
   * A segment is absent that holds these keys, and maybe nothing but what failed records stored: no
   * checkpoint vouches for that, so nothing may show the loss. Returns whether it is so.
   */
  boolean lostUnseen(Set<Integer> keys) {
    boolean isUnseen = !keys.isEmpty() && failed.containsAll(keys);
    if (isUnseen) {
      again.addAll(last.keySet());
      orphans.addAll(keys);
      numbers.mayBeginAgain();
    }
    return isUnseen;
  }

  /** Everything comes again, whatever becomes of the position. */
  private void answered() {
    wantedForLoss.clear();
    againForLoss.clear();
  }

  /**
   * An operator has replaced the position. With it goes the only trace of a loss that no record has
   * answered yet: what was lost comes again, and nothing else does.
   */
  void positionReplaced() {
    wanted.removeAll(wantedForLoss);
    again.removeAll(againForLoss);
    answered();
  }

  private List<Integer> everyKey() {
    return IntStream.range(0, setup.keys).boxed().toList();
  }

  /** An offset is stored. */
  void stored(EmittedRecord sent) {
    if (sent.kind() == Kind.EVENT && sent.owner() == world.task()) {
      answered();
    }
    unstored
        .values()
        .removeIf(
            each ->
                each.owner() == sent.owner()
                    && each.partition().equals(sent.partition())
                    && each.number() <= sent.number());
  }

  /** The first checkpoint after a loss: now the digest is whole again. */
  void checkpoint() {
    // Where rows shift between pages, even a row that is there may have been overlooked.
    if (!setup.shifting()) {
      orphans.removeIf(key -> !isUnknown(key, lastOf(key)));
    }
  }

  /** An operator has changed how records are delivered. */
  void switched() {
    numbers.switched();
  }

  /** The digest may have been too small. */
  void keysWereLimited() {
    keysWereLimited = true;
  }

  /**
   * The worker has died; returns the keys of which the topic knows more than the digest.
   *
   * @param healing whether the next worker begins with an increment
   */
  Set<Integer> crashed(Map<Integer, Version> saved, boolean healing) {
    // After a new snapshot was asked for, an older offset may hold the same content of a key.
    Set<Integer> ahead = new HashSet<>(unstored.keySet());
    for (Map.Entry<Integer, Version> entry : last.entrySet()) {
      Version known = saved.getOrDefault(entry.getKey(), Version.none(entry.getKey()));
      if (known.number() != entry.getValue().number() || !known.sameContent(entry.getValue())) {
        ahead.add(entry.getKey());
        Undone earlier = undone.get(entry.getKey());
        boolean heals = healing && (earlier == null || earlier.healing());
        if (!setup.exactlyOnce) {
          undone.put(entry.getKey(), new Undone(known, heals));
        }
      }
    }
    return ahead;
  }

  /** Describes one of these rows whose latest event is wrong; null when all are right. */
  String wrongRows(IntPredicate keys) {
    for (int key : IntStream.range(0, setup.keys).filter(keys).toArray()) {
      Version truth = world.table().newest(key);
      Version shown = lastOf(key);
      boolean right = truth.sameContent(shown) && !wanted.contains(key);
      if (truth.exists() && !right && !excused(key, truth)) {
        return "the topic ends with " + shown + ", the service with " + truth;
      }
    }
    return null;
  }

  /** Describes a row that is gone without its delete; null when there is none. */
  String missedDeletes() {
    for (int key = 0; key < setup.keys; key++) {
      Version truth = world.table().newest(key);
      Version shown = lastOf(key);
      boolean excused = orphans.contains(key) || keysWereLimited || excused(key, truth);
      if (!truth.exists() && shown.exists() && !excused) {
        return "the topic ends with " + shown + ", the service with " + truth;
      }
    }
    return null;
  }

  private boolean excused(int key, Version truth) {
    if (setup.dropsEvent(key) || failed.contains(key) || spoilt.contains(key)) {
      return true;
    }
    Undone change = undone.get(key);
    if (change == null || !change.believed().sameContent(truth)) {
      return false;
    }
    // The first window after a start is not held against the digest: it sets right what is there,
    // but does not show what is gone.
    // What it showed in between may have been a broken row, of which nothing is emitted.
    return setup.flawed
        || !change.healing()
        || !truth.exists()
        || wentAway(truth, lastOf(key))
        || world.mayMiss(key);
  }
}
