package io.posconnect.resource;

/**
 * Numbers the events of one stream.
 *
 * @param seq number of the latest event, from 1; 0 before the first
 * @param epochMillis when the numbering began; a later one begins with 1 again
 */
public record Numbering(long seq, long epochMillis) {

  /** Of a record that is no event. */
  public static final Numbering NONE = new Numbering(0, 0);

  /** A numbering without an event. */
  public static Numbering beginningAt(long epochMillis) {
    return new Numbering(0, epochMillis);
  }

  public Numbering next() {
    return new Numbering(seq + 1, epochMillis);
  }

  /** A new numbering, which begins now, and later than this one in any case. */
  public Numbering restartedAt(long nowMillis) {
    return beginningAt(Math.max(nowMillis, epochMillis + 1));
  }

  /** Returns whether this is a later numbering, or a later event of the same. */
  public boolean isAfter(Numbering other) {
    return epochMillis == other.epochMillis ? seq > other.seq : epochMillis > other.epochMillis;
  }
}
