package io.posconnect.record;

import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that knows whether Connect is done with it. Thread-safe.
 *
 * <p>Unlike other records it is equal to itself alone, and has the hash of its key: under
 * exactly-once Connect has each record in a hash map until its transaction is committed, and the
 * hash of a whole row costs as much as reading it.
 */
public final class TrackedRecord extends SourceRecord {

  private volatile boolean done;

  public TrackedRecord(
      Map<String, ?> partition,
      Map<String, ?> offset,
      String topic,
      Struct key,
      @Nullable Struct value,
      long timestamp,
      Headers headers) {
    super(
        partition,
        offset,
        topic,
        null,
        key.schema(),
        key,
        value == null ? null : value.schema(),
        value,
        timestamp,
        headers);
  }

  /** Connect is done with it; returns false if it was before. */
  public synchronized boolean finish() {
    boolean first = !done;
    done = true;
    return first;
  }

  public boolean isDone() {
    return done;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return key().hashCode();
  }
}
