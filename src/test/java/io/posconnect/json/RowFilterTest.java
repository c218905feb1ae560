package io.posconnect.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.RandomCases;
import io.posconnect.json.Row.Fault;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of rows that have private fields. */
class RowFilterTest {

  private static final String SALT = "a salt of some length";
  private static final BodyLimits LIMITS = new BodyLimits(10_000_000, 20_000, 10, 50, 60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Privacy excluding(String... paths) {
    return new Privacy(List.of(), List.of(paths), List.of(), "");
  }

  private static Privacy hashing(String... paths) {
    return new Privacy(List.of(), List.of(), List.of(paths), SALT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "id              | {\"ID\":1,\"b\":\"s\",\"c\":{\"id\":2}}     | {\"ID\":1}                | [b, c]",
        "id,a.b          | {\"id\":1,\"a\":{\"b\":{\"x\":2},\"c\":\"s\"}} | {\"id\":1,\"a\":{\"b\":{\"x\":2}}} | [a.c]",
        "id,a.b          | {\"id\":1,\"a\":[{\"b\":2,\"c\":3},\"s\",7]} | {\"id\":1,\"a\":[{\"b\":2},null,null]} | [a.c]",
        "id,a.b          | {\"id\":1,\"a\":\"s\"}                        | {\"id\":1,\"a\":null}      | []",
        "id,a.b          | {\"a.b\":1,\"a.c\":2,\"s@x\":3}               | {\"a.b\":1}               | [a.c, …]",
        "id,a.b.c        | {\"a\":{\"id\":1,\"b\":[{\"id\":2,\"c\":3,\"s@x\":4}]}} | {\"a\":{\"b\":[{\"c\":3}]}} | [a.b.id, a.b.…, a.id]",
        "id,a            | {\"a\":{\"b\":1},\"ab\":2}                    | {\"a\":{\"b\":1}}          | [ab]",
      })
  void keepsOnlyListedFields(String kept, String json, String left, String unlisted)
      throws IOException {
    RowFilter filter =
        new RowFilter(new Privacy(List.of(kept.split(",", -1)), List.of(), List.of(), ""));

    assertThat(new String(filter.filter(Row.parse(json)).bytes(), StandardCharsets.UTF_8))
        .isEqualTo(left);
    assertThat(filter.unlisted()).hasToString(unlisted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "email            | {\"id\":1,\"email\":\"s\",\"b\":[1, 2]}        | {\"id\":1,\"b\":[1, 2]}",
        "email            | {\"EMAIL\":\"s\",\"id\":1}                     | {\"id\":1}",
        "email            | {\"email\":\"s\",\"Email\":[\"s\"]}            | {}",
        "email            | {\"em\\u0061il\":{\"a\":\"}s\"},\"b\":2}       | {\"b\":2}",
        "email            | {\"a\":{\"email\":\"kept\"}}                   | {\"a\":{\"email\":\"kept\"}}",
        "a.email          | {\"a\":{\"email\":\"s\",\"b\":1},\"email\":2}  | {\"a\":{\"b\":1},\"email\":2}",
        "a.email          | {\"A\":[{\"Email\":\"s\"},[{\"email\":7}],3]}  | {\"A\":[{},[{}],3]}",
        "a.email          | {\"a.email\":\"s\",\"a\":\"kept\"}             | {\"a\":\"kept\"}",
        "a.b.c            | {\"a.b\":{\"c\":1},\"a\":{\"b.c\":1,\"d\":2}}  | {\"a.b\":{},\"a\":{\"d\":2}}",
        "a                | { \"a\" : 1.5e3 , \"b\" : \"x y\" }            | {\"b\":\"x y\"}",
        "a                | {\"ab\":\"\\\"a\\\":1\",\"b\":{\"a\":\",}\"}}  | {\"ab\":\"\\\"a\\\":1\",\"b\":{\"a\":\",}\"}}",
        "a,b              | {\"a\":true,\"b\":null}                        | {}",
        "a.email          | {\"a\":{\"em\uFFFDil\":1,\"b\":2},\"\uFFFD\":3} | {\"a\":{\"b\":2}}",
        "e\u0301.a        | {\"É\":{\"a\":1,\"b\":2}}                    | {\"É\":{\"b\":2}}",
        "é.a              | {\"e\u0301\":{\"a\":1}}                      | {\"e\u0301\":{}}",
        "ä.𝄞              | {\"Ä\":{\"𝄞\":1,\"𝄢\":2}}                      | {\"Ä\":{\"𝄢\":2}}",
      })
  void removesExcludedFields(String paths, String row, String left) throws IOException {
    assertThat(one(row, excluding(paths.split(",")))).isEqualTo(left);
  }

  @Test
  void knowsThePathsThatNoRowHas() throws IOException {
    Privacy privacy =
        new Privacy(List.of(), List.of("email", "a.Phone", "b.c.d"), List.of("nmae", "x.y"), SALT);
    JsonRows rows =
        rows("[{\"Email\":null,\"a\":[{\"phone\":1}],\"b\":{\"c\":1}}, 2]", Shape.ARRAY, privacy);
    assertThat(rows.notes().unmetPaths()).hasSize(5);

    rows.next();

    assertThat(rows.notes().unmetPaths()).containsExactlyInAnyOrder("b.c.d", "nmae", "x.y");
    assertThat(rows("[]", Shape.ARRAY, Privacy.NONE).notes().unmetPaths()).isEmpty();
  }

  @Test
  void aHashIsTheHmacOfTheText() throws Exception {
    String sent = "{\"email\":\"\\u0061nn@example.com\",\"card\":[{\"number\":4111.0,\"n\":1}]}";

    JsonNode row = JSON.readTree(one(sent, hashing("email", "card.number")));

    assertThat(row.at("/email").textValue())
        .isEqualTo(hmac("ann@example.com"))
        .as("as openssl makes it")
        .isEqualTo("5d40626d356850d7ce54b24bb3ba189d13bbdd8c603306104ed0ea69824f4ea6");
    assertThat(row.at("/card/0/number").textValue()).isEqualTo(hmac("4111"));
    assertThat(row.at("/card/0/n").intValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "10                      | 10.0                              | 10",
        "\"10\"                  | 1e1                               | 10",
        "-0                      | 0.000                             | 0",
        "1e-3                    | 0.0010                            | 0.001",
        "true                    | \"true\"                          | true",
        "\"\"                    | \"\"                              |",
        "\"\\u00e9\\/\"          | \"é/\"                            | é/",
        "{\"a b\":1.0,\"a\":[null],\"a\":0} | {\"a\":0,\"a\":[null],\"c\":null,\"a b\":1} | {\"a\":0,\"a\":[null],\"a b\":1}",
      })
  void equalValuesHaveEqualHashes(String one, String other, String text) throws Exception {
    String hash = "{\"a\":\"" + hmac(text == null ? "" : text) + "\"}";

    assertThat(one("{\"a\":" + one + "}", hashing("a"))).isEqualTo(hash);
    assertThat(one("{\"a\":" + other + "}", hashing("A"))).isEqualTo(hash);
  }

  @Test
  void textsThatDifferInHalfASurrogatePairHaveDifferentHashes() throws IOException {
    Set<String> hashes = new HashSet<>();
    for (String value :
        List.of(
            "\"x\\ud83d\"",
            "\"x\\ud83e\"",
            "\"x?\"",
            "[[{\"b\":\"\\ud83d\"}]]",
            "[[{\"b\":\"?\"}]]")) {
      hashes.add(one("{\"a\":" + value + "}", hashing("a")));
    }

    assertThat(hashes).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e999999999", "-1E-999999999", "1e99999999999999999999", "0e999999999999"})
  void hashesNumbersThatHaveNoPlainNotation(String number) throws IOException {
    assertThat(one("{\"a\":" + number + "}", hashing("a"))).hasSize("{\"a\":\"\"}".length() + 64);
  }

  @Test
  void keepsNullAndHashesEachElementOfAnArray() throws Exception {
    String row =
        one("{\"a\":null,\"b\":[\"x\",null,[1,2],{\"c\":3}]}", hashing("a", "b", "missing"));

    assertThat(JSON.readTree(row))
        .isEqualTo(
            JSON.readTree(
                "{\"a\":null,\"b\":[\"%s\",null,[\"%s\",\"%s\"],\"%s\"]}"
                    .formatted(hmac("x"), hmac("1"), hmac("2"), hmac("{\"c\":3}"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"secret\"", "[{\"a\":\"secret\"},\"secret\"]", "12345", "true", "null"})
  void withholdsARowThatIsNoObject(String element) throws IOException {
    Row row = read("[" + element + "]", excluding("a")).get(0);

    assertThat(row.fault().orElseThrow().type()).isEqualTo(Fault.Type.NOT_AN_OBJECT);
    assertThat(row.isWithheld()).isTrue();
    assertThat(row.json()).isEmpty();
    assertThat(row.length()).isEqualTo(element.length());
  }

  static List<String> faults() {
    return List.of(
        "\"" + "y".repeat(30_000) + "\"",
        "[".repeat(30) + "]".repeat(30),
        "9".repeat(60),
        "[" + "1,".repeat(100_000) + "1]",
        "01",
        "\"\\x\"");
  }

  @ParameterizedTest
  @MethodSource("faults")
  void withholdsTheTextOfABrokenRow(String fault) throws IOException {
    String body = "[{\"id\":7,\"card\":\"secret\",\"b\":{\"card\":\"secret\"},\"a\":%s}]";
    String text = body.formatted(fault);

    Row row = read(text, excluding("card", "b.card")).get(0);
    Row other = read(text.replace("secret", "others"), excluding("card", "b.card")).get(0);
    Row longer = read(text.replace("secret", "longer secret"), excluding("card", "b.card")).get(0);
    Row kept = read(text.replace(":7", ":8"), excluding("card", "b.card")).get(0);

    assertThat(row.isWithheld()).isTrue();
    assertThat(row.beginning()).isEmpty();
    assertThat(row.fault().orElseThrow().readable().json())
        .startsWith("{\"id\":7,\"b\":{}")
        .doesNotContain("secret");
    assertThat(row.length()).isEqualTo(text.length() - 2);
    assertThat(row.hash()).as("covers no private field").isEqualTo(other.hash());
    assertThat(List.of(longer.hash(), kept.hash())).doesNotContain(row.hash());
  }

  @Test
  void hashesTheReadableFieldsOfABrokenRow() throws IOException {
    Row broken = read("[{\"id\":7.0,\"name\":{\"x\":1},\"a\":01}]", hashing("id", "name")).get(0);

    assertThat(broken.fault().orElseThrow().readable().json())
        .isEqualTo("{\"id\":\"" + hmac("7") + "\",\"name\":{}}");
  }

  @Test
  void privateFieldsCountTowardsTheLimits() throws IOException {
    String row = "{\"photo\":\"" + "x".repeat(25_000) + "\",\"id\":1}";

    assertThat(read("[" + row + "]", excluding("photo")).get(0).fault().orElseThrow().detail())
        .isEqualTo("20000 bytes of one row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"a\":\"secret",
        "[{\"a\":\"secret\"",
        "[{\"a\":{\"secret\":1]}]",
      })
  void refusesABodyThatIsCutWrongWithoutAWordOfIt(String body) {
    assertThatThrownBy(() -> read(body, hashing("a")))
        .isInstanceOf(BodyException.class)
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void keepsTheEnvelopeAroundRows() throws IOException {
    String body = "{\"items\":[{\"nextPageKey\":1}],\"haveMoreData\":true,\"nextPageKey\":\"k\"}";
    JsonRows rows = rows(body, Shape.ENVELOPE, excluding("nextPageKey"));

    assertThat(rows.next().map(Row::json)).contains("{}");
    assertThat(rows.next()).isEmpty();
    assertThat(rows.end().nextPageKey()).isEqualTo("k");
  }

  /** Against a parser that holds the whole row. */
  @Test
  void leavesWhatAModelLeaves() {
    RandomCases.check(
        3_000,
        random -> {
          List<String> excluded = new ArrayList<>();
          List<String> hashed = new ArrayList<>();
          for (int i = random.nextInt(1, 4); i > 0; i--) {
            String path = path(random);
            if (Stream.concat(excluded.stream(), hashed.stream())
                .allMatch(each -> areApart(each, path))) {
              (random.nextBoolean() ? excluded : hashed).add(path);
            }
          }
          ObjectNode row = object(random, 4);
          String text = spelled(row, random);

          JsonNode left =
              JSON.readTree(
                  read("[" + text + "]", new Privacy(List.of(), excluded, hashed, SALT))
                      .get(0)
                      .json());

          assertThat(left)
              .as("%s without %s", text, excluded)
              .isEqualTo(left(row, excluded, hashed));
        });
  }

  /** Two of which one holds the other are refused. */
  private static boolean areApart(String one, String other) {
    return !Privacy.holders(List.of(one)).test(other) && !Privacy.holders(List.of(other)).test(one);
  }

  private static String path(RandomGenerator random) {
    StringBuilder path = new StringBuilder(name(random));
    while (random.nextInt(3) > 0) {
      path.append('.').append(name(random));
    }
    return path.toString();
  }

  private static String name(RandomGenerator random) {
    return List.of("a", "B", "é", "a.b", "\"", "𝄞").get(random.nextInt(6));
  }

  private static ObjectNode object(RandomGenerator random, int depth) {
    ObjectNode object = JSON.createObjectNode();
    for (int i = random.nextInt(5); i > 0; i--) {
      String name = name(random);
      object.set(
          random.nextBoolean() ? name : name.toUpperCase(Locale.ROOT), value(random, depth - 1));
    }
    return object;
  }

  private static JsonNode value(RandomGenerator random, int depth) {
    int choice = random.nextInt(depth > 0 ? 7 : 4);
    return switch (choice) {
      case 0 -> JSON.getNodeFactory().nullNode();
      case 1 -> JSON.getNodeFactory().numberNode(random.nextInt(50));
      case 2 -> JSON.getNodeFactory().booleanNode(random.nextBoolean());
      case 3 -> JSON.getNodeFactory().textNode("{\"},\\" + random.nextInt(9));
      case 4 -> {
        ArrayNode array = JSON.createArrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(random, depth - 1));
        }
        yield array;
      }
      default -> object(random, depth);
    };
  }

  private static String spelled(JsonNode row, RandomGenerator random) throws IOException {
    String text =
        random.nextBoolean()
            ? JSON.writerWithDefaultPrettyPrinter().writeValueAsString(row)
            : JSON.writeValueAsString(row);
    return random.nextBoolean() ? text.replace("\"a", "\"\\u0061") : text;
  }

  private static JsonNode left(JsonNode value, List<String> excluded, List<String> hashed) {
    if (value.isArray()) {
      ArrayNode array = JSON.createArrayNode();
      value.forEach(item -> array.add(left(item, excluded, hashed)));
      return array;
    }
    if (!value.isObject()) {
      return value;
    }
    ObjectNode object = JSON.createObjectNode();
    value
        .properties()
        .forEach(
            field -> {
              String name = field.getKey();
              if (excluded.stream().noneMatch(name::equalsIgnoreCase)) {
                object.set(
                    name,
                    hashed.stream().anyMatch(name::equalsIgnoreCase)
                        ? hashed(field.getValue())
                        : left(field.getValue(), within(excluded, name), within(hashed, name)));
              }
            });
    return object;
  }

  private static List<String> within(List<String> paths, String name) {
    return paths.stream()
        .filter(path -> path.regionMatches(true, 0, name + ".", 0, name.length() + 1))
        .map(path -> path.substring(name.length() + 1))
        .toList();
  }

  private static JsonNode hashed(JsonNode value) {
    if (value.isArray()) {
      ArrayNode array = JSON.createArrayNode();
      value.forEach(item -> array.add(hashed(item)));
      return array;
    }
    return value.isNull()
        ? value
        : JSON.getNodeFactory().textNode(hmac(value.isObject() ? text(value) : value.asText()));
  }

  private static String text(JsonNode value) {
    if (value.isArray()) {
      List<String> items = new ArrayList<>();
      value.forEach(item -> items.add(text(item)));
      return "[" + String.join(",", items) + "]";
    }
    if (!value.isObject()) {
      return value.toString();
    }
    Map<String, String> fields = new TreeMap<>();
    for (var field : value.properties()) {
      if (!field.getValue().isNull()) {
        String name = JSON.getNodeFactory().textNode(field.getKey()).toString();
        fields.put(field.getKey(), name + ":" + text(field.getValue()));
      }
    }
    return "{" + String.join(",", fields.values()) + "}";
  }

  private static String hmac(String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SALT.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String one(String row, Privacy privacy) throws IOException {
    List<Row> rows = read("[{\"first\":1}," + row + " ,{\"last\":1}]", privacy);
    assertThat(rows).hasSize(3);
    assertThat(rows.get(2).json()).isEqualTo("{\"last\":1}");
    return rows.get(1).json();
  }

  private static JsonRows rows(String body, Shape shape, Privacy privacy) {
    Random random = new Random(body.length());
    Chunks chunks = new Chunks(body, random, 1 + random.nextInt(5_000));
    return new JsonRows.Factory(LIMITS).rows(chunks, shape, privacy);
  }

  private static List<Row> read(String body, Privacy privacy) throws IOException {
    return JsonRowsTest.drain(rows(body, Shape.ARRAY, privacy));
  }
}
