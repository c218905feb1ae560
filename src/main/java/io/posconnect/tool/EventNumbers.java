package io.posconnect.tool;

import io.posconnect.resource.Numbering;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the numbers of a stream's events up to the one that a checkpoint vouches for, and finds
 * those that are missing.
 *
 * <p>Compaction and retention remove events too, so a missing number is a loss only where they
 * cannot have been. Retention removes the beginning of a partition. Compaction leaves one record of
 * each key, so it ended before the first offset of a partition at which a key comes again. Behind
 * that offset nothing was removed. The events of a stream are written in the order of their
 * numbers, so a missing number is lost if every partition has a smaller one behind that offset.
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
   * @param lost how many are missing, and no cleaning explains it
   * @param cleaned how many are missing that compaction or retention may have removed
   * @param ranges the first ranges of the lost ones
   */
  record Verdict(long upTo, long lost, long cleaned, List<Range> ranges) {
    boolean isComplete() {
      return lost == 0;
    }

    /** Returns whether the ranges hold all of the lost ones. */
    boolean isListed() {
      return ranges.stream().mapToLong(range -> range.to() - range.from() + 1).sum() == lost;
    }
  }

  private static final int MOST_RANGES = 10;

  private final Numbering vouched;
  private final BitSet seen = new BitSet();
  private final Map<Integer, Long> firstIntact = new HashMap<>();

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
    seen.set((int) event.seq());
    if (intact) {
      firstIntact.merge(partition, event.seq(), Math::min);
    }
  }

  /**
   * Finds the missing numbers.
   *
   * @param cleaned the partitions from which something may have been removed
   */
  Verdict verdict(Collection<Integer> cleaned) {
    long intactFrom =
        cleaned.stream()
            .mapToLong(partition -> firstIntact.getOrDefault(partition, Long.MAX_VALUE))
            .max()
            .orElse(0);
    List<Range> ranges = new ArrayList<>();
    long lost = 0;
    long removed = 0;
    int missing = seen.nextClearBit(1);
    while (missing <= vouched.seq()) {
      int next = seen.nextSetBit(missing);
      long end = next < 0 ? vouched.seq() : next - 1L;
      if (missing > intactFrom) {
        lost += end - missing + 1;
        if (ranges.size() < MOST_RANGES) {
          ranges.add(new Range(missing, end));
        }
      } else {
        removed += end - missing + 1;
      }
      missing = next < 0 ? Integer.MAX_VALUE : seen.nextClearBit(next);
    }
    return new Verdict(vouched.seq(), lost, removed, ranges);
  }
}
