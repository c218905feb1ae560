package io.posconnect.offset;

/**
 * Names one snapshot of a stream: what the configuration calls it, and how many the stream has had
 * with it, so that none is taken for another. Stored as {@code name#2}; the first has no number.
 */
public record SnapshotId(String name, int generation) {

  private static final char GENERATION = '#';

  /** Reads what {@link #toString} gave. */
  public static SnapshotId parse(String text) {
    int end = text.lastIndexOf(GENERATION);
    try {
      return end < 0
          ? new SnapshotId(text, 1)
          : new SnapshotId(text.substring(0, end), Integer.parseInt(text.substring(end + 1)));
    } catch (NumberFormatException e) {
      return new SnapshotId(text, 1);
    }
  }

  /** The one that follows, under that name. */
  public SnapshotId next(String nextName) {
    return new SnapshotId(nextName, generation + 1);
  }

  /** Whether it began after the other. */
  public boolean isAfter(SnapshotId other) {
    return generation > other.generation;
  }

  @Override
  public String toString() {
    return generation == 1 ? name : name + GENERATION + generation;
  }
}
