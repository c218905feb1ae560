package io.posconnect.fetch;

import io.posconnect.change.BucketView;
import io.posconnect.change.Digest;
import io.posconnect.json.Row;
import io.posconnect.offset.BucketReader;
import io.posconnect.offset.BucketSet;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.LazyOffset;
import io.posconnect.offset.LazyOffset.Delivery;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.problem.Problem;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.RecordBuilder;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Puts the records of one stream into the buffer: events with the state of their key's bucket right
 * after them, checkpoints with the position.
 */
public final class StreamOutput {

  // An estimate: structs of strings and boxed numbers take about twice their text.
  private static final int HEAP_FACTOR = 2;
  private static final int RECORD_OVERHEAD = 512;

  private final Stream stream;
  private final StreamOffset resumed;
  private final Digest digest;
  private final AckTracker ackTracker;
  private final RecordBuilder records;
  private final Buffer buffer;
  private final Map<String, String> positionPartition;
  private final List<Map<String, String>> bucketPartitions;

  /**
   * @param resumed where the stream left off, under the snapshot's id that holds from now on
   * @param digest what was said until then
   */
  public StreamOutput(
      Stream stream, StreamOffset resumed, Digest digest, RecordBuilder records, Buffer buffer) {
    this(stream, resumed, digest, new AckTracker(resumed.acknowledged()), records, buffer);
  }

  StreamOutput(
      Stream stream,
      StreamOffset resumed,
      Digest digest,
      AckTracker ackTracker,
      RecordBuilder records,
      Buffer buffer) {
    this.stream = stream;
    this.resumed = resumed;
    this.digest = digest;
    this.ackTracker = ackTracker;
    this.records = records;
    this.buffer = buffer;
    positionPartition = StreamPartition.position(stream).toMap();
    bucketPartitions = BucketReader.partitions(stream, digest.buckets());
  }

  /**
   * Emits the event of a row that the digest knows by now; returns how many of its values did not
   * fit their type.
   */
  long change(Operation operation, Key key, Row row, Provenance source)
      throws InterruptedException {
    long before = records.typeMismatches();
    int bucket = digest.bucketOf(key);
    SourceRecord record =
        records.change(
            operation, key, row, source, bucketPartitions.get(bucket), bucketOffset(bucket));
    put(List.of(record), row.bytes().length);
    return records.typeMismatches() - before;
  }

  /**
   * Emits a row that cannot become an event.
   *
   * @param key under which the digest knows it
   */
  void deadLetter(Key key, Row row, String reason, Provenance source) throws InterruptedException {
    int bucket = digest.bucketOf(key);
    SourceRecord record =
        records.deadLetter(row, reason, source, bucketPartitions.get(bucket), bucketOffset(bucket));
    put(List.of(record), row.bytes().length);
  }

  /** Emits the delete of a key that the digest has forgotten, and its tombstone. */
  void delete(Key key, Provenance source) throws InterruptedException {
    int bucket = digest.bucketOf(key);
    // The event and its tombstone carry the same removal and leave in one poll.
    AckTracker.Entry entry = ackTracker.emit(bucket);
    List<SourceRecord> both =
        records.delete(key, source, bucketPartitions.get(bucket), bucketOffset(bucket, entry));
    entry.awaits(both.size());
    put(both, RECORD_OVERHEAD);
  }

  /** Whether anything was emitted since the last {@link #checkpoint}. */
  boolean hasNews() {
    return ackTracker.emittedSinceLastCheckpoint() > 0;
  }

  /**
   * Emits a checkpoint as soon as all that was emitted before it is acknowledged.
   *
   * @param position as it is then, but for the buckets that are acknowledged
   * @param written called once it is acknowledged itself, on any thread
   */
  void checkpoint(Checkpoint checkpoint, StreamOffset position, Runnable written) {
    ackTracker.close(acknowledged -> release(checkpoint, position, acknowledged, written));
  }

  private void release(
      Checkpoint checkpoint, StreamOffset position, BucketSet acknowledged, Runnable written) {
    Map<String, Object> offset = position.withBuckets(digest.buckets(), acknowledged).toMap();
    Delivery delivery =
        wasWritten -> {
          if (wasWritten) {
            written.run();
          } else {
            buffer.fail(
                new ConnectException(
                    Problem.CHECKPOINT_DROPPED.at(
                        stream.id(),
                        "a checkpoint was dropped, so the position would never move again")));
          }
        };
    SourceRecord record =
        records.checkpoint(checkpoint, positionPartition, new LazyOffset(delivery, () -> offset));
    buffer.putNow(new Buffer.Unit(List.of(record), 0));
  }

  private LazyOffset bucketOffset(int bucket) {
    return bucketOffset(bucket, ackTracker.emit(bucket));
  }

  private LazyOffset bucketOffset(int bucket, Delivery delivery) {
    BucketView view = digest.view(bucket);
    return new LazyOffset(
        delivery,
        () -> {
          DigestCodec.Encoder encoder = new DigestCodec.Encoder(resumed.snapshotId());
          view.forEach(encoder::add);
          return encoder.toMap(resumed.keys());
        });
  }

  private void put(List<SourceRecord> unit, long textBytes) throws InterruptedException {
    buffer.put(new Buffer.Unit(unit, textBytes * HEAP_FACTOR + RECORD_OVERHEAD));
  }
}
