package io.posconnect.fetch;

import java.util.SplittableRandom;

/** Connect's side of one incarnation: takes its records, writes them, commits their offsets. */
interface Session {

  /** Takes up to so many records, the way a worker polls. */
  void poll(int max);

  /** Goes some way with what was taken. */
  void progress(SplittableRandom random);

  /** Takes, writes and commits everything there is. */
  void settle();

  /** The worker dies; what is on its way may still arrive. */
  void crash(SplittableRandom random);

  /** Whether a transform drops the record. */
  static boolean drops(Setup setup, Sent sent) {
    return switch (sent.kind()) {
      case EVENT -> setup.dropsEvent(sent.version().key());
      case TOMBSTONE -> setup.dropsTombstones || setup.dropsEvent(sent.version().key());
      case CHECKPOINT, DEAD_LETTER -> false;
    };
  }
}
