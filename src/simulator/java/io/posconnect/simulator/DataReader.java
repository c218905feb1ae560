package io.posconnect.simulator;

import static io.posconnect.simulator.Request.FROM;
import static io.posconnect.simulator.Request.TO;

import com.fasterxml.jackson.databind.node.TextNode;
import io.posconnect.simulator.Response.RefusedException;
import io.posconnect.simulator.Simulator.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Turns an admitted request into the data it asked for. */
final class DataReader {

  private static final String OFFSET = "offset:";

  private final SimulatorBuilder rules;
  private final ServiceClock clock;

  DataReader(SimulatorBuilder rules, ServiceClock clock) {
    this.rules = rules;
    this.clock = clock;
  }

  Response read(Request request, Endpoint endpoint, SimulatedLocation owner, Reading reading)
      throws RefusedException {
    SimulatedLocation location =
        endpoint.style() == Endpoint.Style.OBJECT ? reading.identity().orElse(owner) : owner;
    Table table = location.table(endpoint.resource());
    Source source = new Source(location, table, shown(request, table.template()));
    List<Row> all =
        Arrays.asList(
            reading.lag().isZero()
                ? table.rows()
                : table.asOf(clock.worldTime().minus(reading.lag())));
    List<Row> rows = reading.firstHalf() ? all.subList(0, all.size() / 2) : all;
    return switch (endpoint.style()) {
      case FULL -> array(source, rows, true);
      case MODIFIED_SINCE -> since(request, source, rows);
      case DATE_RANGE -> range(request, source, rows);
      case PAGES -> page(request, source, rows);
      case MODIFIED_PAGES ->
          page(request, source, between(rows, request.timestamp(FROM), Optional.empty()));
      case PAGE_KEYS -> keyPage(request, source, rows);
      case OBJECT -> body("", rows.subList(0, 1), "", source, true);
    };
  }

  /** What rows come from, and what they show. */
  private record Source(SimulatedLocation location, Table table, RowTemplate template) {}

  /** Some fields are shown only to requests that ask for them. */
  private RowTemplate shown(Request request, RowTemplate template) {
    Set<String> hidden = rules.detailFields;
    boolean asks =
        rules.detailFlag.flatMap(request::parameter).filter("true"::equalsIgnoreCase).isPresent();
    return asks || hidden.isEmpty() ? template : template.without(hidden);
  }

  private Response since(Request request, Source source, List<Row> rows) throws RefusedException {
    Optional<Instant> from = request.timestamp(FROM);
    return array(source, between(rows, from, Optional.empty()), from.isEmpty());
  }

  private Response range(Request request, Source source, List<Row> rows) throws RefusedException {
    Optional<Instant> from = request.timestamp(FROM);
    Optional<Instant> to = request.timestamp(TO);
    checkRange(from, to);
    return array(source, between(rows, from, to), from.isEmpty() && to.isEmpty());
  }

  private void checkRange(Optional<Instant> from, Optional<Instant> to) throws RefusedException {
    if (rules.needsBothBounds && (from.isEmpty() || to.isEmpty())) {
      throw new RefusedException(Response.error(400, "Both bounds are required."));
    }
    if (rules.longestRange.isPresent()) {
      Duration span = Duration.between(from.orElse(Instant.EPOCH), to.orElseGet(() -> clock.now()));
      if (span.compareTo(rules.longestRange.get()) > 0) {
        throw new RefusedException(Response.error(400, "The range is too long."));
      }
    }
  }

  private List<Row> between(List<Row> rows, Optional<Instant> from, Optional<Instant> to) {
    if (from.isEmpty() && to.isEmpty()) {
      return rows;
    }
    return rows.stream()
        .filter(row -> from.isEmpty() || isIn(row, from.get(), rules.fromInclusive, 1))
        .filter(row -> to.isEmpty() || isIn(row, to.get(), rules.toInclusive, -1))
        .toList();
  }

  private static boolean isIn(Row row, Instant bound, boolean inclusive, int side) {
    int order = Instant.ofEpochMilli(row.modified()).compareTo(bound);
    return order == 0 ? inclusive : Integer.signum(order) == side;
  }

  private Response page(Request request, Source source, List<Row> rows) throws RefusedException {
    int number = request.number("PageNumber", rules.firstPage, rules.firstPage, Integer.MAX_VALUE);
    int asked = request.number("PageSize", rules.maxPageSize, 1, rules.maxPageSize);
    int size = Math.min(asked, rules.servedPageSize);
    long from = (long) (number - rules.firstPage) * size;
    if (rules.statusBehindLastPage != 200 && from > 0 && from >= rows.size()) {
      throw new RefusedException(Response.error(rules.statusBehindLastPage, "There is no page."));
    }
    return array(source, part(rows, from, size), false);
  }

  private Response keyPage(Request request, Source source, List<Row> rows) throws RefusedException {
    int asked = request.number("maxPageSize", rules.maxKeyPageSize, 1, Integer.MAX_VALUE);
    int size = Math.min(asked, rules.maxKeyPageSize);
    long from = offset(request.parameter("pageKey"));
    boolean more = from + size < rows.size();
    // The last page has a key as well: haveMoreData alone says whether another one follows.
    String key = TextNode.valueOf(OFFSET + (from + size)).toString();
    String tail =
        "],\"pageSize\":" + size + ",\"haveMoreData\":" + more + ",\"nextPageKey\":" + key + "}";
    return body("{\"items\":[", part(rows, from, size), tail, source, false);
  }

  private static long offset(Optional<String> pageKey) throws RefusedException {
    if (pageKey.isEmpty()) {
      return 0;
    }
    String digits =
        pageKey.get().startsWith(OFFSET) ? pageKey.get().substring(OFFSET.length()) : "";
    if (!digits.matches("\\d{1,9}")) {
      throw new RefusedException(Response.error(400, "The page key is not valid."));
    }
    return Long.parseLong(digits);
  }

  private static List<Row> part(List<Row> rows, long from, int size) {
    int begin = (int) Math.min(from, rows.size());
    return rows.subList(begin, (int) Math.min((long) begin + size, rows.size()));
  }

  private Response array(Source source, List<Row> rows, boolean everything) {
    return body("[", rows, "]", source, everything);
  }

  private Response body(
      String head, List<Row> rows, String tail, Source source, boolean everything) {
    Body.Rows.Listener listener =
        (shown, whole) -> {
          if (rules.keepsHistory) {
            source
                .location()
                .history()
                .note(source.table().resource(), shown, whole, everything, clock.worldTime());
          }
        };
    return Response.rows(
        new Body.Rows(
            head, rows, tail, row -> source.table().render(row, source.template()), listener));
  }

  /**
   * The data that a request gets to see.
   *
   * @param lag how old the data are: a replica that is behind
   * @param identity the location that {@code /whoami} names, if not the key's own
   * @param firstHalf whether the second half of the rows is missing
   */
  record Reading(Duration lag, Optional<SimulatedLocation> identity, boolean firstHalf) {

    static final Reading PLAIN = new Reading(Duration.ZERO, Optional.empty(), false);

    Reading behind(Duration age) {
      return new Reading(age, identity, firstHalf);
    }

    Reading as(SimulatedLocation other) {
      return new Reading(lag, Optional.of(other), firstHalf);
    }

    Reading withFirstHalf() {
      return new Reading(lag, identity, true);
    }
  }
}
