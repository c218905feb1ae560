package io.posconnect.fetch;

import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Key;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.PageProgress;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One complete read while it goes on: its window, its next request, and what it has counted. */
final class Fetch {

  private static final long NONE = -1;

  private final FetchKind kind;
  private final Resource resource;
  private final @Nullable Reconciliation reconciliation;
  private final Counts counts = new Counts();
  private Counts taken = new Counts();
  private long rows;
  private final PageProgress pages = new PageProgress();
  private final Set<Long> ticks = new HashSet<>();
  private String rejection = "";
  private Window window;
  private Reading reading;
  private boolean reachesNow;
  private @Nullable Provenance source;
  private @Nullable Moment started;
  private long sentNanos;
  private long arrivedNanos;
  private long sinceTick;
  private long heldSince;
  private long requestTick = NONE;
  private long tick;

  /**
   * @param reconciliation the one under way, to which a full read belongs and beside which an
   *     increment runs; null for none
   */
  Fetch(FetchKind kind, Window window, Resource resource, @Nullable Reconciliation reconciliation) {
    this.kind = kind;
    this.window = window;
    this.resource = resource;
    this.reconciliation = reconciliation;
    this.reading = new Reading(resource, window);
  }

  /**
   * Begins an attempt at the next request. The watermark is measured from the first one, and a
   * window ends soon after it; what was seen counts from the last attempt at the first page, since
   * a row may have gone after a broken attempt saw it.
   */
  void attempt(Moment now, long newTick) {
    tick = newTick;
    if (counts.get(Count.REQUESTS) == 0) {
      started = now;
      heldSince = newTick;
      window = window.notBeyond(now.latestServer());
      reading = new Reading(resource, window);
    }
    counts.add(Count.REQUESTS, 1);
    sentNanos = now.nanos();
    if (!continues()) {
      sinceTick = tick;
      counts.reset(Count.WAITING);
    }
    if (requestTick == NONE) {
      requestTick = tick;
    }
    pages.begins();
    if (reconciliation != null) {
      reconciliation.began(now.nanos(), sinceTick);
    }
    boolean initial = kind == FetchKind.SNAPSHOT || kind == FetchKind.BACKFILL;
    source = new Provenance(kind, now.wall(), initial);
  }

  /**
   * Follows the end of a response: to the next request, or to the end of the fetch.
   *
   * @return what is wrong when following the pages would never end
   */
  Optional<String> advance(PageEnd end) {
    rows += end.rows();
    ticks.add(tick);
    Optional<String> stray = reading.follow(end, pages.endsNew());
    if (stray.isEmpty() && !reading.hasEnded()) {
      requestTick = NONE;
    }
    return stray;
  }

  /** Its requests, one after the other. */
  Reading reading() {
    return reading;
  }

  /** Reads it again from its beginning, since not all of its rows found room. */
  void readAgain() {
    reading.readAgain();
    heldSince = sinceTick;
  }

  /** Returns whether it belongs to a pass over the whole resource, or its last days. */
  boolean isPass() {
    return kind == FetchKind.SNAPSHOT || kind == FetchKind.RECONCILIATION;
  }

  boolean endsPass() {
    return isPass() && reachesNow;
  }

  /**
   * Records an answer, before its rows.
   *
   * @param present the service's time up to which it must read, at the latest
   * @param time of the answer, for the records that come of it
   */
  void answered(Instant present, Instant time) {
    reachesNow = window.reaches(present);
    source = source().at(time);
  }

  /** Returns whether its window holds all that it must read. */
  boolean reachesNow() {
    return reachesNow;
  }

  /**
   * Records a row of the response.
   *
   * @param lastSeen the digest's tick at which its key was last seen; anything before the fetch for
   *     one that it does not know
   */
  void row(Key key, long lastSeen) {
    pages.row(key, lastSeen != tick && !ticks.contains(lastSeen));
  }

  /** Records a row that is identical to one before it, and may be that one. */
  void identical(Key key) {
    pages.row(key, false);
  }

  /** The reconciliation that it belongs to or runs beside. */
  Optional<Reconciliation> reconciliation() {
    return Optional.ofNullable(reconciliation);
  }

  /**
   * The tick of the digest at which its pass began: keys seen since then are there. A list is one
   * fetch, and what a list that broke off showed is void; windows are several fetches of one pass.
   */
  long passSince() {
    return reconciliation == null || resource.retrieval().provesAbsence()
        ? sinceTick
        : reconciliation.sinceTick();
  }

  FetchKind kind() {
    return kind;
  }

  Window window() {
    return window;
  }

  Counts counts() {
    return counts;
  }

  /** What it has counted since this was asked last: others take turns with it. */
  Counts takeNews() {
    Counts news = counts.since(taken);
    taken = counts.copy();
    return news;
  }

  /** Rows of its responses, without those of attempts that broke off. */
  long rows() {
    return rows;
  }

  /** Counts a row that cannot become an event. */
  void rejected(BrokenRowException reason) {
    counts.add(Count.DEAD_LETTERS, 1);
    rejection = reason.getMessage();
  }

  /** Why the last row could not become an event; empty before there was one. */
  String rejection() {
    return rejection;
  }

  /** The provenance of the records that come of it now. */
  Provenance source() {
    return Objects.requireNonNull(source, "no request was made yet");
  }

  /** Returns whether its first page was read: a retry does not begin at the beginning then. */
  boolean continues() {
    return reading.page() > 0;
  }

  /** The moment right before the first request. */
  Moment started() {
    return Objects.requireNonNull(started, "no request was made yet");
  }

  /**
   * Monotonic time up to which it must read. Increments beside a reconciliation read what follows
   * its beginning: it might never reach a present that moves on while its windows are read.
   */
  long presentNanos() {
    return isPass() && reconciliation != null ? reconciliation.sinceNanos() : started().nanos();
  }

  /** Monotonic time right before its latest request; meaningless before the first one. */
  long sentNanos() {
    return sentNanos;
  }

  /** Records that rows of its answer arrive then. */
  void arrives(long nanos) {
    arrivedNanos = nanos;
  }

  /** Monotonic time at which the latest hundred of its rows began to arrive. */
  long arrivedNanos() {
    return arrivedNanos;
  }

  /** The tick of the digest of its first response. */
  long sinceTick() {
    return sinceTick;
  }

  /**
   * The tick of the digest since which a key that it showed keeps its room: that of its first
   * response, and once it is read again, that at which it was last read to its end.
   */
  long heldSince() {
    return heldSince;
  }

  /** The tick of the digest of its latest response. */
  long tick() {
    return tick;
  }

  /** The tick of the digest at which its latest request was sent for the first time. */
  long requestTick() {
    return requestTick;
  }
}
