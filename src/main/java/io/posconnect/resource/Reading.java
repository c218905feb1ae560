package io.posconnect.resource;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a resource over a window: which request comes next, until the list has ended. It
 * makes no request; whoever does says how each one ended.
 */
public final class Reading {

  // A service that filters what it has cut into pages sends some, also before the first row.
  private static final int MOST_EMPTY = 100;

  // Pages of nothing but identical rows. A loop is longer; a list has fewer.
  private static final int MOST_IDENTICAL = 1_000;

  private final Resource resource;
  private final Set<Request> answered = new HashSet<>();
  private Request request;
  private @Nullable PageEnd first;
  private int empty;
  private int leading;
  private int idle;
  private boolean refused;
  private boolean ended;

  public Reading(Resource resource, Window window) {
    this.resource = resource;
    request = resource.retrieval().first(resource.path(), window);
  }

  public Resource resource() {
    return resource;
  }

  /** The request that comes next. */
  public Request request() {
    return request.with(resource.parameters());
  }

  /** What the answer to it looks like. */
  public Shape shape() {
    return resource.shape(request);
  }

  /** Which of its requests comes next, from 0. */
  public int page() {
    return answered.size();
  }

  /** Returns whether the list was read to its end. */
  public boolean hasEnded() {
    return ended;
  }

  /**
   * Follows a response that was read to its end. A service that ignores or repeats the page that it
   * is asked for would be read for ever, so each page must bring a key that no page before it had.
   * Of pages that bring none, since each of their keys has several rows, as many may come as of the
   * others: a loop is longer than that.
   *
   * @param isNew whether it had such a key
   * @return what is wrong when following the pages would never end
   */
  public Optional<String> follow(PageEnd end, boolean isNew) {
    first = first == null ? end : first;
    refused = false;
    Optional<Request> next = resource.retrieval().next(request, end, first);
    ended = next.isEmpty();
    if (ended) {
      return Optional.empty();
    }
    answered.add(request);
    empty += end.rows() == 0 ? 1 : 0;
    leading += isNew ? 1 : 0;
    idle += isNew || end.rows() == 0 ? 0 : 1;
    if (idle > leading + (resource.occurrences() ? MOST_IDENTICAL : 0)) {
      return Optional.of("a page has no row that the pages before it did not have");
    }
    if (answered.contains(next.get()) || (empty > MOST_EMPTY && 2 * empty > answered.size())) {
      return Optional.of(
          "the service named a page twice within one fetch, or empty ones without an end");
    }
    request = next.get();
    return Optional.empty();
  }

  /** Returns whether the list may have ended before the request that was refused so. */
  public boolean mayEndBefore(int status) {
    return first != null && resource.retrieval().endsBefore(request, status, first);
  }

  /**
   * Records a refusal before which the list {@link #mayEndBefore may have ended}: when a second try
   * brings one too, it has, or servers that refuse in different ways would be asked for ever.
   */
  public void refused() {
    ended = refused;
    refused = true;
  }

  /** Has its last request be sent again. */
  public void readAgain() {
    ended = false;
  }
}
