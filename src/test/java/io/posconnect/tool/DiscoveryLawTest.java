package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.resource.Stream;
import io.posconnect.tool.StreamReader.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Whatever the rows are, the proposal is accepted and holds every value exactly. */
class DiscoveryLawTest {

  private static final Stream THINGS = new Stream("default", "things");

  private static final String[] NAMES =
      ("name|Name|price (€)|1st|| |a.b|a b|a_b|extra|EXTRA|location|before|op|naïve|\\u001b[2J"
              + "|\\u202e|x\\\"y|order|日本|__|Location|a-b|a_b_2|extra_2|null|default")
          .split("\\|");

  private static final String[][] VALUES = {
    {"1", "-7", "10.0", "1e2", "9007199254740993", "9223372036854775807"},
    {"10", "10.5", "0.123456789", "1e-9", "-0.0"},
    {"99999999999999999999", "1e30", "0.0000000000001", "12345678901234567890123456789012345678.5"},
    {"1e999999999", "-1E-99999999999", "1e400", "5"},
    {"true", "false"},
    {"\"2024-02-29T10:11:12Z\"", "\"2024-02-29T10:11:12.123\"", "\"0001-01-01T00:00:00\""},
    {"\"02/29/2024 10:11:12\"", "\"2024-02-29T10:11:12\""},
    {"\"2024-02-29\"", "\"1900-01-01\""},
    {"\"2024-02-29T10:11:12.123456Z\"", "\"2024-02-29T10:11:12.1234567Z\""},
    {"\"2024-02-29T10:11:12+02:00\"", "\"2023-02-29T10:11:12Z\""},
    {"\"\"", "\"N/A\"", "\"2024-02-29T10:11:12Z\""},
    {"\"00012\"", "\"1e5\"", "\"12\"", "\"\""},
    {"\"6f9619ff-8b86-d011-b42d-00c04fc964ff\"", "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\""},
    {"\"\\ud800\"", "\"ok\"", "\"\\u0000\\u001b\""},
    {"{\"a\":1,\"A\":2}", "{}", "[]", "[1,\"x\",null]", "\"x\""},
    {"null"},
    {"1", "\"x\"", "true", "10.50", "null"},
    {"\"Zoë\"", "\"日本\"", "\"🍓\""}
  };

  @Test
  void typesWhateverComesWithoutLoss() {
    RandomCases.check(60, random -> holds(random, 1 + random.nextInt(12), false));
  }

  @Test
  void typesAThousandFieldsWithoutLoss() {
    RandomCases.check(1, random -> holds(random, 1_000, true));
  }

  private static void holds(RandomGenerator random, int count, boolean numbered) {
    Map<String, String> names = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String name = NAMES[random.nextInt(NAMES.length)] + (numbered ? i : "");
      names.put(name, VALUES[random.nextInt(VALUES.length)][0]);
    }
    Map<String, String[]> kinds = new TreeMap<>();
    names.keySet().forEach(name -> kinds.put(name, VALUES[random.nextInt(VALUES.length)]));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(numbered ? 5 : 30); i++) {
      rows.add(row(random, i, kinds));
    }

    ConnectorConfig config = config(Map.of());
    Discovered first = discover(config, rows);
    assertExact(config, first, rows, kinds.keySet());

    ConnectorConfig later = config.with(first.settings());
    Discovered again = discover(later, rows);
    assertThat(again.contract()).isEqualTo(first.contract());
    assertThat(again.with(FieldDecision::isAdded)).isEmpty();
    assertThat(again.with(FieldDecision::isMismatch)).isEmpty();
  }

  private static Row row(RandomGenerator random, int id, Map<String, String[]> kinds) {
    StringBuilder json = new StringBuilder("{\"thingId\":").append(id);
    kinds.forEach(
        (name, values) -> {
          if (random.nextInt(8) > 0) {
            json.append(",\"").append(name).append("\":");
            json.append(random.nextInt(6) == 0 ? "null" : values[random.nextInt(values.length)]);
          }
        });
    return Row.parse(json.append('}').toString());
  }

  static ConnectorConfig config(Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("base.url", "https://pos.example.com");
    settings.put("api.key", "a-key");
    settings.put("topic.prefix", "pos");
    settings.put("resources", "things");
    settings.put("resources.things.path", "/things");
    settings.put("resources.things.retrieval", "full");
    settings.put("resources.things.key.fields", "thingId");
    settings.putAll(more);
    return new ConnectorConfig(Map.of("name", "pos"), settings);
  }

  static Discovered discover(ConnectorConfig config, List<Row> rows) {
    SourceConfig source = config.source();
    ResourceProfile profile = new ResourceProfile(source, THINGS);
    rows.forEach(row -> profile.add(THINGS, row, 1, true));
    return profile.conclude(List.of(new Ending(THINGS, 1, true, Optional.empty())));
  }

  private static void assertExact(
      ConnectorConfig config, Discovered finding, List<Row> rows, Set<String> names) {
    ProposalTrial all = ProposalTrial.of(config.with(finding.settings()).source(), THINGS, rows);
    assertThat(all.broken()).isZero();
    assertThat(all.typeMismatches()).isZero();
    Set<String> twins = new TreeSet<>();
    finding.with(decision -> decision.type.isEmpty()).forEach(d -> twins.add(lower(d.field.name)));
    assertThat(all.inExtra()).allMatch(name -> twins.contains(lower(name)));
    assertThat(twins).allMatch(twin -> hasTwin(names, twin));
  }

  private static boolean hasTwin(Set<String> names, String lower) {
    return names.stream()
            .filter(name -> lower(Row.parse("{\"" + name + "\":1}").name(0)).equals(lower))
            .count()
        > 1;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
