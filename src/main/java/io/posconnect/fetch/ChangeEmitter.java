package io.posconnect.fetch;

import io.posconnect.change.Change;
import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.fetch.Reconciliation.RecentKeys;
import io.posconnect.fetch.Room.CeilingException;
import io.posconnect.json.Row;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.problem.Problem;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Key;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.errors.ConnectException;

/** Turns rows into changes: asks the digest what is news, and emits it. */
final class ChangeEmitter {

  private static final int HASH_DIGITS = 14;

  // A row may take so much more in an event than it is; with the rest of its record, the default
  // then stays below the producer's 1 MiB.
  private static final long GROWTH = 100_000;

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final RowSchema contract;
  private final Digest digest;
  private final Room room;
  private final StreamOutput output;
  private final StreamMetrics metrics;
  private final Time time;
  private final ContentHash contentHash;
  private final RecentKeys recentKeys;
  private final Occurrences occurrences = new Occurrences();
  private final KeyConflicts conflicts = new KeyConflicts();
  private final List<Key> reconciledKeys = new ArrayList<>();
  private long waiting;

  ChangeEmitter(
      StreamSettings settings,
      FetchPlan plan,
      RowSchema contract,
      Digest digest,
      Room room,
      StreamOutput output,
      StreamMetrics metrics,
      Time time) {
    this.settings = settings;
    this.plan = plan;
    this.contract = contract;
    this.digest = digest;
    this.room = room;
    this.output = output;
    this.metrics = metrics;
    this.time = time;
    contentHash = new ContentHash(settings.resource().ignoreFields());
    recentKeys = new RecentKeys(settings.resource().lookback());
  }

  /**
   * Reads a response to its end.
   *
   * @param repeats whether even what the digest knows is emitted
   */
  void read(Rows rows, Fetch fetch, boolean repeats)
      throws ApiException, CeilingException, InterruptedException {
    occurrences.request(!fetch.continues());
    if (!fetch.continues()) {
      waiting = 0;
    }
    try {
      for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
        fetch.counts().rows++;
        accept(row.get(), fetch, repeats);
      }
    } catch (ApiException | CeilingException e) {
      occurrences.rollBack();
      throw e;
    } finally {
      // The next answer, to the same request or the next page's, may be older than this one. Not
      // sooner, or a key that stands in one answer twice would pass unnoticed.
      plan.reconciliation()
          .ifPresent(reconciliation -> reconciledKeys.forEach(reconciliation::said));
      reconciledKeys.clear();
    }
  }

  private void accept(Row row, Fetch fetch, boolean repeats)
      throws CeilingException, InterruptedException {
    Key key;
    try {
      key = contract.keyOf(row);
      contract.admit(row, (long) settings.rowMaxBytes() + GROWTH);
    } catch (BrokenRowException e) {
      rejectBroken(row, String.valueOf(e.getMessage()), fetch);
      return;
    }
    boolean unconfirmed = false;
    if (settings.resource().occurrences()) {
      if (occurrences.size() > 2 * settings.digestMaxKeys()) {
        throw new CeilingException("and there are more rows than that, like ones included");
      }
      int number = occurrences.next(key);
      key = contract.occurrence(key, number);
      unconfirmed = number > 1 && !digest.contains(key) && occurrences.needsSecondPass(key);
    }
    long hash = contentHash.of(row);
    fetch.pages().row(key, unconfirmed ? fetch.pages().tick() : digest.lastSeen(key));
    if (isNotUnique(key, hash, fetch)) {
      digest.see(key);
      rejectTwin(row, hash, fetch);
      return;
    }
    if (unconfirmed || isOutdated(key, fetch)) {
      digest.see(key);
      fetch.counts().suppressed++;
      return;
    }
    if (stoodInThisResponse(key, hash)) {
      conflicts.found(key);
      rejectTwin(row, hash, fetch);
      return;
    }
    Change change = classify(key, hash, fetch);
    if (fetch.kind() == FetchKind.RECONCILIATION && change != Change.UNCHANGED) {
      reconciledKeys.add(key);
    }
    switch (change) {
      case CREATE ->
          emit(fetch.source().snapshot() ? Operation.READ : Operation.CREATE, key, row, fetch);
      case UPDATE -> emit(Operation.UPDATE, key, row, fetch);
      case UNCHANGED -> {
        if (repeats) {
          emit(Operation.UPDATE, key, row, fetch);
        } else {
          fetch.counts().suppressed++;
        }
      }
    }
  }

  /** Whether this response held the key before, with another content. */
  private boolean stoodInThisResponse(Key key, long hash) {
    OptionalLong known = digest.hash(key);
    return known.isPresent() && known.getAsLong() != hash && digest.isSeenNow(key);
  }

  /** Whether another row of this pass has the key, and is the one that is kept. */
  private boolean isNotUnique(Key key, long hash, Fetch fetch) {
    OptionalLong known = digest.hash(key);
    boolean pass = fetch.kind() == FetchKind.SNAPSHOT || fetch.kind() == FetchKind.RECONCILIATION;
    if (!pass || known.isEmpty()) {
      return false;
    }
    boolean said = known.getAsLong() == hash;
    return conflicts.rejects(
        key, said, seenEarlier(key, fetch), !said && digest.contains(Key.deadLetter(hash)));
  }

  /** Whether an earlier response of this pass had the key, and no increment has it meanwhile. */
  private boolean seenEarlier(Key key, Fetch fetch) {
    Optional<Reconciliation> reconciliation = plan.reconciliation();
    long since = reconciliation.map(Reconciliation::sinceTick).orElse(fetch.sinceTick());
    long lastSeen = digest.lastSeen(key);
    return lastSeen >= since
        && lastSeen < fetch.requestTick()
        && (reconciliation.isEmpty() || !reconciliation.get().isRefreshed(key))
        && !recentKeys.contains(key, time.nanoseconds());
  }

  /**
   * Whether an increment has said something newer of this key than the reconciliation can; notes
   * what increments say.
   */
  private boolean isOutdated(Key key, Fetch fetch) {
    long now = time.nanoseconds();
    Optional<Reconciliation> reconciliation = plan.reconciliation();
    if (fetch.kind() == FetchKind.RECONCILIATION) {
      return reconciliation.isPresent()
          && reconciliation.get().ignores(key, recentKeys.contains(key, now));
    }
    if (fetch.kind() == FetchKind.INCREMENT) {
      recentKeys.add(key, now);
    }
    reconciliation.ifPresent(running -> running.refresh(key));
    return false;
  }

  private Change classify(Key key, long hash, Fetch fetch) throws CeilingException {
    if (digest.holds(key)) {
      return digest.classify(key, hash);
    }
    return switch (room.find(fetch)) {
      case FREE -> digest.classify(key, hash);
      case LATER -> {
        waiting++;
        yield Change.UNCHANGED;
      }
    };
  }

  /** How many rows of this pass wait until others are known to be gone. */
  long waiting() {
    return waiting;
  }

  private void emit(Operation operation, Key key, Row row, Fetch fetch)
      throws InterruptedException {
    count(operation, fetch);
    fetch.counts().typeMismatches += output.change(operation, key, row, fetch.source());
  }

  private void count(Operation operation, Fetch fetch) {
    switch (operation) {
      case CREATE -> {
        fetch.counts().created++;
        metrics.created();
      }
      case READ -> {
        fetch.counts().created++;
        metrics.read();
      }
      case UPDATE -> {
        fetch.counts().updated++;
        metrics.updated();
      }
      case DELETE -> {
        fetch.counts().deleted++;
        metrics.deleted();
      }
    }
  }

  private void rejectBroken(Row row, String reason, Fetch fetch)
      throws CeilingException, InterruptedException {
    reject(row, reason, HexFormat.fromHexDigitsToLong(row.hash(), 0, HASH_DIGITS), fetch);
  }

  /** By its content, so that it is told once whatever its ignored fields say. */
  private void rejectTwin(Row row, long hash, Fetch fetch)
      throws CeilingException, InterruptedException {
    reject(row, BrokenRowException.Reason.KEY_NOT_UNIQUE.text(), hash, fetch);
  }

  private void reject(Row row, String reason, long hash, Fetch fetch)
      throws CeilingException, InterruptedException {
    if (settings.rowErrors() == RowErrors.FAIL) {
      throw new ConnectException(
          Problem.ROW_BROKEN.at(
              settings.stream().id(), "a row cannot become an event (" + reason + ")"));
    }
    Key key = Key.deadLetter(hash);
    fetch.pages().row(key, digest.lastSeen(key));
    fetch.counts().deadLetters++;
    if (classify(key, hash, fetch) == Change.CREATE
        && settings.rowErrors() == RowErrors.DEAD_LETTER) {
      output.deadLetter(row, reason, fetch.source());
    }
  }

  /** Emits that a key is gone; a broken row that is gone is only forgotten. */
  void delete(Key key, Fetch fetch) throws InterruptedException {
    digest.remove(key);
    if (!key.isDeadLetter()) {
      count(Operation.DELETE, fetch);
      output.delete(key, fetch.source());
    }
  }

  /**
   * The pass over the list has ended; true when some rows in it must be seen again to be believed.
   */
  boolean passEnded() {
    conflicts.passEnded();
    return occurrences.passEnded();
  }
}
