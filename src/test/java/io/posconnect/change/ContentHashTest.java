package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.json.Row;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentHashTest {

  private static final ContentHash HASH = new ContentHash(Set.of());

  @Test
  void spellingDoesNotCount() {
    RandomCases.check(
        1_000,
        random -> {
          Map<String, Object> object = Json.object(random);
          String one = Json.spell(object, random);
          String other = Json.spell(object, random);

          assertThat(hash(one)).as("%s and %s", one, other).isEqualTo(hash(other));
        });
  }

  @Test
  void contentCounts() {
    RandomCases.check(
        1_000,
        random -> {
          Map<String, Object> one = Json.object(random);
          Map<String, Object> other =
              random.nextBoolean() ? Json.object(random) : Json.changed(one, random);
          String spelled = Json.spell(one, random);
          String otherSpelled = Json.spell(other, random);

          assertThat(hash(spelled) == hash(otherSpelled))
              .as("%s and %s", spelled, otherSpelled)
              .isEqualTo(Json.folded(one).equals(Json.folded(other)));
        });
  }

  @Test
  void hasFiftySixBitsAndUsesThem() {
    AtomicLong seen = new AtomicLong();
    RandomCases.check(
        1_000,
        random ->
            seen.accumulateAndGet(hash(Json.spell(Json.object(random), random)), (a, b) -> a | b));

    assertThat(seen.get()).isEqualTo((1L << 56) - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 | 10.0",
        "10 | 1e1",
        "10 | 1E+1",
        "10 | 0.1e2",
        "10 | 100e-1",
        "10 | 1e0000000000000000000000001",
        "0 | -0",
        "0 | -0.0",
        "0 | 0e99999999999999999999",
        "0.001 | 1e-3",
        "-12.5 | -125e-1",
        "1e999999999 | 10e999999998",
        "1e-999999999 | 0.1e-999999998",
        "1e999999999999999999 | 1E+999999999999999999",
        "1e99999999999999999999 | 1e99999999999999999999"
      })
  void equalNumbersAreEqual(String one, String other) {
    assertThat(hash("{\"a\":" + one + "}")).isEqualTo(hash("{\"a\":" + other + "}"));
    assertThat(hash("{\"a\":[" + one + "]}")).isEqualTo(hash("{\"a\":[" + other + "]}"));
  }

  @Test
  void whatDiffersIsDifferent() {
    String values =
        """
        {} {"a":1} {"a":-1} {"a":10} {"a":0.1} {"a":101} {"a":1.01} {"a":0}
        {"a":1e999999999} {"a":1e-999999999} {"a":1e99999999999999999999}
        {"a":1e99999999999999999998} {"a":-1e99999999999999999999} {"a":"1"} {"a":""}
        {"a":"true"} {"a":true} {"a":false} {"a":[]} {"a":[null]} {"a":[null,null]}
        {"a":[1]} {"a":[[1]]} {"a":[1,2]} {"a":[2,1]} {"a":[[1],2]} {"a":[[1,2]]}
        {"a":[1,[2]]} {"a":{}} {"a":{"b":1}} {"a":{"a":1}} {"a":[{}]} {"b":1} {"a":1,"A":1}
        {"a":1,"A":2} {"a":2,"A":1} {"a":1,"a":2} {"a":1,"A":null} {"A":1,"A":2} {"a":{"b":1,"B":2}}
        {"a":{"b":2,"B":1}} {"a":[{"b":2,"B":1}]} {"a":1,"b":2} {"a":2,"b":1} {"a":1,"b":1}
        {"a":{"b":1},"c":2} {"a":{"b":1,"c":2}} {"a":"\\ud800"} {"a":"?"} {"a":"abcd"} {"a":"ABCD"}
        {"a":"abcd\\u0000"} {"a":"\\u0000abcd"} {"a":"é"} {"o\u0308":1,"\u00f6":2} {"o\u0308":2,"\u00f6":1}
        """;

    assertThat(Stream.of(values.split("\\s+")).map(ContentHashTest::hash)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"productId\":1} | {\"ProductID\":1}",
        "{\"a\":{\"nextPage\":[{\"éA\":1}]}} | {\"A\":{\"NEXTPAGE\":[{\"Éa\":1}]}}",
        "{\"\ud801\udc28\":1} | {\"\ud801\udc00\":1}",
        "{\"a\":1,\"b\":{\"c\":2,\"C\":3}} | {\"A\":1,\"B\":{\"C\":3,\"c\":2}}"
      })
  void theCaseOfANameDoesNotCountAtAnyDepth(String one, String other) {
    assertThat(hash(one)).isEqualTo(hash(other));
  }

  @Test
  void caseCountsWhereNamesDifferInNothingElse() {
    assertThat(hash("{\"a\":1,\"A\":2}")).isEqualTo(hash("{\"A\":2,\"a\":1}"));
    assertThat(hash("{\"a\":1,\"A\":2}")).isNotEqualTo(hash("{\"A\":1,\"a\":2}"));
    assertThat(hash("{\"a\":1,\"A\":2,\"B\":3}")).isEqualTo(hash("{\"a\":1,\"A\":2,\"b\":3}"));
  }

  @Test
  void nullIsAbsentAtAnyDepthButNotInAnArray() {
    assertThat(hash("{\"a\":1,\"b\":null}")).isEqualTo(hash("{\"a\":1}"));
    assertThat(hash("{\"a\":{\"b\":null}}")).isEqualTo(hash("{\"a\":{}}"));
    assertThat(hash("{\"a\":[1,null]}")).isNotEqualTo(hash("{\"a\":[1]}"));
  }

  @Test
  void anEscapedStringIsTheSameAtTheTopAndBelow() {
    assertThat(hash("{\"a\":\"\\u0061\\/é\"}")).isEqualTo(hash("{\"a\":\"a/\\u00e9\"}"));
    assertThat(hash("{\"a\":[\"\\u0061\\/é\"]}")).isEqualTo(hash("{\"a\":[\"a/\\u00e9\"]}"));
  }

  @Test
  void theFormOfAnAccentInANameDoesNotCount() {
    assertThat(hash("{\"cafe\u0301\":1}")).isEqualTo(hash("{\"caf\u00e9\":1}"));
  }

  @Test
  void ignoresExactNameElseThoseThatDifferInCase() {
    ContentHash ignoring = new ContentHash(Set.of("lastSeen"));

    assertThat(ignoring.of(Row.parse("{\"a\":1,\"lastSeen\":2}"))).isEqualTo(hash("{\"a\":1}"));
    assertThat(ignoring.of(Row.parse("{\"a\":1,\"LASTSEEN\":2}"))).isEqualTo(hash("{\"a\":1}"));
    assertThat(ignoring.of(Row.parse("{\"lastSeen\":1,\"LastSeen\":2}")))
        .isEqualTo(ignoring.of(Row.parse("{\"lastSeen\":9,\"LastSeen\":2}")))
        .isNotEqualTo(ignoring.of(Row.parse("{\"lastSeen\":1,\"LastSeen\":9}")));
    assertThat(new ContentHash(Set.of("gelo\u0308scht")).of(Row.parse("{\"Gel\u00d6scht\":1}")))
        .isEqualTo(hash("{}"));
    assertThat(ignoring.of(Row.parse("{\"a\":{\"lastSeen\":1}}")))
        .isEqualTo(hash("{\"a\":{\"lastSeen\":1}}"));
  }

  @Test
  void aRowThatIsNoObjectIsHashedAsTheValueItIs() {
    assertThat(List.of(hash("[]"), hash("{}"), hash("null"), hash("1"), hash("\"1\"")))
        .doesNotHaveDuplicates();
    assertThat(hash("[1.0, 2]")).isEqualTo(hash("[1,2]"));
  }

  @Test
  void similarRowsDoNotCollide() {
    Set<Long> hashes = new HashSet<>();
    for (int i = 0; i < 200_000; i++) {
      hashes.add(hash("{\"productId\":" + i + ",\"price\":" + (i % 100) + "}"));
    }
    assertThat(hashes).hasSize(200_000);
  }

  @Test
  void isWhatItAlwaysWas() {
    assertThat(hash("{}")).isEqualTo(57482396231932613L);
    assertThat(
            hash(
                "{\"productId\":42,\"name\":\"Blue \\\"Dream\\\" é\",\"price\":12.50,\"tags\":[1,"
                    + "\"b\",null,{\"x\":false}],\"isActive\":true,\"gone\":null}"))
        .isEqualTo(19634777529781241L);
    assertThat(hash("{\"a\":-1.5e-7,\"b\":1e99999999999999999999}")).isEqualTo(39926740724558520L);
  }

  private static long hash(String json) {
    return HASH.of(Row.parse(json));
  }
}
