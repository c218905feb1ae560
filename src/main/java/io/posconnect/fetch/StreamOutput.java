package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.change.Image;
import io.posconnect.change.Image.Vouched;
import io.posconnect.json.Row;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.LazyOffset;
import io.posconnect.offset.Snapshot;
import io.posconnect.offset.StreamContext;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.problem.Problem;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Commit;
import io.posconnect.record.Commit.Delivery;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.Status;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Puts the records of one stream into the buffer, and numbers the events: the offset of each event
 * holds the digest's last segment as it is right after the event, that of a checkpoint the
 * position.
 */
public final class StreamOutput {

  // Estimates: structs of strings and boxed numbers take about twice their text, headers a KB.
  private static final int HEAP_FACTOR = 2;
  private static final int RECORD_OVERHEAD = 1_536;

  private final Stream stream;
  private final Digest digest;
  private final AckTracker ackTracker = new AckTracker();
  private final RecordBuilder records;
  private final Buffer buffer;
  private final Map<String, String> positionPartition;
  private final List<Map<String, String>> slotPartitions = new ArrayList<>();
  private Numbering numbering;

  private boolean isBaseline;

  // Whether the last segment has entries of a baseline, which no event carries.
  private boolean hasSilent;

  // The position that was put into the buffer last. Guarded by this.
  private StreamOffset lastPosition;

  /**
   * @param resumed where the stream left off, under the snapshot's id that holds from now on
   * @param digest what was emitted until then
   */
  public StreamOutput(StreamOffset resumed, Digest digest, RecordBuilder records, Buffer buffer) {
    this.stream = records.stream();
    this.digest = digest;
    this.records = records;
    this.buffer = buffer;
    positionPartition = StreamPartition.position(stream).toMap();
    numbering = resumed.context().numbering();
    lastPosition = resumed;
    isBaseline = resumed.context().snapshot().isSilent();
    digest.beforeNext(this::store);
  }

  /** Returns whether what the digest learns from that fetch is emitted as no event. */
  boolean isSilent(Provenance source) {
    return isBaseline && source.snapshot();
  }

  /** Leaves an entry of the digest without an event of its own; a status carries it. */
  void silent() {
    hasSilent = true;
  }

  /** Emits a status that carries the last segment, if no event does. */
  private void store() {
    if (hasSilent) {
      store(true);
    }
  }

  private void store(boolean snapshotRuns) {
    hasSilent = false;
    Image image = digest.image(1);
    Delivery delivery = ackTracker.emit(1, image);
    StreamContext context = context(snapshotRuns);
    Status status =
        records.status(
            Status.Type.BASELINE_STORED, Map.of("keys", Integer.toString(digest.keys())));
    Delivery needed =
        written -> {
          failUnless(written, "a part of the baseline was dropped, and is lost");
          delivery.acknowledged(written);
        };
    buffer.putNow(records.status(status, commit(image, context, needed)));
  }

  private void failUnless(boolean written, String consequence) {
    if (!written) {
      buffer.fail(new ConnectException(Problem.CHECKPOINT_DROPPED.at(stream.id(), consequence)));
    }
  }

  /**
   * Emits the event of a row that the digest knows by now; returns how many of its values did not
   * fit their type.
   */
  long change(Operation operation, Key key, Row row, Provenance source)
      throws InterruptedException {
    long before = records.typeMismatches();
    numbering = numbering.next();
    Image image = digest.image(1);
    long bytes = bytes(row);
    Commit commit = commit(image, 1, bytes, source);
    SourceRecord record = records.change(operation, key, row, source.numbered(numbering), commit);
    buffer.put(new Buffer.Unit(List.of(record), bytes));
    return records.typeMismatches() - before;
  }

  /** Emits a row that cannot become an event; the digest remembers it. */
  void deadLetter(Row row, String reason, Provenance source) throws InterruptedException {
    Image image = digest.image(1);
    long bytes = bytes(row);
    Commit commit = commit(image, 1, bytes, source);
    SourceRecord record = records.deadLetter(row, reason, source, commit);
    buffer.put(new Buffer.Unit(List.of(record), bytes));
  }

  private static long bytes(Row row) {
    return (long) row.bytes().length * HEAP_FACTOR + RECORD_OVERHEAD;
  }

  /** Emits the delete of a key that the digest has forgotten, and its tombstone. */
  void delete(Key key, Provenance source) throws InterruptedException {
    numbering = numbering.next();
    // The event and its tombstone carry the same removal and leave in one poll.
    int count = records.recordsOfDelete();
    Image image = digest.image(count);
    Commit commit = commit(image, count, RECORD_OVERHEAD, source);
    List<SourceRecord> all = records.delete(key, source.numbered(numbering), commit);
    buffer.put(new Buffer.Unit(all, (long) count * RECORD_OVERHEAD));
  }

  /**
   * The partition of the slot that holds the image's segment; the same map for each of its records.
   */
  private Map<String, String> partition(Image image) {
    while (slotPartitions.size() <= image.slot()) {
      slotPartitions.add(StreamPartition.slot(stream, slotPartitions.size()).toMap());
    }
    return slotPartitions.get(image.slot());
  }

  /** What so many records share, each of which takes so many bytes of the buffer. */
  private Commit commit(Image image, int count, long bytesEach, Provenance source) {
    Delivery delivery = ackTracker.emit(count, image);
    return commit(
        image,
        context(source.snapshot()),
        written -> {
          buffer.written(bytesEach);
          delivery.acknowledged(written);
        });
  }

  private Commit commit(Image image, StreamContext context, Delivery delivery) {
    LazyOffset offset = new LazyOffset(() -> DigestCodec.encode(image, context));
    return new Commit(partition(image), offset, delivery);
  }

  private synchronized StreamContext context(boolean snapshotRuns) {
    StreamContext before = lastPosition.context();
    Snapshot snapshot = before.snapshot();
    if (snapshot.runs() != snapshotRuns) {
      snapshot = snapshot.in(snapshotRuns ? Snapshot.State.RUNNING : Snapshot.State.COMPLETED);
    }
    return before.withSnapshot(snapshot).withNumbering(numbering);
  }

  /**
   * The identity of the location whose rows follow: their offsets hold it as well, since a rewind
   * by hand replaces the position.
   */
  synchronized void identify(String identity) {
    lastPosition = lastPosition.withIdentity(identity);
  }

  /** Of the stream's latest event. */
  Numbering numbering() {
    return numbering;
  }

  /** Returns whether anything was emitted since the last {@link #checkpoint}. */
  boolean hasNews() {
    return ackTracker.emittedSinceLastCheckpoint() > 0;
  }

  /**
   * Emits a checkpoint as soon as all that was emitted before it is acknowledged.
   *
   * @param position as it is then, but for the digest
   * @param written called once it is acknowledged itself, on any thread
   */
  void checkpoint(Checkpoint checkpoint, StreamOffset position, Runnable written) {
    if (isBaseline && position.snapshotted()) {
      isBaseline = false;
      store(false); // and so the digest shows without a position that it is complete
    } else {
      store();
    }
    identify(position.context().identity());
    StreamOffset numbered = position.withContext(context -> context.withNumbering(numbering));
    Supplier<Vouched> mark = digest.mark();
    ackTracker.close(() -> release(checkpoint, numbered.withDigest(mark.get()), written));
  }

  private synchronized void release(
      Checkpoint checkpoint, StreamOffset position, Runnable written) {
    Delivery delivery =
        wasWritten -> {
          failUnless(
              wasWritten, "a checkpoint was dropped, so the position would never move again");
          if (wasWritten) {
            written.run();
          }
        };
    // What the location was found to be since then must not be forgotten.
    StreamOffset current = position.withIdentity(lastPosition.context().identity());
    lastPosition = current;
    buffer.putNow(records.checkpoint(checkpoint, commit(current, delivery)));
  }

  /** Does something once Connect has written everything emitted until now. */
  void whenWritten(Runnable then) {
    ackTracker.whenWritten(then);
  }

  /**
   * Emits a status. There is no record without an offset, so it carries the position of the
   * checkpoint before it, and moves nothing.
   */
  synchronized void status(Status status) {
    buffer.putNow(records.status(status, commit(lastPosition, written -> {})));
  }

  private Commit commit(StreamOffset position, Delivery delivery) {
    return new Commit(positionPartition, new LazyOffset(() -> position.toMap(stream)), delivery);
  }
}
