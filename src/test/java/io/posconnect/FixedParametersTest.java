package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fixed parameters stand in every request of a stream, and another one reads all once more. */
class FixedParametersTest {

  private static final int ROWS = 250;

  @AutoClose
  private final Simulator service =
      Simulator.builder()
          .unlimited()
          .withoutHistory()
          .detailsFor("IncludeDetail", "items", "images", "tags")
          .start();

  private final Chain chain = Chain.of(service, 1);
  @AutoClose private final TaskLog log = TaskLog.listen();
  @AutoClose private DrivenTask run;

  private void run(String resource, String scope, String parameters) {
    Map<String, String> settings = new TreeMap<>(chain.settings(50, resource));
    settings.put("checkpoint.interval.ms", "0");
    settings.put("resources.customers.snapshot", "pages");
    if (!parameters.isEmpty()) {
      settings.put(scope + ".parameters", parameters);
    }
    if (run != null) {
      run.close();
      assertThat(run.failure()).isNull();
    }
    run = run == null ? DrivenTask.start(settings) : run.restart(settings);
  }

  private void awaitReads(String path) {
    int reads = service.requests(path).size();
    run.until("reads", () -> service.requests(path).size() > reads + 3);
  }

  @ParameterizedTest
  @CsvSource({
    "products, images, /products, resources.products",
    "register-transactions, items, /reporting/register-transactions, locations.store000",
  })
  void detailsArriveWithTheirFlagAndEachRowComesOnceMore(
      String resource, String field, String path, String scope) {
    Table table = chain.location("store000").table(resource);
    table.generate(ROWS);
    run(resource, scope, "");
    run.until("all rows", () -> run.operations("chain." + resource).size() == ROWS);
    awaitReads(path);
    assertThat(details(resource, field)).isEmpty();

    run(resource, scope, "IncludeDetail=true, mark=87654-planted");
    run.until("all rows", () -> run.operations("chain." + resource).size() == ROWS);
    awaitReads(path);
    assertThat(run.operations("chain." + resource)).hasSize(ROWS).containsOnly("r");
    assertThat(details(resource, field)).isNotEmpty();
    assertThat(log.text())
        .contains("POS-606", " with IncludeDetail,mark ")
        .doesNotContain("87654-planted");
    assertThat(run.offsets().toString()).doesNotContain("87654-planted");

    table.update(table.ids().get(0));
    run.until("the update", () -> run.operations("chain." + resource).contains("u"));
    assertThat(run.operations("chain." + resource)).hasSize(ROWS + 1);
    assertThat(service.requests(path))
        .filteredOn(request -> request.query().contains("IncludeDetail=true"))
        .allSatisfy(request -> assertThat(request.query()).contains("mark=87654-planted"));
  }

  private List<Struct> details(String resource, String field) {
    return run.values("chain." + resource).stream()
        .filter(each -> each.get("after").toString().contains(field))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(Endpoint.CUSTOMERS_PAGINATED)
  void everyPageCarriesThem(String path) {
    chain.location("store000").customers().generate(ROWS);
    run("customers", "resources.customers", "IncludeDetail=true");
    run.until("all rows", () -> run.operations("chain.customers").size() == ROWS);
    assertThat(service.requests(path))
        .hasSizeGreaterThan(2)
        .allSatisfy(request -> assertThat(request.query()).endsWith("&IncludeDetail=true"));
  }

  /** Rows change while they are read once more, and the task stops three times meanwhile. */
  @ParameterizedTest
  @CsvSource({"products, resources.products", "customers, locations.store000"})
  void changedParameterEmitsEachRowOnceMoreUnderChurnAndRestarts(String resource, String scope) {
    Table table = chain.location("store000").table(resource);
    int rows = 4 * ROWS;
    table.generate(rows);
    run(resource, scope, "IncludeDetail=true");
    run.until("all rows", () -> run.operations("chain." + resource).size() == rows);

    run(resource, scope, "IncludeDetail=false");
    for (int stop = 1; stop <= 3; stop++) {
      int wanted = stop * rows / 4;
      run.until("a part of them", () -> run.operations("chain." + resource).size() >= wanted);
      table.ids().stream().skip(stop * 7L).limit(20).forEach(table::update);
      run.restart();
    }
    run.rows(table);

    List<DrivenTask.Event> read =
        run.events().stream().filter(event -> event.op().equals("r")).toList();
    assertThat(read).extracting(DrivenTask.Event::id).hasSize(rows).doesNotHaveDuplicates();
    assertThat(run.operations("chain." + resource)).containsOnly("r", "u");
  }
}
