package io.posconnect.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.RandomCases;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of rows of which nobody is to see everything. */
class RowRedactorTest {

  private static final String SALT = "a salt of some length";
  private static final BodyLimits LIMITS = new BodyLimits(10_000_000, 20_000, 10, 5_000, 50, 60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Privacy excluding(String... paths) {
    return new Privacy(List.of(paths), List.of(), "");
  }

  private static Privacy hashing(String... paths) {
    return new Privacy(List.of(), List.of(paths), SALT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "email            | {\"id\":1,\"email\":\"s\",\"b\":[1, 2]}        | {\"id\":1,\"b\":[1,2]}",
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
        "ä.𝄞              | {\"Ä\":{\"𝄞\":1,\"𝄢\":2}}                      | {\"Ä\":{\"𝄢\":2}}",
      })
  void anExcludedFieldIsNotThere(String paths, String row, String left) throws IOException {
    assertThat(one(row, excluding(paths.split(",")))).isEqualTo(left);
  }

  @Test
  void aHashIsTheHmacOfTheText() throws Exception {
    Privacy privacy = hashing("email", "card.number");

    JsonNode row =
        JSON.readTree(
            one(
                "{\"email\":\"\\u0061nn@example.com\",\"card\":[{\"number\":4111.0,\"n\":1}]}",
                privacy));

    assertThat(row.at("/email").textValue()).isEqualTo(hmac("ann@example.com"));
    assertThat(row.at("/card/0/number").textValue()).isEqualTo(hmac("4111"));
    assertThat(row.at("/card/0/n").intValue()).isEqualTo(1);
  }

  @Test
  void aHashIsThatOfOpenssl() throws IOException {
    assertThat(one("{\"a\":\"ann@example.com\"}", hashing("a")))
        .contains("5d40626d356850d7ce54b24bb3ba189d13bbdd8c603306104ed0ea69824f4ea6");
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
        "{\"b\":1.0,\"a\":[null]} | {\"a\":[null],\"c\":null,\"b\":1} | {\"a\":[null],\"b\":1}",
      })
  void equalValuesHaveEqualHashes(String one, String other, String text) throws Exception {
    String hash = "{\"a\":\"" + hmac(text == null ? "" : text) + "\"}";

    assertThat(one("{\"a\":" + one + "}", hashing("a"))).isEqualTo(hash);
    assertThat(one("{\"a\":" + other + "}", hashing("A"))).isEqualTo(hash);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e999999999", "-1E-999999999", "1e99999999999999999999", "0e999999999999"})
  void aNumberThatNobodyCanWriteDownHasAHash(String number) throws IOException {
    assertThat(one("{\"a\":" + number + "}", hashing("a"))).hasSize("{\"a\":\"\"}".length() + 64);
  }

  @Test
  void nullStaysAndAnArraysElementsAreHashedEachByItself() throws Exception {
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
  void nothingIsLeftOfARowThatIsNoObject(String row) throws IOException {
    assertThat(one(row, excluding("a"))).isEqualTo("null");
  }

  @Test
  void whatIsExcludedCountsInNoLimitOfARow() throws IOException {
    String large = "{\"x\":\"" + "x".repeat(4_000_000) + "\"," + deep() + "}";

    assertThat(one("{\"photo\":" + large + ",\"id\":1}", excluding("photo")))
        .isEqualTo("{\"id\":1}");
    assertThat(one("{\"photo\":" + large + ",\"id\":1}", hashing("photo")))
        .hasSize("{\"photo\":\"\",\"id\":1}".length() + 64);
    assertThat(one("{\"photo\":{" + deep() + "}}", hashing("photo")))
        .isNotEqualTo(one("{\"photo\":{" + deep().replace('d', 'e') + "}}", hashing("photo")));
  }

  private static String deep() {
    return "\"d\":" + "[".repeat(50) + "]".repeat(50);
  }

  @Test
  void ofARowBeyondALimitTheBeginningHoldsNothingThatIsExcluded() throws IOException {
    for (String excess :
        List.of(
            "\"" + "y".repeat(30_000) + "\"",
            "[".repeat(30) + "]".repeat(30),
            "9".repeat(60),
            "\"" + "y".repeat(6_000) + "\"",
            "[" + "1,".repeat(100_000) + "1]")) {
      String body = "[{\"card\":\"secret\",\"a\":%s,\"b\":{\"card\":1},\"CARD\":\"secret\"}]";

      Row row = read(body.formatted(excess), excluding("card", "b.card")).get(0);
      Row other =
          read(body.formatted(excess).replace("secret", "other"), excluding("card", "b.card"))
              .get(0);

      assertThat(row.fault()).isPresent();
      assertThat(row.beginning()).startsWith("{\"a\":").doesNotContain("secret");
      assertThat(row.hash()).isEqualTo(other.hash());
      assertThat(row.length()).isEqualTo(other.length());
    }
  }

  @Test
  void aRowThatIsTooDeepOnTheWayToAFieldIsBeyondThatLimit() throws IOException {
    String deep = "{\"a\":" + "[".repeat(5_000) + "{\"b\":1}" + "]".repeat(5_000) + "}";

    Row row = read("[" + deep + ",{\"a\":{\"b\":1}}]", excluding("a.b")).get(0);

    assertThat(row.fault().orElseThrow().detail()).isEqualTo("10 levels of nesting");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"a\":\"secret",
        "[{\"a\":\"secret\"",
        "[{\"a\":\"\\x secret\"}]",
        "[{\"\\x secret\":1}]",
        "[{\"a\":{\"secret\":1]}]",
      })
  void whatIsNoJsonIsRefusedWithoutAWordOfIt(String body) {
    assertThatThrownBy(() -> read(body, hashing("a")))
        .isInstanceOf(BodyException.class)
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void theEnvelopeAroundRowsIsNoRow() throws IOException {
    String body = "{\"items\":[{\"nextPageKey\":1}],\"haveMoreData\":true,\"nextPageKey\":\"k\"}";
    JsonRows rows =
        new JsonRows.Factory(LIMITS)
            .rows(chunks(body, new Random(1)), Shape.ENVELOPE, excluding("nextPageKey"));

    assertThat(rows.next().map(Row::json)).contains("{}");
    assertThat(rows.next()).isEmpty();
    assertThat(rows.end().nextPageKey()).isEqualTo("k");
  }

  /** Against a parser that holds the whole row. */
  @Test
  void whatIsLeftIsWhatIsLeftOfTheTree() {
    RandomCases.check(
        3_000,
        random -> {
          List<String> excluded = new ArrayList<>();
          List<String> hashed = new ArrayList<>();
          for (int i = random.nextInt(1, 4); i > 0; i--) {
            (random.nextBoolean() ? excluded : hashed).add(path(random));
          }
          ObjectNode row = object(random, 4);
          String text = spelled(row, random);

          JsonNode left =
              JSON.readTree(
                  read("[" + text + "]", new Privacy(excluded, hashed, SALT)).get(0).json());

          assertThat(left)
              .as("%s without %s", text, excluded)
              .isEqualTo(left(row, excluded, hashed));
        });
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
    try {
      if (value.isArray()) {
        List<String> items = new ArrayList<>();
        value.forEach(item -> items.add(text(item)));
        return "[" + String.join(",", items) + "]";
      }
      if (!value.isObject()) {
        return JSON.writeValueAsString(value);
      }
      List<String> fields = new ArrayList<>();
      for (var field : value.properties()) {
        if (!field.getValue().isNull()) {
          fields.add(JSON.writeValueAsString(field.getKey()) + ":" + text(field.getValue()));
        }
      }
      return "{" + String.join(",", fields.stream().sorted().toList()) + "}";
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
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

  private static Chunks chunks(String body, RandomGenerator random) {
    return new Chunks(body, random, 1 + random.nextInt(5_000));
  }

  private static List<Row> read(String body, Privacy privacy) throws IOException {
    JsonRows rows =
        new JsonRows.Factory(LIMITS)
            .rows(chunks(body, new Random(body.length())), Shape.ARRAY, privacy);
    List<Row> all = new ArrayList<>();
    for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
      all.add(row.get());
    }
    return all;
  }
}
