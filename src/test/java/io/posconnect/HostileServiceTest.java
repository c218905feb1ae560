package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A hostile answer is a logged error of its stream and does not end the task. An endless body is
 * read up to a limit: the process of a test has a gigabyte.
 */
class HostileServiceTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final long MIB = 1 << 20;
  private static final String MARK = "rowmark-77";
  private static final String WELL = "well";
  private static final String LOYALTY = "loyalty-transactions";
  private static final String STRING_KEY =
      "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"sku\",\"type\":\"string\"}]}";
  private static final List<String> SNAPSHOT = List.of("r", "r", "r");

  private final Simulator service =
      Simulator.builder().unlimited().withoutHistory().maxKeyPageSize(2).start();
  private final Simulator elsewhere = Simulator.start();
  private final TaskLog log = TaskLog.listen();

  @AfterEach
  void close() {
    service.close();
    elsewhere.close();
    log.close();
  }

  /**
   * @param message that the operator reads
   * @param faults act one after the other on each answer
   */
  private record Hostility(String message, List<Fault> faults) {}

  private static Hostility hostility(String message, Fault... faults) {
    return new Hostility(message, List.of(faults));
  }

  /** By the location that meets it. */
  private Map<String, Hostility> hostilities() {
    Map<String, Hostility> all = new LinkedHashMap<>();
    String row = "exceeds the limit of 33554432 bytes of one row";
    String blanks = "exceeds the limit of 900000 bytes of blanks";
    all.put("nested-in-a-row", hostility(row, Fault.endless("[{\"a\":", "[")));
    all.put("string", hostility(row, Fault.endless("[{\"a\":\"", "x")));
    all.put("digits", hostility(row, Fault.endless("[{\"a\":", "9")));
    all.put("name", hostility(row, Fault.endless("[{\"", "n")));
    all.put("row", hostility(row, Fault.endless("[{\"a\":[", "1,")));
    all.put("blanks", hostility(blanks, Fault.endless("[", " ")));
    all.put("bomb", hostility(blanks, Fault.endless("[", " "), Fault.gzip()));
    all.put("announced", hostility("4294967296 bytes of a body", Fault.announcing(10_240 * MIB)));
    all.put("header", hostility("broke off", Fault.header("X-Long", "x".repeat((int) MIB))));
    all.put("gzip", hostility("truncated or garbled", Fault.header("Content-Encoding", "gzip")));
    all.put("coding", hostility("content encoding", Fault.header("Content-Encoding", MARK + "!")));
    all.put("utf-16", hostility("is not in UTF-8", Fault.json("\0[\0]")));
    all.put("charset", hostility("instead of UTF-8", Fault.contentType("text/json;charset=x")));
    all.put(
        "redirect",
        hostility(
            "where the key is not sent",
            Fault.redirect(elsewhere.baseUrl().resolve(Endpoint.INVENTORY))));
    all.put(
        "file", hostility("redirect to nowhere", Fault.redirect(URI.create("file:///etc/passwd"))));
    all.put("html", hostility("is text/html instead of JSON", Fault.html()));
    all.put("empty", hostility("is empty", Fault.emptyBody()));
    all.put("quoted", hostility("is not JSON", Fault.json("[{\"a\":\"" + MARK + "\",,}]")));
    all.put("reset", hostility("broke off", Fault.resetBody()));
    return all;
  }

  @Test
  void reportsHostileAnswerForItsStreamWhichThenResumes() throws Exception {
    Map<String, Hostility> hostilities = hostilities();
    List<String> locations = new ArrayList<>(hostilities.keySet());
    locations.add(WELL);
    Chain chain = new Chain(service, locations);
    chain.locations().forEach(name -> chain.location(name).inventory().generate(3));
    List<ActiveFault> active = new ArrayList<>();
    hostilities.forEach(
        (name, hostility) -> active.addAll(inForce(chain.location(name), hostility)));
    try (DrivenTask run = DrivenTask.start(chain.settings(300, "inventory"))) {
      hostilities.forEach(
          (name, hostility) ->
              await(name).atMost(SOON).until(() -> isLogged(name, hostility.message())));
      chain.location(WELL).inventory().update(chain.location(WELL).inventory().ids().get(0));
      List<String> updated = List.of("r", "r", "r", "u");
      await().atMost(SOON).until(() -> operations(run, "inventory").containsValue(updated));

      assertThat(run.failure()).isNull();
      log.lines().forEach(Messages::assertExplained);
      // Rows that came before the connection was reset are true, and stay.
      assertThat(operations(run, "inventory").keySet()).isSubsetOf(WELL, "reset");
      assertThat(elsewhere.requests()).isEmpty();
      assertThat(service.requests(Endpoint.INVENTORY)).allMatch(r -> r.bytes() < 40 * MIB);
      assertThat(log.text() + beans()).doesNotContain(MARK, Chain.key("redirect"), "passwd");

      active.forEach(ActiveFault::close);
      Map<String, List<String>> healed = new TreeMap<>();
      chain.locations().forEach(name -> healed.put(name, name.equals(WELL) ? updated : SNAPSHOT));
      await().atMost(SOON).until(() -> operations(run, "inventory").equals(healed));
      service.forgetRequests();
      await().atMost(SOON).until(() -> chain.locations().stream().allMatch(n -> reads(chain, n)));
      assertThat(operations(run, "inventory")).as("once").isEqualTo(healed);
      assertThat(run.failure()).isNull();
    }
  }

  private List<ActiveFault> inForce(SimulatedLocation location, Hostility hostility) {
    return hostility.faults().stream()
        .map(fault -> service.faults().on(Endpoint.INVENTORY).at(location).then(fault))
        .toList();
  }

  /** Returns whether the log reports it for that location's stream. */
  private boolean isLogged(String location, String what) {
    return log.lines().stream()
        .anyMatch(
            line -> line.contains(" " + location + "/inventory: GET /") && line.contains(what));
  }

  /** Whether it was read twice since the requests were forgotten. */
  private boolean reads(Chain chain, String location) {
    String alias = chain.location(location).alias();
    return service.requests(Endpoint.INVENTORY).stream()
            .filter(request -> request.location().equals(alias) && request.whole())
            .count()
        >= 2;
  }

  private static Map<String, List<String>> operations(DrivenTask run, String resource) {
    Map<String, List<String>> operations = new TreeMap<>();
    for (SourceRecord record : run.records("chain." + resource)) {
      operations
          .computeIfAbsent(((Struct) record.key()).getString("location"), any -> new ArrayList<>())
          .add(((Struct) record.value()).getString("op"));
    }
    return operations;
  }

  /** Every attribute of our own beans, as an operator's tools read them. */
  private static String beans() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StringBuilder text = new StringBuilder();
    for (ObjectName name : server.queryNames(new ObjectName("kafka.connect.pos:*"), null)) {
      text.append(name).append('\n');
      for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
        text.append(server.getAttribute(name, attribute.getName())).append('\n');
      }
    }
    assertThat(text).contains("redirect");
    return text.toString();
  }

  @Test
  void keepsHugeNumberAsText() {
    Chain chain = Chain.of(service, 1);
    chain.location("store000").products().create();
    service
        .faults()
        .on(Endpoint.PRODUCTS)
        .then(
            Fault.json(
                "[{\"productId\":1e999999999,\"price\":1},"
                    + "{\"productId\":1,\"price\":1e999999999,\"other\":-1e999999999}]"));
    try (DrivenTask run = DrivenTask.start(chain.settings(200, "products"))) {
      await().atMost(SOON).until(() -> !run.records("chain.products").isEmpty());
      Struct after = ((Struct) run.records("chain.products").get(0).value()).getStruct("after");
      assertThat(after.get("price")).isNull();
      assertThat(after.getString("extra")).contains(":1e999999999").contains(":-1e999999999");
      assertThat(run.records("chain.dead-letters")).hasSize(1);
      assertThat(run.failure()).isNull();
    }
  }

  /** Unreadable rows, each between two good ones. */
  private static List<String> brokenRows() {
    return List.of(
        "[".repeat(5_000) + "]".repeat(5_000),
        "{\"inventoryId\":7,\"a\":" + "9".repeat(5_000) + "}",
        "{\"inventoryId\":8,\"" + "n".repeat(5_000) + "\":1}",
        "{\"inventoryId\":9,\"a\":\"" + "x".repeat(2_000_000) + "\"}",
        "{\"inventoryId\":10" + ",\"a\":1".repeat(120_000) + "}",
        "{\"inventoryId\":11,\"a\":[" + "1,".repeat(120_000) + "1]}");
  }

  @Test
  void emitsUnreadableRowAsDeadLetterBesideOthers() {
    Chain chain = Chain.of(service, 1);
    chain.location("store000").inventory().create();
    StringBuilder body = new StringBuilder("[");
    int id = 100;
    for (String broken : brokenRows()) {
      body.append("{\"inventoryId\":").append(id++).append("},").append(broken).append(',');
    }
    body.append("{\"inventoryId\":").append(id).append(",\"\\ud800\":1}]");
    service.faults().on(Endpoint.INVENTORY).then(Fault.json(body.toString()));
    try (DrivenTask run = DrivenTask.start(chain.settings(20, "inventory"))) {
      run.fetches(3);
      assertThat(operations(run, "inventory").get("store000"))
          .isEqualTo(Collections.nCopies(brokenRows().size() + 1, "r"));
      List<SourceRecord> letters = run.records("chain.dead-letters");
      assertThat(letters)
          .as("each emitted once")
          .extracting(letter -> ((Struct) letter.value()).getInt64("row_bytes"))
          .containsExactlyElementsOf(
              brokenRows().stream().map(row -> (long) row.length()).toList());
      assertThat(letters)
          .extracting(letter -> ((Struct) letter.value()).getString("reason"))
          .allMatch(reason -> reason.startsWith("too large: more than "));
      assertThat(letters)
          .extracting(letter -> ((Struct) letter.value()).getString("row_json"))
          .allMatch(raw -> raw.startsWith("\"") && raw.length() < 300_000);
      assertThat(log.text()).containsOnlyOnce("POS-409 store000/inventory: ");
      assertThat(run.failure()).isNull();
    }
  }

  @Test
  void failsTaskForTooLargeRowOnlyIfConfigured() {
    Chain chain = Chain.of(service, 1);
    chain.location("store000").inventory().create();
    String row = "{\"inventoryId\":1,\"a\":\"" + "x".repeat(2_000) + "\"}";
    service.faults().on(Endpoint.INVENTORY).then(Fault.json("[" + row + "]"));
    Map<String, String> settings = chain.settings(20, "inventory");
    settings.put("row.max.bytes", "1024");
    settings.put("errors.rows", "skip");
    try (DrivenTask run = DrivenTask.start(settings)) {
      run.fetches(2);
      assertThat(run.records("chain.dead-letters")).isEmpty();
      assertThat(run.records("chain.inventory")).isEmpty();
    }
    settings.put("errors.rows", "fail");
    try (DrivenTask run = DrivenTask.start(settings)) {
      await().atMost(SOON).until(() -> run.failure() != null);
      assertThat(run.failure())
          .hasMessageContaining("POS-501 store000/inventory: ")
          .hasMessageContaining("too large: more than 1024 bytes of one row");
    }
  }

  @Test
  void emitsRowWithKeyAboveKilobyteAsDeadLetter() {
    Chain chain = Chain.of(service, 1);
    chain.location("store000").inventory().create();
    Map<String, String> settings = chain.settings(20, "inventory");
    settings.put("resources.inventory.key.fields", "sku");
    settings.put("resources.inventory.schema", STRING_KEY);
    String longest = "é".repeat(510);
    service
        .faults()
        .on(Endpoint.INVENTORY)
        .then(Fault.json("[{\"sku\":\"%s\"},{\"sku\":\"%sx\"}]".formatted(longest, longest)));
    try (DrivenTask run = DrivenTask.start(settings)) {
      run.fetches(2);
      assertThat(run.records("chain.inventory")).hasSize(1);
      assertThat(run.records("chain.dead-letters")).hasSize(1);
      assertThat(((Struct) run.records("chain.dead-letters").get(0).value()).getString("reason"))
          .isEqualTo("key too long: more than 1024 bytes");
    }
  }

  private Chain loyalty(int rows) {
    Chain chain = Chain.of(service, 1);
    chain.location("store000").loyaltyTransactions().generate(rows);
    return chain;
  }

  private static DrivenTask readLoyalty(Chain chain) {
    Map<String, String> settings = chain.settings(200, LOYALTY);
    settings.put("resources." + LOYALTY + ".path", Endpoint.LOYALTY);
    settings.put("resources." + LOYALTY + ".page.size", "2");
    return DrivenTask.start(settings);
  }

  @Test
  void encodesPageKeyAsOneParameter() {
    Chain chain = loyalty(7);
    String hostile = "a&maxPageSize=1#?/../\r\nX-Injected: 1\r\n\r\nGET /x HTTP/1.1\r\n\r\n%00é ";
    service.faults().everywhere().then(Fault.pageKeysBeginWith(hostile));
    try (DrivenTask run = readLoyalty(chain)) {
      await().atMost(SOON).until(() -> run.records("chain." + LOYALTY).size() == 7);
      List<LoggedRequest> requests =
          service.requests().stream().filter(r -> !r.path().equals(Endpoint.WHOAMI)).toList();
      // The last one may not have been answered yet.
      assertThat(requests)
          .allMatch(r -> r.path().equals(Endpoint.LOYALTY) && r.query().contains("maxPageSize=2"))
          .allMatch(r -> r.status() == 200 || !r.finished());
      assertThat(run.failure()).isNull();
    }
  }

  @Test
  void reportsRepeatedPageKeyAsError() {
    Chain chain = loyalty(7);
    ActiveFault repeating = service.faults().on(Endpoint.LOYALTY).then(Fault.repeatingPageKey());
    try (DrivenTask run = readLoyalty(chain)) {
      await().atMost(SOON).until(() -> log.text().contains("named a page twice"));
      assertThat(run.records("chain.checkpoints")).isEmpty();
      repeating.close();
      await().atMost(SOON).until(() -> !run.records("chain.checkpoints").isEmpty());
      assertThat(operations(run, LOYALTY)).hasSize(1);
      assertThat(operations(run, LOYALTY).get("store000")).hasSize(7).containsOnly("r");
      assertThat(run.failure()).isNull();
    }
  }
}
