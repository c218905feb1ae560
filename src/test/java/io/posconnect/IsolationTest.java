package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A store's fault affects no other store. */
class IsolationTest {

  private static final int INTERVAL = 200;

  @AutoClose
  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

  private final Chain chain = Chain.of(service, 20);
  private final String revoked = chain.locations().get(3);
  private final String forbidden = chain.locations().get(7);
  private final String garbage = chain.locations().get(11);
  private final String stalling = chain.locations().get(15);
  private final List<ActiveFault> faults = new ArrayList<>();

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(chain.settings(INTERVAL, "inventory", "products"));
    settings.put("stall.timeout.ms", "1500");
    settings.put("request.timeout.ms", "5000");
    settings.put("errors.fail.after.ms", "1000");
    return settings;
  }

  private void breakFour() {
    service.revoke(Chain.key(revoked));
    chain.location(forbidden).forbid(Permission.REPORTING);
    faults.add(service.faults().everywhere().at(chain.location(garbage)).then(Fault.html()));
    faults.add(service.faults().everywhere().at(chain.location(stalling)).then(Fault.silentBody()));
  }

  private void mendAll() throws Exception {
    service.restore(Chain.key(revoked));
    chain.location(forbidden).permit(Permission.REPORTING);
    for (ActiveFault fault : faults) {
      fault.close();
    }
  }

  private List<String> healthy() {
    return chain.locations().stream()
        .filter(name -> !List.of(revoked, forbidden, garbage, stalling).contains(name))
        .toList();
  }

  /** Waits until each of the healthy ones was read so often from now on. */
  private void awaitReads(DrivenTask run, int reads) {
    service.forgetRequests();
    List<String> stores = healthy().stream().map(name -> chain.location(name).alias()).toList();
    run.until(
        "reads of the healthy ones",
        () ->
            service.requests().stream()
                    .filter(request -> stores.contains(request.location()))
                    .filter(request -> !request.path().equals(Endpoint.WHOAMI))
                    .count()
                >= 2L * reads * stores.size());
  }

  private static Map<String, List<String>> names(DrivenTask run) {
    Map<String, List<String>> names = new TreeMap<>();
    for (SourceRecord record : run.records("chain.products")) {
      Struct value = (Struct) record.value();
      names
          .computeIfAbsent(((Struct) record.key()).getString("location"), any -> new ArrayList<>())
          .add(value.getString("op"));
    }
    return names;
  }

  @Test
  void fourBrokenStoresDelayNoOtherAndResumeLater() throws Exception {
    chain.locations().forEach(name -> chain.location(name).products().generate(5));
    chain.locations().forEach(name -> chain.location(name).inventory().generate(5));
    try (DrivenTask run = DrivenTask.start(settings())) {
      run.until("all rows", () -> run.records("chain.products").size() == 100);
      breakFour();
      awaitReads(run, 15);
      assertThat(run.failure()).isNull();

      for (String name : chain.locations()) {
        SimulatedLocation location = chain.location(name);
        location.products().update(location.products().ids().get(0));
      }
      mendAll();
      List<String> once = List.of("r", "r", "r", "r", "r", "u");
      run.until(
          "each change once",
          () -> names(run).size() == 20 && names(run).values().stream().allMatch(once::equals));
      assertThat(run.failure()).isNull();
    }
  }

  @Test
  void slowBodyBlocksNoOtherStream() {
    for (int stores : new int[] {1, 2}) {
      try (Simulator slow = Simulator.builder().unlimited().withoutHistory().start()) {
        Chain few = Chain.of(slow, stores);
        few.locations().forEach(name -> few.location(name).products().generate(50));
        few.locations().forEach(name -> few.location(name).customers().generate(50));
        few.locations().forEach(name -> few.location(name).inventory().generate(1));
        SimulatedLocation first = few.location("store000");
        slow.faults().on(Endpoint.PRODUCTS).at(first).then(Fault.slowBody(1));
        slow.faults().on(Endpoint.CUSTOMERS).at(first).then(Fault.slowBody(1));
        Map<String, String> settings = few.settings(20, "products", "customers", "inventory");
        settings.put("stall.timeout.ms", "600000");
        try (DrivenTask run = DrivenTask.start(settings)) {
          run.until(
              "reads",
              () ->
                  few.locations().stream().allMatch(name -> reads(slow, few.location(name)) > 20));
          // None of the slow ones has ended, and each stream has one request under way.
          for (String path : List.of(Endpoint.PRODUCTS, Endpoint.CUSTOMERS)) {
            assertThat(slow.requests(path))
                .filteredOn(request -> request.location().equals(first.alias()))
                .hasSize(1)
                .noneMatch(LoggedRequest::finished);
          }
          assertThat(run.failure()).isNull();
        }
      }
    }
  }

  private static long reads(Simulator service, SimulatedLocation location) {
    return service.requests(Endpoint.INVENTORY).stream()
        .filter(request -> request.location().equals(location.alias()) && request.whole())
        .count();
  }

  @Test
  void failsTaskWithAllReasonsWhenAllStreamsAreRefused() {
    Map<String, String> settings = settings();
    settings.put("errors.fail.after.ms", "3000");
    chain.locations().forEach(name -> chain.location(name).products().generate(1));
    try (DrivenTask run = DrivenTask.start(settings)) {
      run.until("requests", () -> service.requests("/products").size() > 100);
      chain.locations().stream().skip(1).forEach(name -> service.revoke(Chain.key(name)));
      service.forgetRequests();
      run.until("requests", () -> service.requests("/products").size() > 25);
      assertThat(run.failure()).as("one store is still well").isNull();
      service.revoke(Chain.key(chain.locations().get(0)));
      assertThat(run.death())
          .hasMessageContaining("errors.fail.after.ms")
          .hasMessageContaining("POS-201 store000: GET ")
          .hasMessageContaining("401")
          .hasMessageContaining("more");
      chain
          .locations()
          .forEach(name -> assertThat(run.failure().toString()).doesNotContain(Chain.key(name)));
    }
  }

  @Test
  void keepsTaskRunningForeverByDefault() throws InterruptedException {
    Map<String, String> settings = settings();
    settings.remove("errors.fail.after.ms");
    int locations = chain.locations().size();
    chain.locations().forEach(name -> chain.location(name).products().generate(1));
    chain.locations().forEach(name -> service.revoke(Chain.key(name)));
    try (DrivenTask run = DrivenTask.start(settings)) {
      run.until("requests", () -> service.requests("/whoami").size() >= 4 * locations);
      assertThat(run.failure()).as("all its streams are refused").isNull();
      chain.locations().forEach(name -> service.restore(Chain.key(name)));
      service.forgetRequests();
      run.until("requests", () -> service.requests("/products").size() >= locations);
      assertThat(run.failure()).isNull();
    }
  }
}
