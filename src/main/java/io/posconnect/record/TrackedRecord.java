package io.posconnect.record;

import io.posconnect.record.Commit.Delivery;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private final Delivery delivery;
  private final AtomicBoolean done = new AtomicBoolean();

  public TrackedRecord(
      Commit commit,
      String topic,
      Struct key,
      @Nullable Struct value,
      long timestamp,
      Headers headers) {
    super(
        commit.partition(),
        commit.offset(),
        topic,
        null,
        key.schema(),
        key,
        value == null ? null : value.schema(),
        value,
        timestamp,
        headers);
    delivery = commit.delivery();
  }

  /** Connect is done with it, and has written it or not; what comes later counts for nothing. */
  public void acknowledged(boolean written) {
    if (!done.getAndSet(true)) {
      delivery.acknowledged(written);
    }
  }

  public boolean isDone() {
    return done.get();
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
