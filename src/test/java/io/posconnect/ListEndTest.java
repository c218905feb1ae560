package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.Props;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.SimulatorBuilder;
import io.posconnect.simulator.Table;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a list of numbered pages ends, whatever the service answers behind its last page. */
final class ListEndTest {

  private static Props props(Simulator service) {
    return DrivenTask.props(service, SimulatedLocation.CUSTOMERS)
        .with("resources.customers.path", Endpoint.CUSTOMERS_PAGINATED)
        .with("resources.customers.retrieval", "pages")
        .with("retry.backoff.ms", "20")
        .with("retry.backoff.max.ms", "20");
  }

  private static SimulatorBuilder behind(int status) {
    return Simulator.builder().unlimited().refusesBehindLastPage(status);
  }

  private static void assertFollows(Simulator service, int customers) {
    Table table = service.location().customers();
    table.generate(customers);
    try (DrivenTask task = DrivenTask.start(props(service).map())) {
      task.rows(table);
      task.fetches(3);
      table.create();
      if (customers > 0) {
        table.delete(table.ids().get(0));
      }
      task.rows(table);
      assertThat(task.statuses("SUSPENDED")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 200", "40, 200", "99, 200", "100, 200",
    "101, 200", "200, 200", "0, 404", "40, 404",
    "99, 404", "100, 404", "101, 404", "200, 404",
    "0, 400", "40, 400", "99, 400", "101, 400",
    "40, 410", "40, 413", "40, 416", "40, 422",
  })
  void readsWholeListWithAnyAnswerBehindIt(int customers, int behind) {
    try (Simulator service = behind(behind).start()) {
      assertFollows(service, customers);
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 400", "200, 413", "200, 422"})
  void suspendsWhereFullPageIsFollowedByRefusal(int customers, int behind) {
    try (Simulator service = behind(behind).start()) {
      service.location().customers().generate(customers);
      try (DrivenTask task = DrivenTask.start(props(service).map())) {
        task.until("the suspension", () -> !task.statuses("SUSPENDED").isEmpty());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"40, 200", "50, 200", "51, 404", "100, 404", "130, 400", "100, 200"})
  void readsWholeListOfServiceThatCapsPages(int customers, int behind) {
    try (Simulator service = behind(behind).servesPagesOf(50).start()) {
      assertFollows(service, customers);
    }
  }
}
