package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Stream;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.StreamResult.Finding;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The command that mends, and the results for Prometheus. */
class MendTest {

  private static final Instant NOW = Instant.parse("2026-01-31T09:30:00Z");
  private final Map<String, String> settings = new TreeMap<>();
  private String worker = "http://worker:8083";

  MendTest() {
    settings.putAll(Run.settings("https://service.example", "a-key"));
    settings.remove("api.key");
    settings.put("name", "pos");
    settings.put("locations", "north,south,west");
    for (String location : List.of("north", "south", "west")) {
      settings.put("locations." + location + ".api.key", "key-of-" + location);
    }
    settings.put("resources", "products,customers");
  }

  private boolean mendable = true;

  private StreamResult result(String location, String resource, Verdict verdict, Outcome outcome) {
    return new StreamResult(
        new Stream(location, resource),
        "pos." + resource,
        outcome == Outcome.EQUAL ? Map.of() : Map.of(outcome, 2L, Outcome.EQUAL, 7L),
        Optional.empty(),
        NOW,
        mendable,
        List.of(new Finding(verdict, "it is so.")),
        List.of());
  }

  private Optional<Mend> mend(StreamResult... results) {
    ConnectorConfig given = new ConnectorConfig(Map.of(), settings);
    return Mend.of(List.of(results), given, URI.create(worker));
  }

  @Test
  void oneStreamIsMendedByTheFewerStreams() {
    // Products of three locations, or two resources of one.
    Mend mend = mend(result("north", "products", Verdict.DIFFERENT, Outcome.MISSING)).orElseThrow();
    assertThat(mend.settings()).containsExactly("locations.north.snapshot.id");
    assertThat(mend.explanation())
        .contains("2 streams once more (north/customers, north/products)");
    assertThat(mend.command())
        .startsWith("curl -sS --fail-with-body -X PATCH")
        .contains("http://worker:8083/connectors/pos/config")
        .containsPattern("--data '\\{\"locations.north.snapshot.id\": \"audit [0-9TZ:-]+\"}'$");
  }

  @Test
  void streamWhoseFirstReadRunsIsNotEmittedOnceMore() {
    mendable = false;
    assertThat(mend(result("north", "products", Verdict.NOT_DECIDED, Outcome.REMOVED))).isEmpty();
    mendable = true;
    assertThat(mend(result("north", "products", Verdict.NOT_DECIDED, Outcome.MISSING))).isEmpty();
  }

  @Test
  void anyNameOfAConnectorAndAnyAddressOfAWorkerCanBeCopied() {
    settings.put("name", "Bob's tills");
    worker = "http://worker:8083/";

    assertThat(mendOfProducts().command())
        .contains(" http://worker:8083/connectors/Bob%27s%20tills/config \\\n");
  }

  @Test
  void commandShowsNoPasswordOfAWorker() {
    worker = "https://admin:p@ss@worker:8083";

    assertThat(mendOfProducts().command())
        .contains(" https://worker:8083/connectors/pos/config \\\n");
  }

  private Mend mendOfProducts() {
    return mend(result("north", "products", Verdict.DIFFERENT, Outcome.MISSING)).orElseThrow();
  }

  private Mend mendOfNorthAndSouth() {
    return mend(
            result("north", "products", Verdict.DIFFERENT, Outcome.DIFFERENT),
            result("south", "products", Verdict.DIFFERENT, Outcome.MISSING))
        .orElseThrow();
  }

  @Test
  void aResourceThatSeveralLocationsLackIsMendedAtOnce() {
    Mend mend =
        mend(
                result("north", "products", Verdict.DIFFERENT, Outcome.DIFFERENT),
                result("south", "products", Verdict.NOT_DECIDED, Outcome.REMOVED))
            .orElseThrow();
    assertThat(mend.settings()).containsExactly("resources.products.snapshot.id");
  }

  @Test
  void aLocationsOwnValuePrecedesThatOfAResource() {
    settings.put("locations.south.snapshot.id", "june");
    Mend mend = mendOfNorthAndSouth();
    assertThat(mend.settings())
        .containsExactly("locations.north.snapshot.id", "locations.south.snapshot.id");
  }

  @Test
  void locationsWithTheirOwnValueAreNotEmittedOnceMore() {
    settings.put("locations.west.snapshot.id", "june");
    Mend mend = mendOfNorthAndSouth();
    assertThat(mend.settings()).containsExactly("resources.products.snapshot.id");
    assertThat(mend.explanation()).contains("2 streams once more (north/products, south/products)");
  }

  @Test
  void whatASnapshotDoesNotCureHasNoCommand() {
    assertThat(mend(result("north", "products", Verdict.EQUAL, Outcome.EQUAL))).isEmpty();
    assertThat(mend(result("north", "products", Verdict.NOT_DUE_YET, Outcome.MISSING))).isEmpty();
    assertThat(mend(result("north", "products", Verdict.DIFFERENT, Outcome.PHANTOM))).isEmpty();
    assertThat(mend(result("north", "products", Verdict.NOT_DECIDED, Outcome.SCATTERED))).isEmpty();
  }

  @Test
  void metricsAreInTheTextFormatOfPrometheus() {
    String text =
        new AuditMetrics(
                List.of(
                    result("north", "products", Verdict.NOT_DUE_YET, Outcome.PHANTOM),
                    result("south", "products", Verdict.DIFFERENT, Outcome.MISSING)),
                NOW)
            .text();

    Pattern sample =
        Pattern.compile(
            "(pos_audit_[a-z_]+)(\\{[a-z]+=\"[^\"\\\\]*\"(,[a-z]+=\"[^\"\\\\]*\")*})? \\d+");
    List<String> declared = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (line.startsWith("# TYPE ")) {
        declared.add(line.replaceAll("# TYPE (\\S+) gauge", "$1"));
      } else if (!line.isEmpty() && !line.startsWith("# HELP ")) {
        var found = sample.matcher(line);
        assertThat(found.matches()).as(line).isTrue();
        // All samples of a metric follow its declaration.
        assertThat(found.group(1)).isEqualTo(declared.get(declared.size() - 1));
      }
    }
    assertThat(text).endsWith("\n");
    assertThat(declared).doesNotHaveDuplicates().hasSize(4);
    assertThat(text.lines())
        .contains(
            "pos_audit_verdict{location=\"north\",resource=\"products\",verdict=\"not due yet\"} 1",
            "pos_audit_verdict{location=\"north\",resource=\"products\",verdict=\"equal\"} 0",
            "pos_audit_verified_through_seconds{location=\"north\",resource=\"products\"} "
                + NOW.getEpochSecond(),
            "pos_audit_verified_through_seconds{location=\"south\",resource=\"products\"} 0",
            "pos_audit_keys{location=\"south\",resource=\"products\",outcome=\"missing\"} 2");
  }
}
