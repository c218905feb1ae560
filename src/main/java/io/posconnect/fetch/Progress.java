package io.posconnect.fetch;

import java.time.Instant;

/**
 * How far a stream has come.
 *
 * @param watermark server time up to which the stream is complete; {@link Instant#MIN} before the
 *     first fetch
 * @param snapshotted whether the first full read is done
 * @param swept server time at which the last complete reconciliation (or the snapshot) began;
 *     {@link Instant#MIN} when there was none
 */
record Progress(Instant watermark, boolean snapshotted, Instant swept) {

  static final Progress NONE = new Progress(Instant.MIN, false, Instant.MIN);

  Progress withWatermark(Instant newWatermark) {
    return new Progress(newWatermark, snapshotted, swept);
  }

  Progress withSnapshot(Instant began) {
    return new Progress(watermark, true, began);
  }

  Progress withReconciliation(Instant began) {
    // Before the first answer of a process its clock may be anything; what the increment at the
    // head of the reconciliation vouches for is known better.
    return new Progress(watermark, snapshotted, began.isAfter(watermark) ? watermark : began);
  }
}
