package io.posconnect.fetch;

import io.posconnect.client.ApiException.Malformed;
import io.posconnect.problem.Problem;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows one complete read while it goes on: its window, the request that comes next, and what it
 * has seen so far.
 */
final class Fetch {

  /** Its pages lead nowhere: following them would never end. */
  static final class StrayPageException extends Exception {
    private static final long serialVersionUID = 1L;

    StrayPageException(String message) {
      super(message, null, false, false);
    }

    /** As a failure of that request. */
    Malformed malformed(Stream stream, Request request) {
      return new Malformed(
          Problem.PAGES_LEAD_NOWHERE,
          stream + ": GET " + request.path(),
          getMessage() + ", and the list is read again");
    }
  }

  /** What a fetch counts, for its checkpoint. */
  static final class Counts {
    long rows;
    long created;
    long updated;
    long deleted;
    long suppressed;
    long typeMismatches;
    long deadLetters;
    long requests;
    long retries;
  }

  private static final long NONE = -1;

  private final FetchKind kind;
  private final Window window;
  private final Retrieval retrieval;
  private final Set<Request> sent = new HashSet<>();
  private final Counts counts = new Counts();
  private final PageProgress pages;
  private Request request;
  private @Nullable PageEnd firstEnd;
  private int refusedWith;
  private @Nullable Provenance source;
  private long startedNanos;
  private long startedMillis;
  private long sinceTick;
  private long requestTick = NONE;

  Fetch(FetchKind kind, Window window, Resource resource) {
    this.kind = kind;
    this.window = window;
    this.retrieval = resource.retrieval();
    this.pages = new PageProgress(resource.occurrences());
    this.request = retrieval.first(resource.path(), window);
  }

  /**
   * Called before each attempt. The watermark is measured from the first one; what was seen counts
   * from the last that began at the beginning, since a row may have gone after a broken attempt saw
   * it.
   */
  void attempt(long nanos, long millis, long tick) {
    if (counts.requests++ == 0) {
      startedNanos = nanos;
      startedMillis = millis;
    }
    if (!continues()) {
      sinceTick = tick;
    }
    if (requestTick == NONE) {
      requestTick = tick;
    }
    pages.request(tick);
  }

  /** Turns to the next request; false when the fetch is complete. */
  boolean advance(PageEnd end) throws StrayPageException {
    if (firstEnd == null) {
      firstEnd = end;
    }
    refusedWith = 0;
    Optional<Request> next = retrieval.next(request, end, firstEnd);
    if (next.isEmpty()) {
      return false;
    }
    if (!pages.leadsOn()) {
      throw new StrayPageException("a page brought no row that the pages before it had not");
    }
    sent.add(request);
    if (sent.contains(next.get())) {
      throw new StrayPageException("the service named a page twice within one fetch");
    }
    request = next.get();
    requestTick = NONE;
    return true;
  }

  /** Whether the list may have ended before the request that was refused with that status. */
  boolean mayEndBefore(int status) {
    return retrieval.endsBefore(request, status);
  }

  /** Takes note of such a refusal; true when a second try agrees, so that the fetch is complete. */
  boolean endsBefore(int status) {
    boolean again = refusedWith == status;
    refusedWith = status;
    return again;
  }

  /** Which of its requests comes next, from 0. */
  int page() {
    return sent.size();
  }

  /** What its pages bring that is new. */
  PageProgress pages() {
    return pages;
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

  /** What the records say that come of it from now on. */
  void stamp(Provenance newSource) {
    source = newSource;
  }

  /** What the records say that come of it. */
  Provenance source() {
    return Objects.requireNonNull(source, "no request was made yet");
  }

  /**
   * Whether it goes on behind a first page that came: its own beginning is then out of reach of a
   * retry.
   */
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

  /** The digest's tick of the first response: what is stamped with it or later was seen since. */
  long sinceTick() {
    return sinceTick;
  }

  /** The digest's tick at which its latest request was sent for the first time. */
  long requestTick() {
    return requestTick;
  }

  /**
   * What is to be told of it once it is complete.
   *
   * @param numbering of the stream's latest event
   */
  Checkpoint checkpoint(Instant watermark, Numbering numbering, long nowNanos) {
    return new Checkpoint(
        kind,
        window,
        watermark,
        counts.rows,
        counts.created,
        counts.updated,
        counts.deleted,
        counts.suppressed,
        counts.typeMismatches,
        counts.deadLetters,
        counts.requests,
        counts.retries,
        numbering,
        Duration.ofNanos(nowNanos - startedNanos));
  }
}
