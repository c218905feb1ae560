package io.posconnect.fetch;

import io.posconnect.change.BucketView;
import io.posconnect.change.Change;
import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.json.Row;
import io.posconnect.offset.BucketReader;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.LazyOffset;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.BrokenRowException.RowErrors;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Turns rows into records: asks the digest what is news, and puts what is into the buffer together
 * with the state of the row's bucket after it.
 */
final class ChangeEmitter {

  /** The digest has no room for another key. */
  static final class CeilingException extends Exception {
    private static final long serialVersionUID = 1L;

    CeilingException() {
      super("the digest is full", null, false, false);
    }
  }

  // Connect's REST API and its worker have trouble with offsets of more than 64 KB; the rest of the
  // map needs some.
  private static final int MAX_BUCKET_BYTES = 64_000;

  // Keys of rows begin with a bracket or are numbers, so this is no row's key.
  private static final String BROKEN = "!";

  // An estimate: structs of strings and boxed numbers take about twice their text.
  private static final int HEAP_FACTOR = 2;
  private static final int RECORD_OVERHEAD = 512;

  private final StreamParts parts;
  private final Digest digest;
  private final ContentHash contentHash;
  private final Occurrences occurrences = new Occurrences();
  private final List<Map<String, String>> partitions;
  private final RecentKeys recent;
  private final List<Key> changed = new ArrayList<>();
  private boolean remembering = true;

  ChangeEmitter(StreamParts parts) {
    this.parts = parts;
    digest = parts.digest();
    contentHash = new ContentHash(parts.resource().ignoreFields());
    recent = new RecentKeys(parts.resource().lookback());
    partitions = BucketReader.partitions(parts.stream(), digest.buckets());
  }

  /**
   * From now on new keys are not remembered, since there is no room; what they say may come again.
   */
  void stopRemembering() {
    remembering = false;
  }

  /**
   * Reads a response to its end.
   *
   * @param repeats whether even what the digest knows is emitted
   */
  void read(
      Rows rows,
      Fetch fetch,
      Provenance source,
      Optional<Reconciliation> reconciliation,
      boolean repeats)
      throws ApiException, CeilingException, InterruptedException {
    occurrences.request(!fetch.continues());
    try {
      for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
        fetch.counts().rows++;
        accept(row.get(), fetch, source, reconciliation, repeats);
      }
    } catch (ApiException | CeilingException e) {
      occurrences.rollBack();
      throw e;
    } finally {
      // The next answer, to the same request or the next page's, may be older than this one. Not
      // sooner, or a key that stands in one answer twice would pass unnoticed.
      reconciliation.ifPresent(s -> changed.forEach(s::refresh));
      changed.clear();
    }
  }

  private void accept(
      Row row,
      Fetch fetch,
      Provenance source,
      Optional<Reconciliation> reconciliation,
      boolean repeats)
      throws CeilingException, InterruptedException {
    Key key;
    try {
      key = parts.contract().keyOf(row);
    } catch (BrokenRowException e) {
      broken(row, String.valueOf(e.getMessage()), fetch, source);
      return;
    }
    boolean doubtful = false;
    if (parts.resource().occurrences()) {
      int number = occurrences.next(key);
      key = parts.contract().occurrence(key, number);
      doubtful = number > 1 && !digest.contains(key) && occurrences.isDoubtful(key);
    }
    if (doubtful || isOutdated(key, fetch, reconciliation)) {
      digest.see(key);
      fetch.counts().suppressed++;
      return;
    }
    Change change = classify(key, contentHash.of(row));
    if (fetch.kind() == FetchKind.RECONCILIATION && change != Change.SAME) {
      changed.add(key);
    }
    switch (change) {
      case CREATE ->
          emit(source.snapshot() ? Operation.READ : Operation.CREATE, key, row, fetch, source);
      case UPDATE -> emit(Operation.UPDATE, key, row, fetch, source);
      case SAME -> {
        if (repeats) {
          emit(Operation.UPDATE, key, row, fetch, source);
        } else {
          fetch.counts().suppressed++;
        }
      }
      case REPEATED -> broken(row, BrokenRowException.Reason.KEY_NOT_UNIQUE.text(), fetch, source);
    }
  }

  /**
   * Whether an increment has said something newer of this key than the reconciliation can; notes
   * what increments say.
   */
  private boolean isOutdated(Key key, Fetch fetch, Optional<Reconciliation> reconciliation) {
    long now = parts.time().nanoseconds();
    if (fetch.kind() == FetchKind.RECONCILIATION) {
      return reconciliation.isPresent()
          && reconciliation.get().ignores(key, recent.contains(key, now));
    }
    if (fetch.kind() == FetchKind.INCREMENT) {
      recent.add(key, now);
    }
    reconciliation.ifPresent(s -> s.refresh(key));
    return false;
  }

  private Change classify(Key key, long hash) throws CeilingException {
    if (!digest.contains(key)) {
      boolean full =
          digest.size() >= parts.settings().digestMaxKeys()
              || digest.encodedSizeEstimate(digest.bucketOf(key)) > MAX_BUCKET_BYTES;
      if (full && remembering) {
        throw new CeilingException();
      }
      if (full) {
        return Change.CREATE;
      }
    }
    return digest.classify(key, hash);
  }

  private void emit(Operation operation, Key key, Row row, Fetch fetch, Provenance source)
      throws InterruptedException {
    long before = parts.records().typeMismatches();
    int bucket = digest.bucketOf(key);
    SourceRecord record =
        parts.records().change(operation, key, row, source, partitions.get(bucket), offset(bucket));
    fetch.counts().typeMismatches += parts.records().typeMismatches() - before;
    count(operation, fetch);
    put(List.of(record), row.bytes().length);
  }

  private void count(Operation operation, Fetch fetch) {
    switch (operation) {
      case CREATE, READ -> fetch.counts().created++;
      case UPDATE -> fetch.counts().updated++;
      case DELETE -> fetch.counts().deleted++;
    }
    parts.listener().emitted(parts.stream(), operation);
  }

  private void broken(Row row, String reason, Fetch fetch, Provenance source)
      throws CeilingException, InterruptedException {
    RowErrors policy = parts.settings().errorsRows();
    if (policy == RowErrors.FAIL) {
      throw new FatalException(
          parts.stream()
              + ": a row cannot become an event ("
              + reason
              + "); set errors.rows to dead-letter or skip to go on without it");
    }
    long hash = ContentHash.ofText(row.bytes());
    Key key = Key.of(BROKEN + Long.toHexString(hash));
    fetch.counts().deadLetters++;
    if (classify(key, hash) == Change.CREATE && policy == RowErrors.DEAD_LETTER) {
      int bucket = digest.bucketOf(key);
      SourceRecord record =
          parts.records().deadLetter(row, reason, source, partitions.get(bucket), offset(bucket));
      put(List.of(record), row.bytes().length);
    }
  }

  /** Says that a key is gone; a broken row that is gone is only forgotten. */
  void delete(Key key, Fetch fetch, Provenance source) throws InterruptedException {
    digest.remove(key);
    if (!key.isNumber() && key.text().startsWith(BROKEN)) {
      return;
    }
    int bucket = digest.bucketOf(key);
    count(Operation.DELETE, fetch);
    // The event and its tombstone carry the same removal and leave in one poll.
    AckTracker.Entry entry = parts.ackTracker().emit(bucket);
    List<SourceRecord> records =
        parts.records().delete(key, source, partitions.get(bucket), offset(bucket, entry));
    entry.awaits(records.size());
    put(records, RECORD_OVERHEAD);
  }

  /**
   * The pass over the list has ended; true when some rows in it must be seen again to be believed.
   */
  boolean passEnded() {
    return occurrences.passEnded();
  }

  private LazyOffset<Delivery> offset(int bucket) {
    return offset(bucket, parts.ackTracker().emit(bucket));
  }

  private LazyOffset<Delivery> offset(int bucket, Delivery delivery) {
    BucketView view = digest.view(bucket);
    String snapshotId = parts.resumed().snapshotId();
    String keys = parts.resumed().keys();
    return new LazyOffset<>(
        delivery,
        () -> {
          DigestCodec.Encoder encoder = new DigestCodec.Encoder(snapshotId);
          view.forEach(encoder::add);
          return encoder.toMap(keys);
        });
  }

  private void put(List<SourceRecord> records, long textBytes) throws InterruptedException {
    parts.buffer().put(new Buffer.Unit(records, textBytes * HEAP_FACTOR + RECORD_OVERHEAD));
  }
}
