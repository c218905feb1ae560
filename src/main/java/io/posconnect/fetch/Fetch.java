package io.posconnect.fetch;

import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval;
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
  private final Retrieval retrieval;
  private final @Nullable Reconciliation reconciliation;
  private final Set<Request> sent = new HashSet<>();
  private final Counts counts = new Counts();
  private final PageProgress pages;
  private String rejection = "";
  private Window window;
  private Request request;
  private boolean reachesNow;
  private @Nullable PageEnd firstEnd;
  private int refusedWith;
  private boolean isRead;
  private @Nullable Provenance source;
  private long startedNanos;
  private long startedMillis;
  private long sinceTick;
  private long requestTick = NONE;

  /**
   * @param reconciliation the one under way, to which a full read belongs and beside which an
   *     increment runs; null for none
   */
  Fetch(FetchKind kind, Window window, Resource resource, @Nullable Reconciliation reconciliation) {
    this.kind = kind;
    this.window = window;
    this.retrieval = resource.retrieval();
    this.reconciliation = reconciliation;
    this.pages = new PageProgress(resource.occurrences());
    this.request = retrieval.first(resource.path(), window);
  }

  /**
   * Begins an attempt at the next request. The watermark is measured from the first one, and a
   * window ends soon after it; what was seen counts from the last attempt at the first page, since
   * a row may have gone after a broken attempt saw it.
   */
  void attempt(Moment now, long tick) {
    if (counts.get(Count.REQUESTS) == 0) {
      startedNanos = now.nanos();
      startedMillis = now.wall().toEpochMilli();
      window = window.notBeyond(now.latestServer());
      request = retrieval.first(request.path(), window);
    }
    counts.increment(Count.REQUESTS);
    if (!continues()) {
      sinceTick = tick;
      counts.reset(Count.WAITING);
    }
    if (requestTick == NONE) {
      requestTick = tick;
    }
    pages.request(tick);
    if (reconciliation == null) {
      return;
    }
    if (kind == FetchKind.RECONCILIATION && retrieval.provesAbsence() && !continues()) {
      reconciliation.restarted(tick);
    } else {
      reconciliation.began(sinceTick);
    }
  }

  /**
   * Follows the end of a response: to the next request, or to the end of the fetch.
   *
   * @return what is wrong when following the pages would never end
   */
  Optional<Incident> advance(PageEnd end, String stream) {
    if (firstEnd == null) {
      firstEnd = end;
    }
    refusedWith = 0;
    Optional<Request> next = retrieval.next(request, end, firstEnd);
    if (next.isEmpty()) {
      isRead = true;
      return Optional.empty();
    }
    if (!pages.leadsOn()) {
      return stray(stream, "a page has no row that the pages before it did not have");
    }
    sent.add(request);
    if (sent.contains(next.get())) {
      return stray(stream, "the service named a page twice within one fetch");
    }
    request = next.get();
    requestTick = NONE;
    return Optional.empty();
  }

  private Optional<Incident> stray(String stream, String detail) {
    return Optional.of(
        Problem.PAGES_LEAD_NOWHERE.incident(stream + ": GET " + request.path(), detail));
  }

  /** Returns whether the list may have ended before the request that got that status. */
  boolean mayEndBefore(int status) {
    return firstEnd != null && retrieval.endsBefore(request, status, firstEnd);
  }

  /**
   * Records a refusal after which the list may have ended. When a second try brings the same one,
   * the fetch is read to its end.
   */
  void doubtEnd(int status) {
    isRead = refusedWith == status;
    refusedWith = status;
  }

  /** Has its last request be sent again. */
  void readAgain() {
    isRead = false;
  }

  boolean isRead() {
    return isRead;
  }

  /** Returns whether it belongs to a pass over the whole resource, or its last days. */
  boolean isPass() {
    return kind == FetchKind.SNAPSHOT || kind == FetchKind.RECONCILIATION;
  }

  boolean endsPass() {
    return isPass() && reachesNow;
  }

  /** Records the service's time right before the first request, at the latest, by the answer. */
  void answered(Instant present) {
    reachesNow = window.reaches(present);
  }

  /** Returns whether its window holds all that the service had when it was first asked. */
  boolean reachesNow() {
    return reachesNow;
  }

  /** Which of its requests comes next, from 0. */
  int page() {
    return sent.size();
  }

  PageProgress pages() {
    return pages;
  }

  /** The reconciliation that it belongs to or runs beside. */
  Optional<Reconciliation> reconciliation() {
    return Optional.ofNullable(reconciliation);
  }

  /** The tick of the digest at which its pass began: keys seen since then are there. */
  long passSince() {
    return reconciliation == null ? sinceTick : reconciliation.sinceTick();
  }

  FetchKind kind() {
    return kind;
  }

  Window window() {
    return window;
  }

  Request request() {
    return request;
  }

  Counts counts() {
    return counts;
  }

  /** Counts a row that cannot become an event. */
  void rejected(BrokenRowException reason) {
    counts.increment(Count.DEAD_LETTERS);
    rejection = String.valueOf(reason.getMessage());
  }

  /** Why the last row could not become an event; empty before there was one. */
  String rejection() {
    return rejection;
  }

  /** Sets the provenance of the records that come of it from now on. */
  void stamp(Provenance newSource) {
    source = newSource;
  }

  Provenance source() {
    return Objects.requireNonNull(source, "no request was made yet");
  }

  /** Returns whether its first page was read: a retry does not begin at the beginning then. */
  boolean continues() {
    return !sent.isEmpty();
  }

  /** Monotonic time right before the first request. */
  long startedNanos() {
    return startedNanos;
  }

  /** Wall-clock time right before the first request, in milliseconds since the epoch. */
  long startedMillis() {
    return startedMillis;
  }

  /** The tick of the digest of its first response. */
  long sinceTick() {
    return sinceTick;
  }

  /** The tick of the digest at which its latest request was sent for the first time. */
  long requestTick() {
    return requestTick;
  }
}
