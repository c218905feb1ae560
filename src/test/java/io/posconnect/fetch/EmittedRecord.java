package io.posconnect.fetch;

import io.posconnect.fetch.Table.Version;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;

/** A record on its way, and its version in the table. */
final class EmittedRecord {

  enum Kind {
    EVENT,
    TOMBSTONE,
    CHECKPOINT,
    STATUS,
    /** A status that stores a part of a baseline. */
    BASELINE,
    DEAD_LETTER
  }

  private final SourceRecord record;
  private final Kind kind;
  private final Version version;
  private final long number;
  private final boolean mayRepeat;
  private final SimulatedTask owner;
  private boolean acknowledged;

  /**
   * @param version of an event or its tombstone; null for other records
   * @param number of the record within its task's life
   * @param mayRepeat whether it may repeat what was emitted before the start
   */
  EmittedRecord(
      SourceRecord record,
      Kind kind,
      Version version,
      long number,
      boolean mayRepeat,
      SimulatedTask owner) {
    this.record = record;
    this.kind = kind;
    this.version = version;
    this.number = number;
    this.mayRepeat = mayRepeat;
    this.owner = owner;
  }

  SourceRecord record() {
    return record;
  }

  Map<String, ?> partition() {
    return record.sourcePartition();
  }

  Kind kind() {
    return kind;
  }

  Version version() {
    return version;
  }

  long number() {
    return number;
  }

  boolean mayRepeat() {
    return mayRepeat;
  }

  SimulatedTask owner() {
    return owner;
  }

  boolean isDelete() {
    return kind == Kind.EVENT && !version.exists();
  }

  boolean acknowledged() {
    return acknowledged;
  }

  /** Connect is done with the record. */
  void acknowledge(boolean written) {
    acknowledged = true;
    owner.polled().acknowledged(record, written);
  }

  @Override
  public String toString() {
    return kind
        + (version == null ? "" : " " + version)
        + " in "
        + partition().get("stream")
        + " #"
        + number;
  }
}
