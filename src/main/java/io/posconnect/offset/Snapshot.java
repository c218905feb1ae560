package io.posconnect.offset;

import io.posconnect.resource.Spelled;
import java.time.Instant;

/**
 * One full read of a stream, which emits every row.
 *
 * @param name what the configuration calls it
 * @param generation which of the stream's snapshots it is, so that none is taken for another
 * @param state how far it is
 * @param start where a date range begins; {@link Instant#MIN} of another stream
 */
public record Snapshot(String name, int generation, State state, Instant start) {

  private static final char GENERATION = '#';

  // Of the rows that were there before the first event.
  private static final int BASELINE = 0;

  /** How far a snapshot is. */
  public enum State implements Spelled {
    /** It runs, and nothing is emitted: the digest learns what is there. */
    BASELINE,
    RUNNING,
    COMPLETED
  }

  /** A snapshot of all that there is. */
  public Snapshot(String name, int generation, State state) {
    this(name, generation, state, Instant.MIN);
  }

  /** The first snapshot of a stream, which runs. */
  public static Snapshot first(String name) {
    return new Snapshot(name, 1, State.RUNNING);
  }

  /** The first read of a stream of which only later changes are emitted. */
  public static Snapshot baseline(String name) {
    return new Snapshot(name, BASELINE, State.BASELINE);
  }

  /** Reads an {@link #id}, of which no more is known than whether it runs. */
  static Snapshot parse(String id, boolean runs) {
    Snapshot parsed = parse(id, runs ? State.RUNNING : State.COMPLETED);
    return runs && parsed.isOfBaseline() ? parsed.in(State.BASELINE) : parsed;
  }

  /** Reads an {@link #id}. */
  public static Snapshot parse(String id, State state) {
    int end = id.lastIndexOf(GENERATION);
    try {
      return end < 0
          ? new Snapshot(id, 1, state)
          : new Snapshot(id.substring(0, end), Integer.parseInt(id.substring(end + 1)), state);
    } catch (NumberFormatException e) {
      return new Snapshot(id, 1, state);
    }
  }

  /** The stored name: {@code june#2}; that of the first has no number. */
  public String id() {
    return generation == 1 ? name : name + GENERATION + generation;
  }

  /** The snapshot that follows, under that name, which runs and begins where this one does. */
  public Snapshot next(String nextName) {
    return new Snapshot(nextName, generation + 1, State.RUNNING, start);
  }

  public Snapshot in(State value) {
    return new Snapshot(name, generation, value, start);
  }

  /** The same, of the rows since that time. */
  public Snapshot since(Instant value) {
    return new Snapshot(name, generation, state, value);
  }

  /** Returns whether it is of the rows since some time. */
  public boolean hasStart() {
    return !start.equals(Instant.MIN);
  }

  public boolean runs() {
    return state != State.COMPLETED;
  }

  /**
   * What a segment stores of {@link #runs}: of a baseline, whether it is silent. One whose position
   * is lost is read again and emitted, and must not be taken for silent after the next start.
   */
  boolean runsInSegment() {
    return isOfBaseline() ? isSilent() : runs();
  }

  /** Returns whether nothing is emitted while it runs. */
  public boolean isSilent() {
    return state == State.BASELINE;
  }

  /** Returns whether the rows of the first read were never emitted. */
  public boolean isOfBaseline() {
    return generation == BASELINE;
  }

  public boolean isAfter(Snapshot other) {
    return generation > other.generation;
  }

  /** Returns whether it is the same one, however far. */
  public boolean isSameAs(Snapshot other) {
    return generation == other.generation && name.equals(other.name);
  }
}
