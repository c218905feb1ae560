package io.posconnect.fetch;

import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Key;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Judges by its rows whether a location that gives another name is the store that was read before:
 * compares them with what was said, and says nothing itself.
 */
final class StoreMatch {

  /** Fewer keys than that prove nothing. */
  static final int ENOUGH = 20;

  private static final int MOST = 500;

  private static final Duration RECENT = Duration.ofDays(1);

  /** What the rows tell. */
  enum Verdict {
    SAME_STORE,
    OTHER_STORE,
    UNDECIDED
  }

  private final Resource resource;
  private final RowSchema contract;
  private final Digest digest;
  private final ContentHash contentHash;

  StoreMatch(Resource resource, RowSchema contract, Digest digest) {
    this.resource = resource;
    this.contract = contract;
    this.digest = digest;
    contentHash = new ContentHash(resource.ignoreFields());
  }

  /** Whether enough was said for rows to be compared with it. */
  boolean canJudge() {
    return digest.size() >= ENOUGH;
  }

  /** What brings rows to compare: the list or its first page, or what changed in the last day. */
  Request request(Instant watermark) {
    boolean lists = resource.retrieval().provesAbsence() || watermark.equals(Instant.MIN);
    Window window = lists ? Window.ALL : Window.since(watermark.minus(RECENT));
    return resource.retrieval().first(resource.path(), window);
  }

  /** At least half of at least so many keys must stand there as they were said. */
  Verdict judge(Rows rows) throws ApiException {
    int compared = 0;
    int alike = 0;
    for (Optional<Row> row = rows.next(); row.isPresent() && compared < MOST; row = rows.next()) {
      compared++;
      alike += isAsSaid(row.get()) ? 1 : 0;
    }
    // A list that is not read in pages has all the keys, or lacks them.
    boolean whole = resource.retrieval().provesAbsence() && !resource.retrieval().shifting();
    int expected = whole ? Math.max(compared, Math.min(MOST, digest.size())) : compared;
    if (expected < ENOUGH) {
      return Verdict.UNDECIDED;
    }
    return 2 * alike >= expected ? Verdict.SAME_STORE : Verdict.OTHER_STORE;
  }

  private boolean isAsSaid(Row row) {
    try {
      Key key = contract.keyOf(row);
      Key said = resource.occurrences() ? contract.occurrence(key, 1) : key;
      return digest.hash(said).orElse(-1) == contentHash.of(row);
    } catch (BrokenRowException e) {
      // What cannot become an event was never said.
      return false;
    }
  }
}
