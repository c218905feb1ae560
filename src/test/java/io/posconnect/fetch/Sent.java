package io.posconnect.fetch;

import io.posconnect.offset.LazyOffset;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;

/** A record on its way, and what the model knows of it. */
final class Sent {

  /** What a record is. */
  enum Kind {
    EVENT,
    TOMBSTONE,
    CHECKPOINT,
    DEAD_LETTER
  }

  private final SourceRecord record;
  private final Kind kind;
  private final Version version;
  private final int bucket;
  private final long number;
  private final boolean mayRepeat;
  private final Incarnation owner;
  private boolean acknowledged;
  private Sent before;
  private Sent lastOfBatch;

  /**
   * @param version what an event or its tombstone says; null for other records
   * @param bucket -1 for a checkpoint
   * @param number of the record within its incarnation
   * @param mayRepeat whether it was emitted in the first window after a start
   */
  Sent(
      SourceRecord record,
      Kind kind,
      Version version,
      int bucket,
      long number,
      boolean mayRepeat,
      Incarnation owner) {
    this.record = record;
    this.kind = kind;
    this.version = version;
    this.bucket = bucket;
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

  int bucket() {
    return bucket;
  }

  long number() {
    return number;
  }

  boolean mayRepeat() {
    return mayRepeat;
  }

  Incarnation owner() {
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
    ((Delivery) ((LazyOffset<?>) record.sourceOffset()).tag()).acknowledged(written);
  }

  /** The record of the same source partition before this one; null for the first. */
  Sent before() {
    return before;
  }

  void follows(Sent other) {
    before = other;
  }

  /** The last record of the same source partition in the same batch. */
  Sent lastOfBatch() {
    return lastOfBatch == null ? this : lastOfBatch;
  }

  void endsWith(Sent last) {
    lastOfBatch = last;
  }

  @Override
  public String toString() {
    return kind + (version == null ? "" : " " + version) + " b" + bucket + " #" + number;
  }
}
