package io.posconnect.fetch;

import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.fetch.LocationIdentity.Name;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Key;
import io.posconnect.resource.Reading;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import io.posconnect.resource.WindowLength;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows of a location that gives another name with the digest, a request at a time: the
 * list, page by page, or what a date range showed of its last day. Rows that have no key prove
 * nothing. It emits nothing, and the digest learns nothing.
 */
final class StoreComparison {

  /** Fewer keys than that decide for their stream only. */
  static final int ENOUGH = 20;

  private static final int MOST_COMPARED = 500;

  // Rows that a list may begin with before it shows one that proves something.
  private static final int MOST_NEW = 5_000;

  /**
   * What a comparison shows: the store is the same if at least as many rows are alike as are
   * missing, and at least a quarter. Keys alone prove nothing, since stores may number alike.
   *
   * @param alike rows that the digest knows; of stale entries, keys
   * @param changed rows with a known key and another content
   * @param since rows that prove nothing: with a key that was read since the known name was given
   *     last, beside keys from before
   * @param others known keys that the list lacks; rows that a filtered read should have shown
   * @param complete whether no further page must be compared
   */
  record Result(int alike, int changed, int since, int others, boolean complete) {
    static final Result NONE = new Result(0, 0, 0, 0, false);
    static final Result ALIKE = new Result(1, 0, 0, 0, false);
    static final Result CHANGED = new Result(0, 1, 0, 0, false);
    static final Result SINCE = new Result(0, 0, 1, 0, false);
    static final Result OTHER = new Result(0, 0, 0, 1, false);

    Result with(Result row) {
      return new Result(
          alike + row.alike, changed + row.changed, since + row.since, others + row.others, false);
    }

    Result ended(int missing) {
      return new Result(alike, changed, since, missing, true);
    }

    /** Without proof whose they are, rows that are alike prove nothing beside missing keys. */
    Result unproven() {
      return new Result(0, changed, since + alike, others, complete);
    }

    int proving() {
      return alike + changed;
    }

    boolean decidesForAll() {
      return alike + changed + others >= ENOUGH;
    }

    boolean isSameStore() {
      return alike >= others && 3 * alike >= changed + others;
    }
  }

  private final StreamSettings settings;
  private final LocationIdentity identity;
  private final RowSchema contract;
  private final Digest digest;
  private final ContentHash contentHash;
  private final boolean isList;
  private Result shown = Result.NONE;

  // What the location called itself when the comparison began.
  private @Nullable Name name;
  private @Nullable Reading next;

  // How much of a date range this comparison takes; the next one begins with a day again.
  private WindowLength sampled;

  StoreComparison(
      StreamSettings settings, LocationIdentity identity, RowSchema contract, Digest digest) {
    this.settings = settings;
    this.identity = identity;
    this.contract = contract;
    this.digest = digest;
    contentHash = new ContentHash(settings.resource().ignoreFields());
    isList = settings.resource().retrieval().provesAbsence();
    sampled = new WindowLength(settings.windowMax());
  }

  /** Brings the rows that are compared next. */
  Reading sample(Instant watermark, Moment now) {
    // Another stream's comparison may have ended this one, and name or key be other ones since.
    boolean goesOn = identity.name(now.nanos()).filter(each -> each.equals(name)).isPresent();
    return next == null || !goesOn
        ? beginning(watermark.equals(Instant.MIN) ? now.server() : watermark)
        : next;
  }

  private Reading beginning(Instant to) {
    return new Reading(settings.resource(), isList ? Window.ALL : sampled(to));
  }

  private Window sampled(Instant to) {
    return new Window(to.minus(sampled.current()), to);
  }

  /** Has less of a date range be compared, after it was too much; false when it is little. */
  boolean shrink() {
    return !isList && sampled.refused(sampled(Instant.EPOCH));
  }

  /** Begins a request. If it fails, the comparison begins again. */
  void requestBegins(Reading sample, long nowNanos) {
    if (sample.page() == 0) {
      shown = Result.NONE;
      // It may expire while a slow list is compared.
      name = identity.name(nowNanos).orElse(null);
    }
    next = null;
  }

  /** The name that the location gave when the comparison began. */
  Optional<Name> name() {
    return Optional.ofNullable(name);
  }

  /** Ends the comparison, since it is clear otherwise which store the location is. */
  void cancel() {
    next = null;
  }

  /** Compares the rows of a response. */
  Result compare(Reading sample, Rows rows) throws ApiException {
    Optional<Row> row = rows.next();
    for (; row.isPresent() && !isEnough(); row = rows.next()) {
      shown = shown.with(match(row.get()));
    }
    boolean goesOn = row.isEmpty() && shown.others() + shown.since() < MOST_NEW;
    if (goesOn && sample.follow(rows.end(), true).isEmpty() && !sample.hasEnded()) {
      next = sample;
    }
    return next == null ? ended() : shown;
  }

  /** Ends with the list, or with as much of it as is compared; returns what it shows. */
  Result ended() {
    sampled = new WindowLength(settings.windowMax());
    if (!isList) {
      return shown.ended(shown.others());
    }
    int expected = hasProof() ? Math.max(1, digest.provenKeys()) : digest.keys();
    int missing = isEnough() ? 0 : Math.max(0, expected - shown.proving());
    Result ended = shown.ended(missing);
    return hasProof() || missing == 0 ? ended : ended.unproven();
  }

  /** Where nothing was read before, the rows since then are all that there is to protect. */
  private boolean hasProof() {
    return digest.proven().keys() > 0;
  }

  private boolean isEnough() {
    return shown.proving() + (isList ? 0 : shown.others()) >= MOST_COMPARED;
  }

  private Result match(Row row) {
    try {
      Key key = contract.keyOf(row);
      Key stored = settings.resource().occurrences() ? contract.occurrence(key, 1) : key;
      Digest.Known entry = digest.known(stored);
      if (!entry.isThere()) {
        return Result.OTHER;
      }
      if (hasProof() && !digest.isProven(stored)) {
        return Result.SINCE;
      }
      boolean changed =
          row.fault().isPresent() || (entry.isCurrent() && !entry.is(contentHash.of(row)));
      return changed ? Result.CHANGED : Result.ALIKE;
    } catch (BrokenRowException e) {
      // A row that cannot become an event is in no digest.
      return Result.NONE;
    }
  }
}
