package io.posconnect.fetch;

import io.posconnect.fetch.EmittedRecord.Kind;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Setup.Dropped;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Checks the numbers of events as a consumer does: exactly once, the next event has the next
 * number; all events that a checkpoint vouches for stand before it.
 */
final class Numbers {

  private static final long ANY = -1;

  private final Setup setup;
  private final Map<Long, BitSet> seen = new HashMap<>();
  private long epoch;
  private long seq;
  private boolean mayBeginAgain = true;

  Numbers(Setup setup) {
    this.setup = setup;
  }

  /** Delivery has changed: at least once, numbers come again, so the next may be any. */
  void switched() {
    seq = ANY;
  }

  /** What the numbers stood in was lost, or is another topic now. */
  void mayBeginAgain() {
    mayBeginAgain = true;
  }

  /** An event or a checkpoint stands in its topic. */
  void written(EmittedRecord sent) {
    if (sent.kind() == Kind.EVENT) {
      SourceRecord event = sent.record();
      event(sent, (long) Things.source(event, "epoch_ms"), (long) Things.source(event, "seq"));
    } else if (sent.kind() == Kind.CHECKPOINT) {
      Struct value = (Struct) sent.record().value();
      checkpoint(sent, value.getInt64("epoch_ms"), value.getInt64("seq"));
    }
  }

  private void event(EmittedRecord sent, long itsEpoch, long itsSeq) {
    seen.computeIfAbsent(itsEpoch, began -> new BitSet()).set((int) itsSeq);
    if (!setup.exactlyOnce) {
      return;
    }
    follow(sent, itsEpoch);
    boolean leaps = setup.dropped != Dropped.NOTHING ? itsSeq <= seq : itsSeq != seq + 1;
    if (leaps && seq != ANY) {
      throw new Violation("number " + itsSeq + " follows " + seq + ": " + sent);
    }
    seq = itsSeq;
  }

  private void checkpoint(EmittedRecord sent, long itsEpoch, long itsSeq) {
    if (setup.exactlyOnce) {
      follow(sent, itsEpoch);
    }
    BitSet numbers = seen.getOrDefault(itsEpoch, new BitSet());
    boolean whole = setup.dropped == Dropped.NOTHING && !setup.toleratesLosses && !setup.zombies;
    if (whole && numbers.nextClearBit(1) <= itsSeq) {
      throw new Violation(
          "a checkpoint vouches for "
              + itsSeq
              + ", but "
              + numbers.nextClearBit(1)
              + " is missing");
    }
  }

  private void follow(EmittedRecord sent, long itsEpoch) {
    if (itsEpoch != epoch) {
      // Before the first event, only a checkpoint has the numbering.
      if (!mayBeginAgain && seq > 0) {
        throw new Violation("the numbering begins again at " + itsEpoch + ": " + sent);
      }
      epoch = itsEpoch;
      seq = Math.min(seq, 0);
      mayBeginAgain = false;
    }
  }
}
