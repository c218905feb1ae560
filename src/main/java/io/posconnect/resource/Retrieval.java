package io.posconnect.resource;

import io.posconnect.resource.Request.Parameter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a resource is read: which request comes first, which one follows, and what a finished fetch
 * proves. Pure.
 *
 * <p>The styles are those of sections 4 and 2 of the service's interface document.
 */
public sealed interface Retrieval {

  /** The first request of a fetch of that window. */
  Request first(String path, Window window);

  /**
   * The request after {@code previous}, whose response ended so; empty when the fetch is complete.
   *
   * @param first how the fetch's first response ended: it tells how large the service's pages are
   */
  Optional<Request> next(Request previous, PageEnd end, PageEnd first);

  /**
   * Whether a service that answers {@code request} so says that the list has ended before it, if it
   * says so twice.
   */
  default boolean endsBefore(Request request, int status) {
    return false;
  }

  /**
   * The cheapest requests that show whether a resource can be read in this way: one for its rows,
   * and one more where a snapshot is read in another way.
   *
   * @param since for a retrieval that can filter; so far back that rows are likely to come
   */
  List<Request> probes(String path, Instant since);

  /** The shape of the response to {@code request}. */
  Shape shape(Request request);

  /** How fetches follow one another. */
  Cycle cycle();

  /** Whether increments exist, that is, whether the service can say what changed since a time. */
  default boolean filtered() {
    return cycle() != Cycle.FULL_READS;
  }

  /** Whether a full pass shows all there is, so that a key that it lacks is gone. */
  default boolean provesAbsence() {
    return cycle() != Cycle.WINDOWS;
  }

  /**
   * Whether a full read is many requests between which rows may move, so that a row not seen once
   * is no proof of its absence.
   */
  boolean shifting();

  /** How the fetches of a resource follow one another. */
  enum Cycle {
    /** Everything, again and again. */
    FULL_READS,
    /** Everything once, then what changed, and everything once more from time to time. */
    CHANGES_SINCE,
    /** Windows of time from the start until now, then what changed, and the last days once more. */
    WINDOWS
  }

  /**
   * Everything in one response, with no filter; {@code single} when that is one object rather than
   * an array.
   */
  record Full(boolean single) implements Retrieval {
    @Override
    public Request first(String path, Window window) {
      return new Request(path);
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      return Optional.empty();
    }

    @Override
    public List<Request> probes(String path, Instant since) {
      return List.of(first(path, Window.ALL));
    }

    @Override
    public Shape shape(Request request) {
      return single ? Shape.OBJECT : Shape.ARRAY;
    }

    @Override
    public Cycle cycle() {
      return Cycle.FULL_READS;
    }

    @Override
    public boolean shifting() {
      return false;
    }
  }

  /**
   * What changed since a time, in one response; without a time, everything.
   *
   * @param fromParameter name of the lower bound's parameter
   * @param fullPath where everything is read from; empty for the resource's own path
   * @param full how everything is read: {@link Full} or {@link Pages}
   */
  record ModifiedSince(String fromParameter, String fullPath, Retrieval full) implements Retrieval {
    public ModifiedSince {
      Objects.requireNonNull(fromParameter, "fromParameter is null");
      Objects.requireNonNull(fullPath, "fullPath is null");
      if (full.filtered()) {
        throw new IllegalArgumentException("a full read cannot be filtered");
      }
    }

    public ModifiedSince(String fromParameter) {
      this(fromParameter, "", new Full(false));
    }

    @Override
    public Request first(String path, Window window) {
      if (window.hasFrom()) {
        return new Request(path, new Parameter(fromParameter, window.fromText()));
      }
      return full.first(fullPath(path), window);
    }

    private String fullPath(String path) {
      return fullPath.isEmpty() ? path : fullPath;
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      return isIncrement(previous) ? Optional.empty() : full.next(previous, end, first);
    }

    @Override
    public boolean endsBefore(Request request, int status) {
      return !isIncrement(request) && full.endsBefore(request, status);
    }

    @Override
    public List<Request> probes(String path, Instant since) {
      Request rows = first(path, Window.since(since));
      return full.shifting()
          ? List.of(rows, full.probes(fullPath(path), since).get(0))
          : List.of(rows);
    }

    @Override
    public Shape shape(Request request) {
      return isIncrement(request) ? Shape.ARRAY : full.shape(request);
    }

    private boolean isIncrement(Request request) {
      return request.query().stream().anyMatch(p -> p.name().equals(fromParameter));
    }

    @Override
    public Cycle cycle() {
      return Cycle.CHANGES_SINCE;
    }

    @Override
    public boolean shifting() {
      return full.shifting();
    }
  }

  /** What changed between two times, in one response; the caller cuts a long span into windows. */
  record DateRange(String fromParameter, String toParameter) implements Retrieval {
    public DateRange {
      Objects.requireNonNull(fromParameter, "fromParameter is null");
      Objects.requireNonNull(toParameter, "toParameter is null");
    }

    @Override
    public Request first(String path, Window window) {
      List<Parameter> query = new ArrayList<>(2);
      if (window.hasFrom()) {
        query.add(new Parameter(fromParameter, window.fromText()));
      }
      if (window.hasTo()) {
        query.add(new Parameter(toParameter, window.toText()));
      }
      return new Request(path, query);
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      return Optional.empty();
    }

    @Override
    public List<Request> probes(String path, Instant since) {
      return List.of(first(path, Window.since(since)));
    }

    @Override
    public Shape shape(Request request) {
      return Shape.ARRAY;
    }

    @Override
    public Cycle cycle() {
      return Cycle.WINDOWS;
    }

    @Override
    public boolean shifting() {
      return false;
    }
  }

  /**
   * Numbered pages until a short or empty one. What is short shows in the first: a service may
   * serve smaller pages than it was asked for, and say nothing. So a first page that is not full is
   * no last one yet.
   *
   * @param numberParameter name of the page number's parameter
   * @param sizeParameter name of the page size's parameter
   * @param firstPage number of the first page
   * @param pageSize rows asked for in a page
   */
  record Pages(String numberParameter, String sizeParameter, int firstPage, int pageSize)
      implements Retrieval {
    public Pages {
      Objects.requireNonNull(numberParameter, "numberParameter is null");
      Objects.requireNonNull(sizeParameter, "sizeParameter is null");
      if (pageSize < 1) {
        throw new IllegalArgumentException("page size is " + pageSize);
      }
    }

    @Override
    public Request first(String path, Window window) {
      return page(path, firstPage, pageSize);
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      int number = number(previous);
      boolean last = number == firstPage ? end.rows() == 0 : end.rows() < full(first);
      return last ? Optional.empty() : Optional.of(page(previous.path(), number + 1, pageSize));
    }

    private long full(PageEnd first) {
      return Math.max(1, Math.min(pageSize, first.rows()));
    }

    @Override
    public boolean endsBefore(Request request, int status) {
      return number(request) > firstPage && (status == 404 || status == 400);
    }

    private int number(Request request) {
      return Integer.parseInt(request.parameter(numberParameter, ""));
    }

    private Request page(String path, int number, int size) {
      return new Request(
          path,
          new Parameter(numberParameter, Integer.toString(number)),
          new Parameter(sizeParameter, Integer.toString(size)));
    }

    @Override
    public List<Request> probes(String path, Instant since) {
      return List.of(page(path, firstPage, 1));
    }

    @Override
    public Shape shape(Request request) {
      return Shape.ARRAY;
    }

    @Override
    public Cycle cycle() {
      return Cycle.FULL_READS;
    }

    @Override
    public boolean shifting() {
      return true;
    }
  }

  /**
   * Envelopes, each of which names the key of the next, until one says that there is no more.
   *
   * @param keyParameter name of the page key's parameter
   * @param sizeParameter name of the page size's parameter
   * @param pageSize rows asked for in a page
   */
  record Cursor(String keyParameter, String sizeParameter, int pageSize) implements Retrieval {
    public Cursor {
      Objects.requireNonNull(keyParameter, "keyParameter is null");
      Objects.requireNonNull(sizeParameter, "sizeParameter is null");
      if (pageSize < 1) {
        throw new IllegalArgumentException("page size is " + pageSize);
      }
    }

    @Override
    public Request first(String path, Window window) {
      return new Request(path, size());
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      if (!end.haveMoreData()) {
        return Optional.empty();
      }
      return Optional.of(
          new Request(previous.path(), new Parameter(keyParameter, end.nextPageKey()), size()));
    }

    private Parameter size() {
      return new Parameter(sizeParameter, Integer.toString(pageSize));
    }

    @Override
    public List<Request> probes(String path, Instant since) {
      return List.of(new Request(path, new Parameter(sizeParameter, "1")));
    }

    @Override
    public Shape shape(Request request) {
      return Shape.ENVELOPE;
    }

    @Override
    public Cycle cycle() {
      return Cycle.FULL_READS;
    }

    @Override
    public boolean shifting() {
      return true;
    }
  }
}
