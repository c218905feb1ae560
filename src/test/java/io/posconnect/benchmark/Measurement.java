package io.posconnect.benchmark;

import io.posconnect.benchmark.WorkerProbe.Times;
import io.posconnect.benchmark.WorkerProbe.Work;
import java.time.Duration;

/**
 * What one read of a list took.
 *
 * @param start from the order to start, or from the end of the read before, until the request
 * @param time from the answer's first byte until the last event was committed
 * @param times of the worker's processors
 * @param peakHeap in bytes, garbage included
 * @param liveHeap after a full collection behind the read
 * @param bytes what the read left in Kafka
 */
record Measurement(
    int rows,
    Duration start,
    Duration time,
    Times times,
    long peakHeap,
    long liveHeap,
    Bytes bytes) {

  /**
   * Bytes in Kafka.
   *
   * @param events keys, values and headers of all events
   * @param log the size of their topic, compressed
   * @param offsets keys and values of the connector's offsets
   */
  record Bytes(long events, long log, long offsets) {}

  Measurement withOffsets(long size) {
    Bytes all = new Bytes(bytes.events(), bytes.log(), size);
    return new Measurement(rows, start, time, times, peakHeap, liveHeap, all);
  }

  double rowsPerSecond() {
    return rows * 1e9 / time.toNanos();
  }

  double microsPerRow() {
    return times.process() / 1e3 / rows;
  }

  double microsPerRow(Work work) {
    return times.work().get(work) / 1e3 / rows;
  }
}
