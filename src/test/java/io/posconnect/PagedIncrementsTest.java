package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Endpoint.Style;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Changes since a time that the service serves in pages: each one arrives once. */
class PagedIncrementsTest {

  private static final String PATH = "/products/paged";
  private static final int ROWS = 250;

  @Test
  void everyChangeArrivesOnceThroughPages() {
    try (Simulator service =
        Simulator.builder()
            .unlimited()
            .endpoint(
                new Endpoint(PATH, "products", Style.MODIFIED_PAGES, Optional.empty(), 1_000_000))
            .start()) {
      Table table = service.location().products();
      table.generate(ROWS);
      Map<String, String> settings =
          DrivenTask.props(service, "products")
              .with("resources.products.path", PATH)
              .with("resources.products.snapshot", "pages")
              .with("resources.products.increments", "pages")
              .with("resources.products.page.size", "20")
              .map();
      try (DrivenTask task = DrivenTask.start(settings)) {
        task.until("the snapshot", () -> task.folded().size() == ROWS);
        task.fetches(3);
        table.ids().stream().filter(id -> id % 3 == 0).forEach(table::update);
        table.generate(70);
        task.rows(table);
        task.fetches(3);

        assertThat(task.events()).hasSize(ROWS + ROWS / 3 + 70);
      }
      List<LoggedRequest> requests = service.requests(PATH);
      assertThat(requests)
          .filteredOn(request -> request.query().contains("fromLastModifiedDateUTC="))
          .allSatisfy(request -> assertThat(request.query()).contains("PageNumber=", "&PageSize="))
          .anySatisfy(request -> assertThat(request.query()).contains("PageNumber=5&"));
    }
  }
}
