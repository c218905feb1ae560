package io.posconnect.fetch;

import io.posconnect.change.Change;
import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.fetch.Reconciliation.RecentKeys;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.errors.ConnectException;

/** Turns rows into changes: asks the digest what is news, and emits it. */
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
  private static final int HASH_DIGITS = 12;

  // A row may take so much more in an event than it is; with the rest of its record, the default
  // then stays below the producer's 1 MiB.
  private static final long GROWTH = 100_000;

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final RowSchema contract;
  private final Digest digest;
  private final StreamOutput output;
  private final StreamMetrics metrics;
  private final Time time;
  private final ContentHash contentHash;
  private final RecentKeys recentKeys;
  private final Occurrences occurrences = new Occurrences();
  private final List<Key> reconciledKeys = new ArrayList<>();
  private boolean remembering = true;

  ChangeEmitter(
      StreamSettings settings,
      FetchPlan plan,
      RowSchema contract,
      Digest digest,
      StreamOutput output,
      StreamMetrics metrics,
      Time time) {
    this.settings = settings;
    this.plan = plan;
    this.contract = contract;
    this.digest = digest;
    this.output = output;
    this.metrics = metrics;
    this.time = time;
    contentHash = new ContentHash(settings.resource().ignoreFields());
    recentKeys = new RecentKeys(settings.resource().lookback());
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
  void read(Rows rows, Fetch fetch, boolean repeats)
      throws ApiException, CeilingException, InterruptedException {
    occurrences.request(!fetch.continues());
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
          .ifPresent(reconciliation -> reconciledKeys.forEach(reconciliation::refresh));
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
      int number = occurrences.next(key);
      key = contract.occurrence(key, number);
      unconfirmed = number > 1 && !digest.contains(key) && occurrences.needsSecondPass(key);
    }
    if (unconfirmed || isOutdated(key, fetch)) {
      digest.see(key);
      fetch.counts().suppressed++;
      return;
    }
    Change change = classify(key, contentHash.of(row));
    if (fetch.kind() == FetchKind.RECONCILIATION && change != Change.SAME) {
      reconciledKeys.add(key);
    }
    switch (change) {
      case CREATE ->
          emit(fetch.source().snapshot() ? Operation.READ : Operation.CREATE, key, row, fetch);
      case UPDATE -> emit(Operation.UPDATE, key, row, fetch);
      case SAME -> {
        if (repeats) {
          emit(Operation.UPDATE, key, row, fetch);
        } else {
          fetch.counts().suppressed++;
        }
      }
      case REPEATED -> rejectBroken(row, BrokenRowException.Reason.KEY_NOT_UNIQUE.text(), fetch);
    }
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

  private Change classify(Key key, long hash) throws CeilingException {
    if (!digest.contains(key)) {
      boolean full =
          digest.size() >= settings.digestMaxKeys()
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
    if (settings.rowErrors() == RowErrors.FAIL) {
      throw new ConnectException(
          Problem.ROW_BROKEN.at(
              settings.stream().id(), "a row cannot become an event (" + reason + ")"));
    }
    String hash = row.hash().substring(0, HASH_DIGITS);
    Key key = Key.of(BROKEN + hash);
    fetch.counts().deadLetters++;
    if (classify(key, HexFormat.fromHexDigitsToLong(hash)) == Change.CREATE
        && settings.rowErrors() == RowErrors.DEAD_LETTER) {
      output.deadLetter(key, row, reason, fetch.source());
    }
  }

  /** Emits that a key is gone; a broken row that is gone is only forgotten. */
  void delete(Key key, Fetch fetch) throws InterruptedException {
    digest.remove(key);
    if (key.isNumber() || !key.text().startsWith(BROKEN)) {
      count(Operation.DELETE, fetch);
      output.delete(key, fetch.source());
    }
  }

  /**
   * The pass over the list has ended; true when some rows in it must be seen again to be believed.
   */
  boolean passEnded() {
    return occurrences.passEnded();
  }

  /**
   * Numbers identical rows within one pass over a list, since nothing else tells them apart.
   *
   * <p>Rows shift between pages, so a row may be served twice without there being two of it: an
   * occurrence number never seen before counts only when two passes in a row show it.
   */
  private static final class Occurrences {

    private final Map<Key, Integer> counts = new HashMap<>();
    private final List<Key> page = new ArrayList<>();
    private final Set<Key> unconfirmed = new HashSet<>();
    private Set<Key> unconfirmedBefore = Set.of();

    /** A request is about to be sent; {@code first} when the pass begins anew. */
    void request(boolean first) {
      if (first) {
        counts.clear();
        unconfirmed.clear();
      }
      page.clear();
    }

    /** The response broke off: its rows will come again. */
    void rollBack() {
      page.forEach(key -> counts.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1));
      page.clear();
    }

    /** Counts one more row of that key: 1 for the first in this pass. */
    int next(Key key) {
      page.add(key);
      return counts.merge(key, 1, Integer::sum);
    }

    /** Whether a second pass must show this new occurrence before it is believed. */
    boolean needsSecondPass(Key occurrence) {
      return unconfirmed.add(occurrence) && !unconfirmedBefore.contains(occurrence);
    }

    /** The pass has ended; true when something in it waits for a second one. */
    boolean passEnded() {
      unconfirmed.removeAll(unconfirmedBefore);
      unconfirmedBefore = Set.copyOf(unconfirmed);
      counts.clear();
      unconfirmed.clear();
      return !unconfirmedBefore.isEmpty();
    }
  }
}
