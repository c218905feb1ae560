package io.posconnect.fetch;

import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Known;
import io.posconnect.change.KnownBytes;
import io.posconnect.fetch.Pass.Ruling;
import io.posconnect.fetch.Twins.Resolution;
import io.posconnect.fetch.Twins.Twin;
import io.posconnect.json.KnownRows;
import io.posconnect.json.Row;
import io.posconnect.problem.Problem;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Key;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows into records: reads a row's key, has {@link Pass} rule on it, and emits the change.
 */
final class ChangeEmitter {

  private static final int HASH_DIGITS = 14;

  private static final long NEVER_SEEN = -1;

  // With errors.rows=skip no record carries a rejected row, so the digest cannot remember it.
  // Beyond so many the oldest are forgotten, and counted once more if they are still there. Of
  // broken rows whose key can be read the first so many are known: another one that is mended is no
  // dead letter again before a pass has shown that the first is gone.
  private static final int MOST_REMEMBERED = 10_000;

  private final StreamSettings settings;
  private final RowSchema contract;
  private final Digest digest;
  private final Pass pass;
  private final StreamOutput output;
  private final ContentHash contentHash;
  private final Set<Key> skipped = new LinkedHashSet<>();

  // The dead letters of rows whose key can be read.
  private final Map<Key, Key> broken = new HashMap<>();

  // Rows of this response of which its end shows which of several rows of their key they are. Those
  // beyond what twins may take are numbered at once.
  private final List<Row> waiting = new ArrayList<>();
  private long bytesWaiting;

  ChangeEmitter(
      StreamSettings settings, RowSchema contract, Digest digest, Pass pass, StreamOutput output) {
    this.settings = settings;
    this.contract = contract;
    this.digest = digest;
    this.pass = pass;
    this.output = output;
    contentHash = new ContentHash(settings.resource().ignoreFields());
  }

  /**
   * Ends a response of the fetch.
   *
   * @param whole whether all of its rows were read and accepted
   */
  void end(Fetch fetch, boolean whole) {
    waiting.clear();
    bytesWaiting = 0;
    pass.responseEnds(fetch, whole);
  }

  /**
   * Returns whether an increment has mended a broken row: it showed the key, and not the row. A
   * twin that is whole mends nothing.
   */
  private boolean isMended(Key key, Key deadLetter, Fetch increment) {
    Known known = digest.known(deadLetter);
    return known.isThere()
        && known.seen() < increment.sinceTick()
        && digest.known(key).seen() >= increment.sinceTick();
  }

  /**
   * Rules on the rows that change nothing, by their bytes alone; {@link #accept} must follow on any
   * other.
   */
  KnownRows known(Fetch fetch) {
    KnownBytes known = digest.knownBytes();
    return new KnownRows() {
      @Override
      public int expected() {
        return known.expected();
      }

      @Override
      public boolean passes(byte[] text, int from, int length) {
        // A numbered row is never known, so its bytes are neither hashed nor remembered.
        return !settings.resource().occurrences()
            && known.find(text, from, length)
            && passesUnread(known.key(), known.contentHash(), fetch);
      }
    };
  }

  /** Returns false, and does nothing, where the ruling may need more of the row. */
  private boolean passesUnread(Key key, long hash, Fetch fetch) {
    if (!pass.isSettled(fetch, key, hash)) {
      return false;
    }
    digest.knownBytes().follow();
    fetch.counts().add(Count.RECEIVED, 1);
    pass.damage().arrivedWhole(key);
    Ruling ruling = pass.rule(fetch, key, hash, Row.NOTHING);
    if (ruling != Ruling.UNCHANGED && ruling != Ruling.IGNORED) {
      throw new IllegalStateException("an unchanged row is ruled to be " + ruling);
    }
    fetch.counts().add(Count.SUPPRESSED, 1);
    return true;
  }

  /**
   * Emits what a row changes.
   *
   * @return false when the stream cannot remember so many identical rows, and must not read on
   */
  boolean accept(Row row, Fetch fetch) throws InterruptedException {
    fetch.counts().add(Count.RECEIVED, 1);
    return decide(row, fetch);
  }

  /** Accepts, as {@link #accept}, the rows that waited for the end of their response. */
  boolean acceptWaiting(Fetch fetch) throws InterruptedException {
    pass.othersCame();
    // One that is held back may be any row of its key, so the others must come again with it.
    waiting.sort(Comparator.comparing(row -> !row.isDamaged()));
    for (Row row : waiting) {
      if (!row.isDamaged() && pass.damage().holdsBackAny()) {
        return true;
      }
      if (!decide(row, fetch)) {
        return false;
      }
    }
    return true;
  }

  private boolean decide(Row row, Fetch fetch) throws InterruptedException {
    Key key;
    try {
      key = contract.keyOf(row);
    } catch (BrokenRowException e) {
      acceptUnreadable(row, e, fetch);
      return true;
    }
    if (settings.resource().occurrences()) {
      if (pass.numbersTooMany()) {
        return false;
      }
      key = numbered(key, row, fetch);
      if (key == null) {
        waiting.add(row);
        bytesWaiting += row.length() + Twins.ROW_OVERHEAD;
        return true;
      }
    }
    if (!isHeldBack(key, row)) {
      accept(key, row, fetch);
    } else if (fetch.isPass()) {
      pass.see(fetch, key); // The list that follows may end before it.
    }
    return true;
  }

  private @Nullable Key numbered(Key key, Row row, Fetch fetch) {
    OptionalLong hash =
        row.fault().isPresent() ? OptionalLong.empty() : OptionalLong.of(contentHash.of(row));
    boolean mayWait = bytesWaiting < Twins.MOST_BYTES_SET_ASIDE;
    return pass.numbered(fetch, key, hash, number -> contract.occurrence(key, number), mayWait);
  }

  private void acceptUnreadable(Row row, BrokenRowException reason, Fetch fetch)
      throws InterruptedException {
    Key id = idOf(row);
    boolean heldBack = row.isDamaged() && !knows(id) && pass.damage().holdsBack(id);
    if (!heldBack) {
      pass.seeUnreadable(fetch, id);
      reject(row, reason, id, fetch);
    }
  }

  /** Returns whether the row must arrive once more, since it may have been damaged on its way. */
  private boolean isHeldBack(Key key, Row row) {
    if (!row.isDamaged()) {
      pass.damage().arrivedWhole(key);
      return false;
    }
    boolean isNews =
        !knows(idOf(row)) && (row.fault().isPresent() || !pass.knows(key, contentHash.of(row)));
    return isNews && pass.damage().holdsBack(key);
  }

  private boolean knows(Key id) {
    return skipped.contains(id) || digest.known(id).isCurrent();
  }

  private void accept(Key key, Row row, Fetch fetch) throws InterruptedException {
    try {
      contract.admit(row, settings.eventMaxBytes());
    } catch (BrokenRowException e) {
      pass.see(fetch, key);
      Key id = idOf(row);
      if (broken.size() < MOST_REMEMBERED || broken.containsKey(key)) {
        broken.put(key, id);
      }
      reject(row, e, id, fetch);
      return;
    }
    long hash = contentHash.of(row);
    emit(pass.rule(fetch, key, hash, row), key, hash, row, fetch);
    if (!row.isDamaged()) {
      digest.knownBytes().learn(key, hash);
    }
  }

  private void emit(Ruling ruling, Key key, long hash, Row row, Fetch fetch)
      throws InterruptedException {
    switch (ruling) {
      case CREATE -> {
        if (fetch.source().snapshot()) {
          change(Operation.READ, Count.READ, key, row, fetch);
        } else {
          change(Operation.CREATE, Count.CREATED, key, row, fetch);
        }
      }
      case REPEAT -> change(Operation.READ, Count.READ, key, row, fetch);
      case UPDATE -> change(Operation.UPDATE, Count.UPDATED, key, row, fetch);
      case UNCHANGED, IGNORED, DOUBTED -> fetch.counts().add(Count.SUPPRESSED, 1);
      case TWIN -> rejectTwin(row, hash, fetch);
      case NO_ROOM -> fetch.counts().add(Count.WAITING, 1);
    }
  }

  private void change(Operation operation, Count kind, Key key, Row row, Fetch fetch)
      throws InterruptedException {
    if (output.isSilent(fetch.source())) {
      output.silent();
      fetch.counts().add(Count.SUPPRESSED, 1);
      return;
    }
    fetch.counts().add(kind, 1);
    long mismatches = output.change(operation, key, row, fetch.source());
    fetch.counts().add(Count.TYPE_MISMATCHES, mismatches);
  }

  /** By its content, so that it is rejected once whatever its ignored fields are. */
  private void rejectTwin(Row row, long hash, Fetch fetch) throws InterruptedException {
    reject(row, new BrokenRowException(Reason.KEY_NOT_UNIQUE), Pass.deadLetter(hash), fetch);
  }

  /** Identifies a broken row: by its content where it has fields, else by its text. */
  private Key idOf(Row row) {
    boolean hasFields = row.fault().isEmpty() && row.kind() == Row.Kind.OBJECT;
    return Key.deadLetter(
        hasFields
            ? contentHash.of(row)
            : HexFormat.fromHexDigitsToLong(row.hash(), 0, HASH_DIGITS));
  }

  /** Emits a dead letter, once as long as the row stays the same. */
  private void reject(Row row, BrokenRowException reason, Key id, Fetch fetch)
      throws InterruptedException {
    if (settings.rowErrors() == RowErrors.FAIL) {
      throw new ConnectException(
          Problem.ROW_BROKEN.at(
              settings.stream().id(),
              "a row cannot become an event (" + reason.getMessage() + ")"));
    }
    // A dead letter stays one, or it would come once more when rows are no longer skipped.
    if (settings.rowErrors() == RowErrors.SKIP && !digest.known(id).isCurrent()) {
      fetch.row(id, NEVER_SEEN);
      if (skipped.add(id)) {
        fetch.rejected(reason);
        if (skipped.size() > MOST_REMEMBERED) {
          skipped.remove(skipped.iterator().next());
        }
      }
      return;
    }
    Ruling ruling = pass.reject(fetch, id);
    if (ruling.isFirst()) {
      fetch.rejected(reason);
      output.deadLetter(row, reason.getMessage(), fetch.source());
    } else if (ruling == Ruling.NO_ROOM) {
      fetch.counts().add(Count.WAITING, 1);
    }
  }

  /** Emits what the end of a fetch proves. */
  void emit(PassEnd end, Fetch fetch) throws InterruptedException {
    for (Resolution resolution : end.resolutions()) {
      for (Twin twin : resolution.emitted()) {
        // First, so that the record of the change carries the removal.
        digest.remove(Pass.deadLetter(twin.hash()));
        Ruling ruling = pass.classify(fetch, twin.key(), twin.hash());
        emit(ruling, twin.key(), twin.hash(), twin.row(), fetch);
      }
      for (Twin twin : resolution.deadLetters()) {
        rejectTwin(twin.row(), twin.hash(), fetch);
      }
    }
    for (Key key : end.verdict().gone()) {
      digest.remove(key);
      if (output.isSilent(fetch.source())) {
        output.silent();
      } else if (!key.isDeadLetter()) {
        fetch.counts().add(Count.DELETED, 1);
        output.delete(key, fetch.source());
      }
    }
    if (fetch.kind() == FetchKind.INCREMENT) {
      // It may break again in the same way. The end of a pass proves by itself which rows are gone.
      broken.forEach(
          (key, id) -> {
            if (isMended(key, id, fetch)) {
              digest.remove(id);
            }
          });
    }
    broken.values().removeIf(id -> !digest.known(id).isThere());
  }
}
