package io.posconnect.validation;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.posconnect.TaskLog;
import io.posconnect.client.ApiException;
import io.posconnect.client.Credentials;
import io.posconnect.client.RateLimit;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Props;
import io.posconnect.json.Row;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Shape;
import io.posconnect.simulator.Simulator;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ConnectionValidatorTest {

  private static final Instant NOW = Instant.parse("2025-05-05T05:05:05Z");
  private static final Duration AMPLE = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(200);

  private static final Incident STRANGER =
      Problem.WRONG_ADDRESS.incident(
          "base.url", "location default does not answer there as the service does");

  private FakeApi api = new FakeApi();
  private SharedRateLimits rateLimits = new SharedRateLimits();
  private final Map<String, FakeApi> others = new HashMap<>();

  private List<Incident> faults(Props props) {
    return faults(props, AMPLE);
  }

  private List<Incident> faults(Props props, Duration budget) {
    return validator(budget).faults(props.config());
  }

  private ConnectionValidator validator(Duration budget) {
    return new ConnectionValidator(
        (config, location) -> others.getOrDefault(location, api),
        rateLimits,
        budget,
        InstantSource.fixed(NOW));
  }

  /** With a time that grows until all that answers does so within it, on a busy machine as well. */
  private void withinTime(Consumer<Duration> test) {
    for (Duration time = SHORT; ; time = time.multipliedBy(4)) {
      try {
        api = new FakeApi();
        rateLimits = new SharedRateLimits();
        test.accept(time);
        return;
      } catch (AssertionError e) {
        if (time.compareTo(AMPLE) > 0) {
          throw e;
        }
      }
    }
  }

  private List<String> settings(Props props) {
    return faults(props).stream().map(Incident::subject).toList();
  }

  private List<String> messages(Props props) {
    return faults(props).stream().map(Incident::toString).toList();
  }

  private static String[] stores(int count) {
    return IntStream.range(0, count).mapToObj(i -> "store-" + i).toArray(String[]::new);
  }

  private static ApiException refused(int status) {
    Problem problem =
        switch (status) {
          case 401 -> Problem.KEY_REFUSED;
          case 403 -> Problem.PERMISSION_MISSING;
          case 404, 405, 410 -> Problem.PATH_UNKNOWN;
          case 407 -> Problem.PROXY_REFUSES;
          default -> Problem.REQUEST_REFUSED;
        };
    return new ApiException.Refused(problem, "GET", "answered " + status, status);
  }

  @Test
  void acceptsAServiceThatAnswersToOneCheapRequestForEachStream() {
    api.rows("/products", "productId").rows("/reporting/inventory", "InventoryID");

    assertThat(faults(Props.one())).isEmpty();
    assertThat(api.isClosed()).isTrue();
    assertThat(api.rowsOpen).hasValue(0);
    assertThat(api.requests)
        .containsExactlyInAnyOrder(
            new Request("/whoami"),
            new Request("/products", since()),
            new Request("/customer/customers", since()),
            new Request(
                "/reporting/register-transactions",
                new Parameter("fromLastModifiedDateUTC", "2025-05-04T05:05:05Z"),
                new Parameter("toLastModifiedDateUTC", "2025-05-05T05:05:05Z")),
            new Request("/reporting/inventory"));
    assertThat(api.rowsRead).hasValue(5);
    assertThat(api.shapes).containsOnlyOnce(Shape.OBJECT);
  }

  private static Parameter since() {
    return new Parameter("fromLastModifiedDateUTC", "2025-04-28T05:05:05Z");
  }

  @Test
  void requestsThePagesThatATaskWouldRequest() {
    faults(
        Props.of(
            "resources=customers,loyalty-transactions"
                + " resources.loyalty-transactions.path=/loyalty"
                + " resources.customers.retrieval=pages"));

    assertThat(api.requests)
        .containsExactlyInAnyOrder(
            new Request("/whoami"),
            new Request(
                "/customer/customers-paginated",
                new Parameter("PageNumber", "1"),
                new Parameter("PageSize", "100")),
            new Request("/loyalty", new Parameter("maxPageSize", "100")));
  }

  @Test
  void requestsThePagesOfASnapshotToo() {
    api.fails("/customer/customers-paginated", refused(404));

    assertThat(
            faults(
                Props.one()
                    .with("resources", "customers")
                    .with("resources.customers.snapshot", "pages")))
        .containsExactly(
            Problem.WRONG_SNAPSHOT.incident("resources.customers.snapshot", "GET: answered 404"));
    assertThat(api.requests).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "401; POS-202; api.key; key of location default lacks Reporting, needed by inventory"
            + " (GET: answered 401)",
        "403; POS-202; api.key; key of location default lacks Reporting, needed by inventory"
            + " (GET: answered 403)",
        "404; POS-206; resources.inventory.path; GET: answered 404",
        "405; POS-206; resources.inventory.path; GET: answered 405",
        "400; POS-113; resources.inventory.retrieval; GET: answered 400",
        "422; POS-113; resources.inventory.retrieval; GET: answered 422",
        "407; POS-305; proxy.url; GET: answered 407"
      })
  void reportsARefusalAtTheSettingThatCausedIt(
      int status, String code, String setting, String observed) {
    api.fails("/reporting/inventory", refused(status));

    assertThat(settings(Props.one())).containsExactly(setting);
    assertThat(messages(Props.one()))
        .singleElement(STRING)
        .startsWith(code + " " + setting + ": " + observed + ". ")
        .endsWith(remedy(code));
  }

  private static String remedy(String code) {
    return Arrays.stream(Problem.values())
        .filter(problem -> problem.code().equals(code))
        .findFirst()
        .orElseThrow()
        .remedy();
  }

  @Test
  void takesARefusalForOneOfTheKeyWhileTheIdentityDoesNotAnswer() {
    api.fails("/whoami", new ApiException.Throttled("429", null, OptionalInt.empty()))
        .fails("/reporting/inventory", refused(401));

    assertThat(messages(Props.one()))
        .singleElement(STRING)
        .startsWith("POS-201 api.key: key of location default is refused (GET: answered 401). ");
  }

  @Test
  void reportsAMissingPermissionAtTheLocationsKey() {
    others.put("airport", new FakeApi().fails("/reporting/inventory", refused(403)));

    assertThat(messages(Props.several("airport", "downtown")))
        .singleElement(STRING)
        .contains(
            " locations.airport.api.key: key of location airport lacks Reporting,"
                + " needed by inventory");
  }

  @Test
  void reportsEachMissingPermissionOfAKeyAndAResourceWithoutAKnownOne() {
    api.fails("/reporting/inventory", refused(403))
        .fails("/products", refused(403))
        .fails("/loyalty", refused(403));

    assertThat(messages(Props.one().with("resources.loyalty-transactions.path", "/loyalty")))
        .satisfiesExactlyInAnyOrder(
            message -> assertThat(message).contains("lacks Reporting, needed by inventory"),
            message -> assertThat(message).contains("lacks Inventory, needed by products"),
            message ->
                assertThat(message)
                    .contains(": key of location default may not read loyalty-transactions"));
  }

  @Test
  void reportsARefusedKeyOnce() {
    FakeApi airport = new FakeApi();
    for (String path : List.of("/whoami", "/products", "/customer/customers")) {
      airport.fails(path, refused(401));
    }
    others.put("airport", airport);

    assertThat(settings(Props.several("airport", "downtown")))
        .containsExactly("locations.airport.api.key");
  }

  /** The answers that a port scanner would like to distinguish. */
  static List<ApiException> strangers() {
    return List.of(
        new ApiException.Unavailable(Problem.HOST_UNKNOWN, "GET", "no such host"),
        new ApiException.Unavailable(Problem.UNREACHABLE, "GET", "cannot connect"),
        new ApiException.Unavailable(Problem.UNREACHABLE, "GET", "broke off before a response"),
        new ApiException.Unavailable(Problem.TLS_FAILED, "GET", "no TLS"),
        new ApiException.Unavailable(Problem.TOO_SLOW, "GET", "no response"),
        new ApiException.Unavailable(Problem.SERVICE_FAILED, "GET 500", "the service failed"),
        new ApiException.Malformed(Problem.BODY_MALFORMED, "GET 200", "is text/html"),
        new ApiException.Refused(Problem.PROXY_REFUSES, "GET", "the proxy wants a user", 407),
        new ApiException.Refused(Problem.REDIRECT_REFUSED, "GET", "redirects elsewhere", 302),
        refused(404),
        refused(405),
        refused(400));
  }

  @ParameterizedTest
  @MethodSource("strangers")
  void reportsAnyOtherServerInTheSameWords(ApiException came) {
    api.fails("/whoami", came).fails("/products", came).fails("/reporting/inventory", came);

    try (TaskLog log = TaskLog.listen()) {
      assertThat(faults(Props.one())).containsExactly(STRANGER);
      assertThat(log.lines())
          .anyMatch(
              line ->
                  line.contains(came.incident().code() + " " + came.incident().observed() + " ("));
    }
  }

  @Test
  void logsSomeOfManyLocationsWhereSomethingElseAnswersAndOfManyFailuresThatMayPass() {
    api.fails(
        "/whoami", new ApiException.Unavailable(Problem.SERVICE_FAILED, "GET /whoami 503", "down"));
    assertThat(faultsOfFortyLoggedInPart()).isNotEmpty();

    api =
        new FakeApi()
            .fails("/products", new ApiException.Throttled("429", null, OptionalInt.empty()));
    assertThat(faultsOfFortyLoggedInPart()).isEmpty();
  }

  private List<Incident> faultsOfFortyLoggedInPart() {
    try (TaskLog log = TaskLog.listenAtInfo()) {
      List<Incident> faults = faults(Props.several(stores(40)).with("resources", "products"));
      assertThat(log.lines()).filteredOn(line -> line.startsWith("WARN POS-")).hasSize(10);
      assertThat(log.text()).contains("Validation: 30 more failures of this kind");
      return faults;
    }
  }

  @Test
  void showsTargetOfRedirectOnlyInTheLog() {
    String target = "https://inside.example:8443";
    api.fails(
        "/reporting/inventory",
        new ApiException.Refused(
            Problem.REDIRECT_REFUSED, "GET", "redirects to " + target + ", where", 302));

    try (TaskLog log = TaskLog.listen()) {
      assertThat(faults(Props.one())).containsExactly(STRANGER);
      assertThat(log.text()).contains(target);
    }
  }

  @Test
  void reportsAnIdentityThatIsNotAnObject() {
    api.answers("/whoami", () -> api.new OneRow(Row.parse("7")));

    assertThat(faults(Props.one())).containsExactly(STRANGER);
  }

  @Test
  void reportsALocationsOwnAddress() {
    others.put(
        "b",
        new FakeApi()
            .fails("/whoami", new ApiException.Unavailable(Problem.UNREACHABLE, "GET", "refused")));

    assertThat(
            faults(Props.several("a", "b").with("locations.b.base.url", "https://b.example.com")))
        .extracting(Incident::subject)
        .containsExactly("locations.b.base.url");
  }

  @Test
  void reportsAnotherShapeAtTheRetrieval() {
    api.fails(
        "/products", new ApiException.Malformed(Problem.BODY_MALFORMED, "GET", "not an array"));
    assertThat(settings(Props.one())).containsExactly("resources.products.retrieval");

    api.answers("/products", () -> api.new OneRow(Row.parse("7")));
    assertThat(settings(Props.one())).containsExactly("resources.products.retrieval");
    assertThat(messages(Props.one())).singleElement(STRING).contains("Correct the path");
  }

  @Test
  void reportsAbsentKeyFields() {
    api.rows("/products", "ProductID", "name").rows("/reporting/inventory", "id");

    assertThat(faults(Props.one()))
        .containsExactly(
            Problem.ROWS_UNUSABLE.incident(
                "resources.inventory.key.fields",
                "key fields absent in a sample row of inventory: inventoryId"));
  }

  @Test
  void acceptsAnAliasOfAKeyFieldAndABrokenRowAmongGoodOnes() {
    api.rows("/reporting/register-transactions", "transactionId")
        .rows("/products", "order")
        .rowsAfter(FakeApi.object("note"), "/reporting/inventory", "inventoryId");
    Props declared = Props.one().with("resources.products.fields", "order_id|order:long");

    assertThat(faults(declared.with("resources.products.key.fields", "order_id"))).isEmpty();
  }

  @Test
  void reportsAPageSizeThatTheServiceRefuses() {
    try (Simulator service = Simulator.start()) {
      assertThat(faultsAt(service, "resources.customers.page.size=500"))
          .singleElement()
          .asString()
          .startsWith("POS-113 resources.customers.retrieval: ")
          .contains("lower the resource's page.size.");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "{'customerID':1%'a':NaN}, 0",
    "{'customerID':1%'a':'LONG'}, 0",
    "{'firstName':'no key'}, 3"
  })
  void acceptsABrokenRowAloneAndAtTheBeginningOfPages(String row, int others) {
    try (Simulator service = Simulator.start()) {
      String broken = row.replace('\'', '"').replace('%', ',');
      service.location().customers().createRaw(broken.replace("LONG", "x".repeat(1_000_000)));
      service.location().customers().generate(others);

      assertThat(faultsAt(service)).isEmpty();
    }
  }

  @Test
  void namesWhatStandsInPlaceOfRowsWithPrivateFields() {
    try (Simulator service = Simulator.start()) {
      service.location().customers().createRaw("\"Ann\"");

      assertThat(faultsAt(service, "resources.customers.exclude.fields=email"))
          .extracting(Incident::detail)
          .containsExactly(
              "rows of customers are not objects: string (key.fields=value makes rows of plain"
                  + " values)");
    }
  }

  /** The faults of customers in pages at that service. */
  private static List<Incident> faultsAt(Simulator service, String... more) {
    service.location();
    Props props =
        Props.of("resources=customers resources.customers.retrieval=pages")
            .with("base.url", service.baseUrl().toString())
            .with("api.key", Simulator.KEY);
    for (String setting : more) {
      String[] parts = setting.split("=", 2);
      props.with(parts[0], parts[1]);
    }
    return FakeApi.validator(ClientFactory.sharing()).faults(props.config());
  }

  @Test
  void reportsAResourcesFaultOnceForAllLocations() {
    api.fails("/products", refused(404));

    assertThat(settings(Props.several("a", "b", "c"))).containsExactly("resources.products.path");
  }

  @Test
  void acceptsAResourceThatIsBrokenOrLimitedForNowAndSlowsTasksAfterIts429() {
    api.fails("/products", new ApiException.Unavailable(Problem.SERVICE_FAILED, "GET", "503"))
        .fails("/customer/customers", new ApiException.Throttled("429", null, OptionalInt.empty()))
        .fails("/whoami", new ApiException.Throttled("429", null, OptionalInt.empty()));

    assertThat(faults(Props.one())).isEmpty();
    try (RateLimit task = running("/customer/customers", 120)) {
      assertThat(task.rate(System.nanoTime())).isLessThan(61);
    }
  }

  @Test
  void reportsTheAddressOfASilentLocation() {
    String silent = "POS-112 base.url: location airport does not answer there as the service";
    withinTime(
        time -> {
          FakeApi airport = new FakeApi().silent("/whoami").silent("/products");
          others.put("airport", airport);
          api.rows("/reporting/inventory", "id");

          assertThat(faults(Props.several("airport", "downtown"), time))
              .extracting(Incident::toString)
              .satisfiesExactly(
                  text -> assertThat(text).startsWith(silent),
                  text -> assertThat(text).startsWith("POS-208 resources.inventory.key.fields: "));
          assertThat(airport.isClosed()).isTrue();
        });
  }

  @Test
  void acceptsASlowResource() {
    withinTime(
        time -> {
          api.silent("/reporting/inventory");

          assertThat(faults(Props.one(), time)).isEmpty();
          assertThat(api.isClosed()).isTrue();
        });
  }

  private RateLimit running(String path, int perMinute) {
    return rateLimits.limiter(
        new SharedRateLimits.Limit(
            URI.create("https://api.example.com"),
            new Credentials("key-of-default", ""),
            path,
            perMinute,
            1),
        System.nanoTime());
  }

  @Test
  void waitsForASlotOfARunningTask() {
    api.fails("/products", refused(404));
    try (RateLimit task = running("/products", 60)) {
      long begin = System.nanoTime();
      assertThat(settings(Props.one())).containsExactly("resources.products.path");
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(SHORT);
      assertThat(task.tryAcquire(System.nanoTime())).as("it was a slot").isPositive();
    }
  }

  @Test
  void skipsAProbeThatGetsNoSlotInTime() {
    withinTime(
        time -> {
          api.fails("/whoami", refused(401)).fails("/products", refused(404));
          try (RateLimit identity = running("/whoami", 1);
              RateLimit products = running("/products", 1)) {
            assertThat(faults(Props.one(), time)).isEmpty();
            assertThat(api.requests)
                .extracting(Request::path)
                .doesNotContain("/whoami", "/products")
                .contains("/reporting/inventory");
            assertThat(identity.rate(0)).isEqualTo(products.rate(0));
          }
        });
  }

  @Test
  void acceptsSilenceWhenAWaitShortenedTheTime() {
    withinTime(
        time -> {
          api.silent("/whoami");
          try (RateLimit task = running("/whoami", 400)) {
            assertThat(faults(Props.one(), time.multipliedBy(3))).isEmpty();
            assertThat(api.requests).extracting(Request::path).contains("/whoami");
            assertThat(task.rate(0)).isPositive();
          }
        });
  }

  @Test
  void boundsThreadsAndTimeForSilentLocations() {
    AtomicInteger most = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    api.answers(
        "/whoami",
        () -> {
          asked.incrementAndGet();
          most.accumulateAndGet(threads(), Math::max);
          return api.silently();
        });

    assertThat(
            faults(Props.several(stores(300)).with("resources", "products"), Duration.ofSeconds(2)))
        .extracting(Incident::subject)
        .containsExactly("base.url");
    assertThat(asked.get()).as("requests, each silent until the time is over").isLessThan(100);
    assertThat(most.get()).isBetween(2, 16);
    await().atMost(AMPLE).until(() -> threads() == 0);
  }

  @Test
  void saysThatOtherProbesTookTheTimeOfThoseThatWereNotSent() {
    api.silent("/whoami");
    List<Incident> untried = new ArrayList<>();

    validator(SHORT)
        .faults(Props.several(stores(40)).with("resources", "products").config(), untried::add);

    assertThat(untried)
        .extracting(Incident::detail)
        .contains("not asked within 200 ms, since other probes took the time")
        .noneMatch(detail -> detail.contains("limit"));
  }

  /** A chain adds a store while another one's key is dead. */
  @Test
  void oneRefusedKeyOfThreeHundredIsNamedWithBothRemedies() {
    others.put("store-299", new FakeApi().fails("/whoami", refused(401)));

    assertThat(messages(Props.several(stores(300)).with("resources", "products")))
        .singleElement(as(STRING))
        .startsWith("POS-201 locations.store-299.api.key: key of location store-299 is refused")
        .contains("Correct the key")
        .contains("Until then, a changed configuration needs validate.connection=false.");
  }

  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("pos-validation-"))
            .count();
  }

  @Test
  void reportsAnUnusableStore() {
    ConnectionValidator validator =
        FakeApi.validator(
            (config, location) -> {
              throw new IllegalArgumentException("trust store is empty");
            });

    assertThat(validator.transportFaults(Props.one().config()))
        .containsExactly(
            Problem.UNREADABLE_FILE.incident("ssl.truststore.location", "trust store is empty"));
  }

  @Test
  void throwsWhenTheClientItselfIsBroken() {
    api.answers(
        "/products",
        () -> {
          throw new IllegalStateException("bug");
        });

    assertThatThrownBy(() -> faults(Props.one()))
        .isInstanceOf(ConnectException.class)
        .hasMessage("the probe of default/products broke down")
        .hasRootCauseMessage("bug");
    assertThat(api.isClosed()).isTrue();
  }
}
