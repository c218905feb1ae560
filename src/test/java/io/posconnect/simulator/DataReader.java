package io.posconnect.simulator;

import static io.posconnect.simulator.Parameters.FROM;
import static io.posconnect.simulator.Parameters.TO;
import static io.posconnect.simulator.Parameters.number;
import static io.posconnect.simulator.Parameters.timestamp;

import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Turns an allowed call into the data it asked for. */
final class DataReader {

  private static final String OFFSET = "offset:";

  private final ReadingRules rules;
  private final ServerClock clock;
  private final boolean keepsHistory;

  DataReader(ReadingRules rules, ServerClock clock, boolean keepsHistory) {
    this.rules = rules;
    this.clock = clock;
    this.keepsHistory = keepsHistory;
  }

  Response read(Call call, Endpoint endpoint, Store owner, Reading reading)
      throws RefusedException {
    Store store =
        endpoint.style() == Endpoint.Style.OBJECT ? reading.identity().orElse(owner) : owner;
    Table table = store.table(endpoint.resource());
    List<RowState> rows =
        Arrays.asList(
            reading.lag().isZero()
                ? table.rows()
                : table.asOf(clock.worldTime().minus(reading.lag())));
    return switch (endpoint.style()) {
      case FULL -> array(store, table, rows, true);
      case MODIFIED_SINCE -> since(call, store, table, rows);
      case DATE_RANGE -> range(call, store, table, rows);
      case PAGES -> page(call, store, table, rows);
      case KEYS -> keyPage(call, store, table, rows, reading);
      case OBJECT -> body("", rows.subList(0, 1), "", store, table, true);
    };
  }

  private Response since(Call call, Store store, Table table, List<RowState> rows)
      throws RefusedException {
    Optional<Instant> from = timestamp(call, FROM);
    return array(store, table, between(rows, from, Optional.empty()), from.isEmpty());
  }

  private Response range(Call call, Store store, Table table, List<RowState> rows)
      throws RefusedException {
    Optional<Instant> from = timestamp(call, FROM);
    Optional<Instant> to = timestamp(call, TO);
    boolean needed = rules.datesRequired();
    if (from.isEmpty() && (needed || rules.maxSpan().isPresent())) {
      throw new RefusedException(Answers.invalid(FROM, "The field is required."));
    }
    if (to.isEmpty() && needed) {
      throw new RefusedException(Answers.invalid(TO, "The field is required."));
    }
    if (rules.maxSpan().isPresent()) {
      Duration most = rules.maxSpan().get();
      if (Duration.between(from.orElseThrow(), to.orElse(clock.now())).compareTo(most) > 0) {
        throw new RefusedException(
            Answers.error(400, "The date range must not exceed " + most.toHours() + " hours."));
      }
    }
    return array(store, table, between(rows, from, to), from.isEmpty() && to.isEmpty());
  }

  private List<RowState> between(
      List<RowState> rows, Optional<Instant> from, Optional<Instant> to) {
    if (from.isEmpty() && to.isEmpty()) {
      return rows;
    }
    return rows.stream()
        .filter(row -> from.isEmpty() || isIn(row, from.get(), rules.fromInclusive(), 1))
        .filter(row -> to.isEmpty() || isIn(row, to.get(), rules.toInclusive(), -1))
        .toList();
  }

  private static boolean isIn(RowState row, Instant bound, boolean inclusive, int side) {
    int order = Instant.ofEpochMilli(row.modified()).compareTo(bound);
    return order == 0 ? inclusive : Integer.signum(order) == side;
  }

  private Response page(Call call, Store store, Table table, List<RowState> rows)
      throws RefusedException {
    int number =
        number(call, "PageNumber", rules.firstPage(), rules.firstPage(), Integer.MAX_VALUE);
    int size = number(call, "PageSize", rules.maxPageSize(), 1, rules.maxPageSize());
    long from = (long) (number - rules.firstPage()) * size;
    return array(store, table, slice(rows, from, size), false);
  }

  private Response keyPage(
      Call call, Store store, Table table, List<RowState> rows, Reading reading)
      throws RefusedException {
    int asked = number(call, "maxPageSize", rules.maxKeyPageSize(), 1, Integer.MAX_VALUE);
    int size = Math.min(asked, rules.maxKeyPageSize());
    String prefix = reading.pageKeyPrefix() + OFFSET;
    long from = offset(call.parameter("pageKey"), prefix);
    boolean more = reading.samePageKey() || from + size < rows.size();
    long next = reading.samePageKey() ? size : from + size;
    String key = more ? TextNode.valueOf(prefix + next).toString() : "null";
    String tail =
        "],\"pageSize\":" + size + ",\"haveMoreData\":" + more + ",\"nextPageKey\":" + key + "}";
    return body("{\"items\":[", slice(rows, from, size), tail, store, table, false);
  }

  private static long offset(Optional<String> pageKey, String prefix) throws RefusedException {
    if (pageKey.isEmpty()) {
      return 0;
    }
    String digits =
        pageKey.get().startsWith(prefix) ? pageKey.get().substring(prefix.length()) : "";
    if (!digits.matches("\\d{1,9}")) {
      throw new RefusedException(Answers.error(400, "The page key is not valid."));
    }
    return Long.parseLong(digits);
  }

  private static List<RowState> slice(List<RowState> rows, long from, int size) {
    int begin = (int) Math.min(from, rows.size());
    return rows.subList(begin, (int) Math.min((long) begin + size, rows.size()));
  }

  private Response array(Store store, Table table, List<RowState> rows, boolean everything) {
    return body("[", rows, "]", store, table, everything);
  }

  private Response body(
      String head, List<RowState> rows, String tail, Store store, Table table, boolean everything) {
    RowsBody.Audience audience =
        (shown, whole) -> {
          if (keepsHistory) {
            store.history().note(table.resource(), shown, whole, everything, clock.worldTime());
          }
        };
    return Response.rows(new RowsBody(head, rows, tail, table.template(), audience));
  }
}
