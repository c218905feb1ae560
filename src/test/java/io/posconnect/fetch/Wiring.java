package io.posconnect.fetch;

import io.posconnect.offset.BucketSet;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** How the parts are put together; a planted fault is another wiring. */
class Wiring {

  Ledger ledger(BucketSet acknowledged) {
    return new Ledger(acknowledged);
  }

  WatchedAgenda agenda(Agenda agenda, StreamParts parts) {
    return new WatchedAgenda(agenda);
  }

  OffsetStorageReader reader(OffsetStorageReader reader) {
    return reader;
  }

  /** A request has broken off. */
  void broken(Ledger ledger) {}

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
