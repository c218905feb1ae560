package io.posconnect.fetch;

import io.posconnect.offset.BucketSet;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** How the parts are put together; a planted fault is another wiring. */
class Wiring {

  AckTracker ackTracker(BucketSet acknowledged) {
    return new AckTracker(acknowledged);
  }

  WatchedPlan plan(FetchPlan plan, StreamParts parts) {
    return new WatchedPlan(plan);
  }

  OffsetStorageReader reader(OffsetStorageReader reader) {
    return reader;
  }

  /** A request has broken off. */
  void broken(AckTracker ackTracker) {}

  /** The offset that goes with a record. */
  Map<String, ?> offset(Sent sent) {
    return sent.record().sourceOffset();
  }

  boolean hidesDates() {
    return false;
  }

  boolean takesTruncatedForWhole() {
    return false;
  }

  boolean swapsNeighbours() {
    return false;
  }
}
