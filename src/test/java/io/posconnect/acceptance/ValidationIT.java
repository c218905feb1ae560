package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each fault of a configuration is reported before it runs, on its own setting, within ten seconds.
 */
@ExtendWith(SharedCluster.class)
class ValidationIT {

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String CONNECTOR = "io.posconnect.PosSourceConnector";
  private static final String STRANGER = " does not answer there as the service does; ";
  private static final String AIRPORT_KEY = "locations.airport.api.key";

  private final Simulator service = Simulator.start();
  private final SimulatedLocation downtown = service.location("downtowns-key");
  private final SimulatedLocation airport = service.location("airports-key");

  @BeforeEach
  void fill() {
    service.fill(downtown, InitialRows.SMALL);
    service.fill(airport, InitialRows.SMALL);
  }

  @AfterEach
  void close() {
    service.close();
  }

  /** A configuration that is right, but for these settings; null takes one away. */
  private Map<String, String> settings(String... others) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("base.url", service.baseUrl().toString());
    settings.put("topic.prefix", "validated");
    settings.put("locations", "downtown,airport");
    settings.put("locations.downtown.api.key", "downtowns-key");
    settings.put(AIRPORT_KEY, "airports-key");
    for (int i = 0; i < others.length; i += 2) {
      settings.put(others[i], others[i + 1]);
    }
    settings.values().removeIf(String::isEmpty);
    return settings;
  }

  private static Map<String, List<String>> faults(Cluster cluster, Map<String, String> settings) {
    long begin = System.nanoTime();
    Map<String, List<String>> faults = cluster.connect().validate(CONNECTOR, settings);
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    assertThat(took).as("time to answer %s", faults).isLessThan(LIMIT);
    return faults;
  }

  private static void assertFault(
      Cluster cluster, Map<String, String> settings, String setting, String... words) {
    Map<String, List<String>> faults = faults(cluster, settings);
    assertThat(faults).containsOnlyKeys(setting);
    assertThat(String.join("\n", faults.get(setting))).contains(words);
  }

  @Test
  void aGoodConfigurationHasNoFault(Cluster cluster) {
    assertThat(faults(cluster, settings())).isEmpty();
  }

  @Test
  void aHostThatCannotBeReached(Cluster cluster) throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    assertFault(cluster, settings("base.url", "http://127.0.0.1:" + closed), "base.url", STRANGER);
    assertFault(
        cluster, settings("base.url", "https://no-such-host.invalid"), "base.url", STRANGER);
  }

  @Test
  void aHostThatSwallowsEverything(Cluster cluster) throws IOException {
    try (ServerSocket hole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertFault(
          cluster,
          settings("base.url", "http://127.0.0.1:" + hole.getLocalPort()),
          "base.url",
          STRANGER);
    }
  }

  @Test
  void aServiceWhoseCertificateIsNotTrusted(Cluster cluster, @TempDir Path folder)
      throws Exception {
    Certificates certificates = new Certificates(folder, "unseen-password");
    try (Simulator secure = Simulator.builder().tls(certificates.context(), false).start()) {
      secure.location("downtowns-key");
      assertFault(
          cluster,
          settings("base.url", secure.baseUrl().toString()),
          "base.url",
          STRANGER,
          "ssl. settings");
    }
  }

  @Test
  void somebodyElseThanTheService(Cluster cluster) throws IOException {
    try (ServerSocket shell = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread banner = new Thread(() -> greet(shell));
      banner.start();
      assertFault(
          cluster,
          settings("base.url", "http://127.0.0.1:" + shell.getLocalPort()),
          "base.url",
          STRANGER);
    }
    service.faults().on("/whoami").times(2).then(Fault.html());
    assertFault(cluster, settings(), "base.url", STRANGER);
    assertFault(
        cluster, settings("base.url", service.baseUrl() + "/elsewhere"), "base.url", STRANGER);
  }

  private static void greet(ServerSocket shell) {
    while (!shell.isClosed()) {
      try (Socket caller = shell.accept()) {
        caller.getOutputStream().write("SSH-2.0-OpenSSH_9.6\r\n".getBytes(US_ASCII));
      } catch (IOException e) {
        // Closed, or the caller left.
      }
    }
  }

  @Test
  void aKeyThatTheServiceDoesNotKnow(Cluster cluster) {
    assertFault(
        cluster,
        settings(AIRPORT_KEY, "unheard-of"),
        AIRPORT_KEY,
        "key of location airport is refused",
        "401");
  }

  @Test
  void eachPermissionThatIsMissingByLocationAndResource(Cluster cluster) {
    airport.forbid(Permission.REPORTING);
    airport.forbid(Permission.CUSTOMER);
    assertFault(
        cluster,
        settings(),
        AIRPORT_KEY,
        "key of location airport lacks Reporting, needed by inventory",
        "lacks Reporting, needed by register-transactions",
        "lacks Customer, needed by customers");
  }

  @Test
  void aResourceThatNobodyKnows(Cluster cluster) {
    assertFault(cluster, settings("resources", "products,prodcuts"), "resources", "prodcuts");
  }

  @Test
  void keyFieldsThatNoRowHas(Cluster cluster) {
    downtown.products().create();
    String keyFields = "resources.products.key.fields";
    String schema =
        "{\"type\":\"record\",\"name\":\"P\",\"fields\":"
            + "[{\"name\":\"productNumber\",\"type\":\"long\"}]}";
    assertFault(
        cluster,
        settings(keyFields, "productNumber", "resources.products.schema", schema),
        keyFields,
        "key fields absent in a sample row of products: productNumber");
    assertFault(
        cluster,
        settings(keyFields, "productNumber"),
        keyFields,
        "the schema lacks the key field productNumber");
  }

  @Test
  void aSchemaThatDoesNotParseOrLacksTheKey(Cluster cluster) {
    String setting = "resources.products.schema";
    assertThat(faults(cluster, settings(setting, "{\"type\":"))).containsOnlyKeys(setting);
    assertFault(
        cluster,
        settings(
            setting,
            "{\"type\":\"record\",\"name\":\"P\",\"fields\":"
                + "[{\"name\":\"price\",\"type\":[\"null\",\"string\"]}]}"),
        setting,
        "the schema lacks the key field productId");
    assertFault(
        cluster,
        settings(
            "validate.connection",
            "false",
            setting,
            "{\"type\":\"record\",\"name\":\"P\",\"fields\":"
                + "[{\"name\":\"productId\",\"type\":\"double\"}]}"),
        setting,
        "has a type that cannot identify a row");
  }

  @Test
  void settingsThatContradictEachOther(Cluster cluster) {
    assertFault(
        cluster,
        settings("location.name", "uptown"),
        "location.name",
        "POS-105",
        "locations",
        "remove");
    assertFault(cluster, settings(AIRPORT_KEY, "downtowns-key"), AIRPORT_KEY, "is the same key as");
    assertFault(cluster, settings(AIRPORT_KEY, ""), AIRPORT_KEY, "location airport has no key");
    assertFault(
        cluster,
        settings("locations.airprt.lookback.ms", "1"),
        "locations.airprt.lookback.ms",
        "there is no location airprt");
  }

  @Test
  void nothingThatValidationAnswersHoldsAKey(Cluster cluster) {
    assertThat(faults(cluster, settings(AIRPORT_KEY, "unheard-of")).toString())
        .doesNotContain("unheard-of", "downtowns-key");
  }

  @Test
  void validationLeavesRoomInTheLimit(Cluster cluster) {
    faults(cluster, settings());
    assertThat(service.requests())
        .as("one look at each stream and one at each identity")
        .hasSize(2 * 5);
  }
}
