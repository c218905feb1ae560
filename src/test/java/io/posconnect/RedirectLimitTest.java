package io.posconnect;

import static io.posconnect.simulator.Endpoint.INVENTORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A redirect costs a second request, and both count. */
class RedirectLimitTest {

  private static final int PER_MINUTE = 600;

  @Test
  void chargesRedirectsToTheLimitOfTheirPath() {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      Chain chain = Chain.of(service, 1);
      chain.location("store000").inventory().generate(3);
      service
          .faults()
          .on(INVENTORY)
          .then(Fault.redirect(service.baseUrl().resolve(Endpoint.PRODUCTS)));
      chain.location("store000").products().generate(3);
      Map<String, String> settings = chain.settings(1, "inventory");
      settings.put("rate.limit.share", "1");
      settings.put("resources.inventory.requests.per.minute", Integer.toString(PER_MINUTE));
      settings.put("resources.inventory.key.fields", "productId");
      settings.put(
          "resources.inventory.schema",
          "{\"type\":\"record\",\"name\":\"R\",\"fields\":["
              + "{\"name\":\"productId\",\"type\":\"long\"}]}");
      try (DrivenTask run = DrivenTask.start(settings)) {
        await().atMost(Duration.ofSeconds(30)).until(() -> requests(service).size() > 40);
        assertThat(run.records("chain.inventory")).hasSize(3);
        assertThat(run.failure()).isNull();
        List<LoggedRequest> requests = requests(service);
        assertThat(requests).filteredOn(r -> r.path().equals(INVENTORY)).hasSizeGreaterThan(15);
        long nanos = requests.get(requests.size() - 1).nanos() - requests.get(0).nanos();
        long allowed = nanos * PER_MINUTE / Duration.ofMinutes(1).toNanos();
        // Threads wake up late, and the service may be late to hear of the first.
        assertThat(requests.size()).isLessThanOrEqualTo((int) allowed + 3);
      }
    }
  }

  /** Those of the path that was asked for, and of the one that it leads to. */
  private static List<LoggedRequest> requests(Simulator service) {
    return service.requests().stream()
        .filter(request -> !request.path().equals(Endpoint.WHOAMI))
        .toList();
  }
}
