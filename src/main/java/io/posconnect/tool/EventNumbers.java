package io.posconnect.tool;

import io.posconnect.resource.Numbering;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Collects the numbers of a stream's events up to the one that a checkpoint vouches for, and finds
 * those that are missing.
 *
 * <p>Compaction and retention remove events too, so a missing number is a loss only where they
 * cannot have been. Retention removes the beginning of a partition. Compaction leaves one record of
 * each key, so it ended before the first offset of a partition at which a key comes again. Behind
 * that offset nothing was removed. The events of a stream are written in the order of their
 * numbers, so a missing number is lost if it is greater than any that a partition has up to that
 * offset. An old event that somebody wrote again does not lower that bound.
 */
final class EventNumbers {

  /** The missing numbers from one to another. */
  record Range(long from, long to) {
    @Override
    public String toString() {
      return from == to ? Long.toString(from) : from + "-" + to;
    }
  }

  /**
   * What is known about the numbers.
   *
   * @param upTo the number that the checkpoint vouches for
   * @param lost those that are missing, and no cleaning explains it
   * @param removed how many are missing that compaction or retention may have removed
   * @param twice those that more than one event has
   */
  record Gaps(long upTo, Numbers lost, long removed, Numbers twice) {}

  /** Some numbers, and the first ranges of them. */
  record Numbers(long count, List<Range> ranges) {

    private static Numbers of(BitSet set) {
      List<Range> ranges = new ArrayList<>();
      int first = set.nextSetBit(0);
      while (first >= 0 && ranges.size() < MOST_RANGES) {
        int behind = set.nextClearBit(first);
        ranges.add(new Range(first, behind - 1L));
        first = set.nextSetBit(behind);
      }
      return new Numbers(set.cardinality(), ranges);
    }

    /** The ranges, with dots where there are more. */
    @Override
    public String toString() {
      String listed = ranges.stream().map(Range::toString).collect(Collectors.joining(", "));
      return ranges.size() < MOST_RANGES ? listed : listed + ", ...";
    }
  }

  private static final int MOST_RANGES = 10;

  private final Numbering vouched;
  private final BitSet seen = new BitSet();
  private final BitSet twice = new BitSet();
  private final Map<Integer, Integer> highest = new HashMap<>();
  private final Map<Integer, Integer> firstIntact = new HashMap<>();

  /**
   * @param vouched the numbering of a checkpoint that was read before the events
   */
  EventNumbers(Numbering vouched) {
    this.vouched = vouched;
  }

  /**
   * Adds an event. Numbers above the one that the checkpoint vouches for do not count.
   *
   * @param intact whether nothing was removed behind it in its partition
   */
  void add(int partition, Numbering event, boolean intact) {
    if (event.epochMillis() != vouched.epochMillis()
        || event.seq() < 1
        || event.seq() > Math.min(vouched.seq(), Integer.MAX_VALUE - 1)) {
      return;
    }
    int number = (int) event.seq();
    if (seen.get(number)) {
      twice.set(number);
    }
    seen.set(number);
    int highest = this.highest.merge(partition, number, Math::max);
    if (intact) {
      firstIntact.putIfAbsent(partition, highest);
    }
  }

  /**
   * Finds the missing numbers.
   *
   * @param cleaned the partitions from which something may have been removed
   */
  Gaps gaps(Collection<Integer> cleaned) {
    int upTo = (int) Math.min(vouched.seq(), Integer.MAX_VALUE - 1);
    int intactFrom =
        cleaned.stream()
            .mapToInt(partition -> firstIntact.getOrDefault(partition, upTo))
            .max()
            .orElse(0);
    BitSet missing = new BitSet();
    missing.set(1, upTo + 1);
    missing.andNot(seen);
    BitSet lost = (BitSet) missing.clone();
    lost.clear(0, intactFrom + 1);
    return new Gaps(
        upTo, Numbers.of(lost), missing.cardinality() - lost.cardinality(), Numbers.of(twice));
  }
}
