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

  private final Resource resource;
  private final Retrieval retrieval;
  private final Set<Request> answered = new HashSet<>();
  private Request request;
  private @Nullable PageEnd first;
  private int empty;
  private int refusedWith;
  private boolean ended;

  public Reading(Resource resource, Window window) {
    this.resource = resource;
    retrieval = resource.retrieval();
    request = retrieval.first(resource.path(), window);
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
   * Follows a response that was read to its end.
   *
   * @return false when it leads nowhere, since the service names a page twice, or more than a
   *     hundred pages are empty and the others are fewer
   */
  public boolean follow(PageEnd end) {
    first = first == null ? end : first;
    refusedWith = 0;
    Optional<Request> next = retrieval.next(request, end, first);
    ended = next.isEmpty();
    if (ended) {
      return true;
    }
    answered.add(request);
    empty += end.rows() == 0 ? 1 : 0;
    if (answered.contains(next.get()) || (empty > MOST_EMPTY && 2 * empty > answered.size())) {
      return false;
    }
    request = next.get();
    return true;
  }

  /** Returns whether the list may have ended before the request that was refused so. */
  public boolean mayEndBefore(int status) {
    return first != null && retrieval.endsBefore(request, status, first);
  }

  /**
   * Records a refusal before which the list {@link #mayEndBefore may have ended}: when a second try
   * brings the same one, it has.
   */
  public void refused(int status) {
    ended = refusedWith == status;
    refusedWith = status;
  }

  /** Has its last request be sent again. */
  public void readAgain() {
    ended = false;
  }
}
