package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.change.RecentKeys;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.StreamSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of which an answer to a reconciliation may show an earlier state, since it, or the
 * replica behind it, may be older than what was read before.
 *
 * <table>
 * <caption>What makes a key fresh, and for how long</caption>
 * <tr><td>an increment returned it</td><td>a lookback, or until the reconciliation ends that was
 *     under way</td></tr>
 * <tr><td>an earlier response changed it, of the passes that confirm one another</td><td>a
 *     lookback, or until nothing is left to confirm</td></tr>
 * <tr><td>a list deleted it: no increment shows that a row is gone</td><td>a lookback, or until an
 *     increment returns it</td></tr>
 * </table>
 *
 * <p>How old an answer may be counts from when its request was sent, and what an increment returned
 * from when it arrived: its row may have changed while a slow answer was made. In memory only:
 * after a start a reconciliation waits for a lookback.
 */
final class FreshKeys {

  private final Digest digest;
  private final long lookbackNanos;
  private final RecentKeys returned;
  private final RecentKeys deleted;
  private RecentKeys changed;

  // Those of the response under way.
  private final List<Key> changedByResponse = new ArrayList<>();

  FreshKeys(StreamSettings settings, Digest digest) {
    this.digest = digest;
    lookbackNanos = settings.resource().lookback().toNanos();
    returned = new RecentKeys(digest);
    deleted = new RecentKeys(digest);
    changed = new RecentKeys(digest);
  }

  void responseEnds(Fetch fetch) {
    // The next answer, to the same request or the next page's, may be older than this one. Not
    // sooner, or a key that stands in one answer twice would pass unnoticed.
    if (fetch.reconciliation().isPresent()) {
      changedByResponse.forEach(key -> changed.add(key, fetch.sentNanos()));
    }
    changedByResponse.clear();
    long lately = lately(fetch);
    long fresh = fetch.reconciliation().map(Reconciliation::sinceNanos).orElse(lately);
    returned.forget(fresh - lately < 0 ? fresh : lately);
    changed.forget(lately);
    deleted.forget(lately);
  }

  private long lately(Fetch fetch) {
    return fetch.sentNanos() - lookbackNanos;
  }

  /** Records a key of which the fetch returned a row. */
  void returned(Fetch fetch, Key key) {
    if (fetch.kind() == FetchKind.INCREMENT) {
      returned.add(key, fetch.arrivedNanos());
      deleted.remove(key);
    }
  }

  /** Records that a row of the response has changed the key. */
  void changed(Key key) {
    changedByResponse.add(key);
  }

  /** Records that a list has deleted the key. */
  void deleted(Key key, long nowNanos) {
    deleted.add(key, nowNanos);
  }

  /** Records that a pass has left nothing to confirm. */
  void confirmed() {
    changed = new RecentKeys(digest);
  }

  /**
   * Returns whether a row of the key may be older than what is known. A list that holds the key may
   * be older than an increment, and show the row as it was before it was changed and then deleted:
   * such a row is in no later increment.
   */
  boolean isOutdated(Fetch fetch, Key key) {
    long lately = lately(fetch);
    return returned.isSince(key, lately) || deleted.isSince(key, lately) || isFresh(fetch, key);
  }

  /**
   * Returns whether a list that lacks the key may be older than what is known. Such a list proves
   * more than one that holds the key: the increment before it would have returned a row that
   * changed so lately and is still there.
   */
  boolean isFresh(Fetch fetch, Key key) {
    return fetch
        .reconciliation()
        .filter(
            running ->
                returned.isSince(key, running.sinceNanos()) || changed.isSince(key, lately(fetch)))
        .isPresent();
  }
}
