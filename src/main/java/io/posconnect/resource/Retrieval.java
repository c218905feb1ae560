package io.posconnect.resource;

import io.posconnect.resource.Request.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides how a resource is read: which request comes first, which one follows, what a page looks
 * like, and what a complete fetch proves. Pure. To add a way to read, add a record here and its
 * settings: no other room asks for the class. If a header names the next page, and not the body,
 * the client adds it to the {@link PageEnd}.
 */
public interface Retrieval {

  /** The ways to read, as a configuration spells them. */
  enum Style implements Spelled {
    FULL(Cycle.FULL_READS),
    MODIFIED_SINCE(Cycle.CHANGES_SINCE),
    DATE_RANGE(Cycle.WINDOWS),
    PAGES(Cycle.FULL_READS),
    CURSOR(Cycle.FULL_READS);

    private final Cycle cycle;

    Style(Cycle cycle) {
      this.cycle = cycle;
    }

    /** The spellings of those that serve, as a sentence lists them. */
    public static String spellings(Predicate<Style> serves) {
      String list =
          Stream.of(values()).filter(serves).map(Style::spelling).collect(Collectors.joining(", "));
      return list.replaceFirst(", (?=[^,]+$)", " or ");
    }

    /** Returns whether the service can filter by modification time, so that increments exist. */
    public boolean filtered() {
      return cycle != Cycle.FULL_READS;
    }

    /** Returns whether a full pass shows every row, so that a missing key is deleted. */
    public boolean provesAbsence() {
      return cycle != Cycle.WINDOWS;
    }
  }

  Style style();

  /** The first request of a fetch of that window. */
  Request first(String path, Window window);

  /**
   * The request that follows {@code previous}; empty when the fetch is complete.
   *
   * @param end the end of the response to {@code previous}
   * @param first the end of the fetch's first response, which shows how large the service's pages
   *     are
   */
  default Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
    return Optional.empty();
  }

  /**
   * Returns whether that answer to {@code request} means that the list ended before it, once a
   * second try agrees.
   *
   * @param first the end of the fetch's first response, which the request follows
   */
  default boolean endsBefore(Request request, int status, PageEnd first) {
    return false;
  }

  default Shape shape(Request request) {
    return Shape.ARRAY;
  }

  default Cycle cycle() {
    return style().cycle;
  }

  /** Returns whether increments exist, because the service can filter by modification time. */
  default boolean filtered() {
    return style().filtered();
  }

  /** Returns whether a full pass shows every row, so that a missing key is deleted. */
  default boolean provesAbsence() {
    return style().provesAbsence();
  }

  /**
   * Returns whether a full read takes many requests between which rows may move, so that one read
   * that misses a row does not prove that the row is gone. There is no default: a wrong false
   * deletes rows that exist.
   */
  boolean shifting();

  /**
   * Returns whether an increment takes many requests between which rows may move, so that one
   * increment may miss a row, and the next one must cover the same time.
   */
  default boolean shiftingIncrements() {
    return false;
  }

  /** How the fetches of a resource follow one another. */
  enum Cycle {
    /** The whole list at each fetch. */
    FULL_READS,
    /** The whole list once, then increments, and reconciliations of the whole list. */
    CHANGES_SINCE,
    /** Windows of time up to now, then increments, and reconciliations of the last days. */
    WINDOWS
  }

  /**
   * The whole list in one response.
   *
   * @param single whether that is one object rather than an array
   */
  record Full(boolean single) implements Retrieval {
    @Override
    public Style style() {
      return Style.FULL;
    }

    @Override
    public boolean shifting() {
      return false;
    }

    @Override
    public Request first(String path, Window window) {
      return new Request(path);
    }

    @Override
    public Shape shape(Request request) {
      return single ? Shape.OBJECT : Shape.ARRAY;
    }
  }

  /**
   * The rows that changed since a time; without a time, the whole list.
   *
   * @param fromParameter name of the lower bound's parameter
   * @param fullPath path of the whole list; empty for the resource's own path
   * @param full how the whole list is read: {@link Full} or {@link Pages}
   * @param increment how the rows since a time are read, beside their bound: the same
   */
  record ModifiedSince(String fromParameter, String fullPath, Retrieval full, Retrieval increment)
      implements Retrieval {
    public ModifiedSince(String fromParameter) {
      this(fromParameter, "", new Full(false));
    }

    public ModifiedSince(String fromParameter, String fullPath, Retrieval full) {
      this(fromParameter, fullPath, full, new Full(false));
    }

    @Override
    public Style style() {
      return Style.MODIFIED_SINCE;
    }

    @Override
    public Request first(String path, Window window) {
      return window.hasFrom()
          ? since(window.fromText(), increment.first(path, window))
          : full.first(fullPath.isEmpty() ? path : fullPath, window);
    }

    private Request since(String from, Request request) {
      return request.with(List.of(new Parameter(fromParameter, from)));
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      Optional<Request> next = of(previous).next(previous, end, first);
      return isIncrement(previous)
          ? next.map(request -> since(previous.parameter(fromParameter, ""), request))
          : next;
    }

    @Override
    public boolean endsBefore(Request request, int status, PageEnd first) {
      return of(request).endsBefore(request, status, first);
    }

    @Override
    public Shape shape(Request request) {
      return of(request).shape(request);
    }

    private Retrieval of(Request request) {
      return isIncrement(request) ? increment : full;
    }

    private boolean isIncrement(Request request) {
      return request.query().stream().anyMatch(p -> p.name().equals(fromParameter));
    }

    @Override
    public boolean shifting() {
      return full.shifting();
    }

    @Override
    public boolean shiftingIncrements() {
      return increment.shifting();
    }
  }

  /**
   * The rows that changed between two times, in one response; the caller cuts spans into windows.
   */
  record DateRange(String fromParameter, String toParameter) implements Retrieval {

    @Override
    public Style style() {
      return Style.DATE_RANGE;
    }

    @Override
    public boolean shifting() {
      return false;
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
  }

  /**
   * Numbered pages until a short or empty one. The first page shows what short means, since a
   * service may silently serve smaller pages than requested. So a first page that is not full is
   * not yet the last one, and an empty page 0 shows nothing of a service that counts from 1.
   *
   * <p>Behind a first page that is not full any refusal that is about the request ends the list,
   * and 404 behind any other page. 400, 413, 416 and 422 do not there, since services refuse to
   * page deeper with them, and a part must never pass for the whole list.
   *
   * @param numberParameter name of the page number's parameter
   * @param sizeParameter name of the page size's parameter
   * @param firstPage number of the first page
   * @param pageSize rows asked for in a page
   */
  record Pages(String numberParameter, String sizeParameter, int firstPage, int pageSize)
      implements Retrieval {
    private static final Set<Integer> ABOUT_THE_REQUEST = Set.of(400, 405, 410, 413, 414, 416, 422);

    @Override
    public Style style() {
      return Style.PAGES;
    }

    @Override
    public Request first(String path, Window window) {
      return page(path, firstPage);
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      int number = number(previous);
      boolean last = number > 0 && end.rows() < full(first);
      return last ? Optional.empty() : Optional.of(page(previous.path(), number + 1));
    }

    private long full(PageEnd first) {
      return Math.max(1, Math.min(pageSize, first.rows()));
    }

    @Override
    public boolean endsBefore(Request request, int status, PageEnd first) {
      int behind = number(request) - firstPage;
      boolean behindShort = behind == 1 && first.rows() < pageSize;
      return behind > 0 && (status == 404 || (behindShort && ABOUT_THE_REQUEST.contains(status)));
    }

    private int number(Request request) {
      return Integer.parseInt(request.parameter(numberParameter, ""));
    }

    private Request page(String path, int number) {
      return new Request(
          path,
          new Parameter(numberParameter, Integer.toString(number)),
          new Parameter(sizeParameter, Integer.toString(pageSize)));
    }

    @Override
    public boolean shifting() {
      return true;
    }
  }

  /**
   * Envelopes, each with the key of the next page, until one has no more data.
   *
   * @param keyParameter name of the page key's parameter
   * @param sizeParameter name of the page size's parameter
   * @param pageSize rows asked for in a page
   */
  record Cursor(String keyParameter, String sizeParameter, int pageSize) implements Retrieval {
    @Override
    public Style style() {
      return Style.CURSOR;
    }

    @Override
    public Request first(String path, Window window) {
      return new Request(path, size());
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      Parameter key = new Parameter(keyParameter, end.nextPageKey());
      return key.value().isEmpty()
          ? Optional.empty()
          : Optional.of(new Request(previous.path(), key, size()));
    }

    private Parameter size() {
      return new Parameter(sizeParameter, Integer.toString(pageSize));
    }

    @Override
    public Shape shape(Request request) {
      return Shape.ENVELOPE;
    }

    @Override
    public boolean shifting() {
      return true;
    }
  }
}
