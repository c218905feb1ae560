package io.posconnect.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SimulatorTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @Test
  void knowsNothingOfTheConnector() {
    JavaClasses simulator = new ClassFileImporter().importPackages("io.posconnect.simulator");
    classes()
        .that()
        .haveSimpleNameNotEndingWith("Test")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.posconnect.simulator", "java..", "javax.net..", "com.fasterxml..", "")
        .because("a simulator that shares the connector's catalog shares its errors")
        .check(simulator);
  }

  @Test
  void printsItsAddressAndChangesRows() {
    Simulation.Options options =
        new Simulation.Options("127.0.0.1", 0, List.of("a", "b"), 200, 0, 1);
    try (Simulation running = Simulation.start(out::println, options)) {
      String first = printed.toString(StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
      assertThat(first).isEqualTo("base.url=" + running.service().baseUrl() + " api.key=a,b");
      SimulatedLocation location = running.service().location("b");
      int before = location.registerTransactions().size();
      await().until(() -> location.registerTransactions().size() > before);
    }
  }

  @Test
  void logsRequestsAndAnswers() throws Exception {
    try (Simulator service = Simulator.start()) {
      service.location().products().generate(5);
      String body = Client.of(service).get(Endpoint.PRODUCTS + "?a=b%20c").body();
      assertThat(service.requests())
          .singleElement()
          .satisfies(
              request -> {
                assertThat(request.method()).isEqualTo("GET");
                assertThat(request.path()).isEqualTo("/products");
                assertThat(request.query()).isEqualTo("a=b%20c");
                assertThat(request.location()).isEqualTo("location-1");
                assertThat(request.userAgent()).startsWith("Java-http-client");
                assertThat(request.status()).isEqualTo(200);
                assertThat(request.rows()).isEqualTo(5);
                assertThat(request.bytes()).isEqualTo(body.getBytes(StandardCharsets.UTF_8).length);
                assertThat(request.whole()).isTrue();
              });
    }
  }

  @Test
  void neverShowsAKey() throws Exception {
    try (Simulator service = Simulator.start()) {
      service.location("very-secret");
      new Client(service, "very-secret").get(Endpoint.WHOAMI);
      new Client(service, "wrong-secret").get(Endpoint.WHOAMI);
      assertThat(service.requests())
          .extracting(LoggedRequest::location)
          .containsExactly("location-1", "");
      assertThat(service.requests().toString() + service.location("very-secret") + service)
          .doesNotContain("secret");
    }
  }

  @Test
  void everyRequestFailsInOneWayWhenAllAreToFail() throws Exception {
    Simulation.Options options = new Simulation.Options("127.0.0.1", 0, List.of(), 0, 1, 7);
    Set<String> ways = new TreeSet<>();
    try (Simulation simulation = Simulation.start(line -> {}, options)) {
      Client client = Client.of(simulation.service());
      for (int request = 0; request < 60; request++) {
        ways.add(way(client));
      }
    }
    assertThat(ways).containsExactly("429", "503", "broken off");
  }

  private static String way(Client client) throws InterruptedException {
    try {
      return Integer.toString(client.status(Endpoint.PRODUCTS));
    } catch (IOException e) {
      return "broken off";
    }
  }
}
