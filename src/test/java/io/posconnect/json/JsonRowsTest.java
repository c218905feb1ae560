package io.posconnect.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.posconnect.RandomCases;
import io.posconnect.json.Row.Kind;
import io.posconnect.problem.Problem;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRowsTest {

  @Test
  void rowsKeepTheirTextHoweverTheBodyIsSplit() {
    RandomCases.check(
        300,
        random -> {
          JsonTexts texts = new JsonTexts(random);
          List<JsonTexts.Element> elements =
              Stream.generate(() -> texts.object(12)).limit(random.nextInt(41)).toList();
          String body = texts.array(elements);
          int piece = random.nextBoolean() ? random.nextInt(1, 20) : random.nextInt(1, 10_001);

          List<Row> read = read(Shape.ARRAY, new Chunks(body, random, piece), BodyLimits.DEFAULT);

          assertThat(read).hasSameSizeAs(elements);
          for (int i = 0; i < read.size(); i++) {
            check(read.get(i), elements.get(i));
          }
        });
  }

  @Test
  void readsLargeListsWhoseNamesAreData() throws IOException {
    int count = 20_000;
    StringBuilder body = new StringBuilder("[");
    for (int i = 0; i < count; i++) {
      body.append(i == 0 ? "" : ", ")
          .append("{\"id\":%d,\"by day\":{\"name-%d\":{\"x\":\"%<d\"}}}".formatted(i, i * 7_919L));
    }

    List<Row> read = read(Shape.ARRAY, body.append(']').toString());

    assertThat(body).hasSizeGreaterThan(1 << 20);
    assertThat(read).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(read.get(i).text(0)).isEqualTo(Integer.toString(i));
      assertThat(read.get(i).text(1)).isEqualTo("{\"name-%d\":{\"x\":\"%<d\"}}", i * 7_919L);
    }
  }

  private static void check(Row row, JsonTexts.Element element) {
    assertThat(row.json()).isEqualTo(element.text());
    for (int field = 0; field < row.size(); field++) {
      assertThat(row.name(field)).isEqualTo(element.names().get(field));
      assertThat(row.text(field)).isEqualTo(element.values().get(field));
    }
    assertThat(row.size()).isEqualTo(element.names().size());
  }

  @Test
  void noPrefixOfABodyIsABody() {
    RandomCases.check(
        200,
        random -> {
          JsonTexts texts = new JsonTexts(random);
          String body = texts.array(List.of(texts.object(5), texts.object(5))).strip();
          String prefix = body.substring(0, random.nextInt(body.length()));

          assertThat(failure(Shape.ARRAY, prefix)).hasMessageStartingWith("is ");
        });
  }

  @Test
  void rowsWithTheSameFieldsShareTheirNames() throws IOException {
    List<Row> rows = read(Shape.ARRAY, "[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4},{\"a\":5}]");

    assertThat(rows.get(1).names()).isSameAs(rows.get(0).names());
    assertThat(rows.get(2).names()).isNotSameAs(rows.get(0).names());
  }

  @Test
  void returnsElementsThatAreNoObjects() throws IOException {
    List<Row> rows = read(Shape.ARRAY, "[1.0, \"a\" ,null,[ {} ],true]");

    assertThat(rows)
        .extracting(Row::json)
        .containsExactly("1.0", "\"a\"", "null", "[ {} ]", "true");
    assertThat(rows)
        .extracting(Row::kind)
        .containsExactly(Kind.NUMBER, Kind.STRING, Kind.NULL, Kind.ARRAY, Kind.BOOLEAN);
  }

  @Test
  void anEmptyArrayHasNoRowsAndASingleObjectIsTheOnlyRow() throws IOException {
    assertThat(read(Shape.ARRAY, " [ ] \n")).isEmpty();
    assertThat(read(Shape.OBJECT, " {\"Name\" : 1} "))
        .extracting(Row::json)
        .containsExactly("{\"Name\" : 1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"items\":[{\"a\":1}],\"pageSize\":1,\"haveMoreData\":true,\"nextPageKey\":\"offset:1\"}",
        "{\"NextPageKey\":\"offset:1\",\"x\":{\"items\":[2]},\"HAVEMOREDATA\":true,\"Items\":[{\"a\":1}],\"y\":[[1]]}"
      })
  void readsEnvelopeFieldsInAnyOrderAndCase(String body) throws IOException {
    JsonRows rows = rows(Shape.ENVELOPE, stream(body), BodyLimits.DEFAULT);

    assertThat(rows.next().orElseThrow().json()).isEqualTo("{\"a\":1}");
    assertThat(rows.next()).isEmpty();
    assertThat(rows.next()).isEmpty();
    assertThat(rows.end()).isEqualTo(new PageEnd(1, "offset:1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"haveMoreData":false}                                      | without items
          {"items":null,"haveMoreData":false}                         | not an array
          {"items":[]}                                                | without haveMoreData
          {"items":[],"haveMoreData":"no"}                            | neither true nor false
          {"items":[],"haveMoreData":true}                            | but no nextPageKey
          {"items":[],"haveMoreData":true,"nextPageKey":null}         | no nextPageKey
          {"items":[],"haveMoreData":true,"nextPageKey":7}            | not a string
          {"items":[],"items":[],"haveMoreData":false}                | twice
          []                                                          | an array instead of an object
          """)
  void refusesAnIncompleteEnvelope(String body, String reason) {
    assertThat(failure(Shape.ENVELOPE, body)).hasMessageContaining(reason);
  }

  @Test
  void usesTheKeyOfTheNextPageOnlyWhereMoreDataFollows() throws IOException {
    String last = "{\"items\":[],\"haveMoreData\":false,\"nextPageKey\":\"offset:1\"}";
    JsonRows rows = rows(Shape.ENVELOPE, stream(last), BodyLimits.DEFAULT);
    assertThat(rows.next()).isEmpty();
    assertThat(rows.end()).isEqualTo(PageEnd.of(0));
  }

  /** What a request carried would be another key. */
  @ParameterizedTest
  @ValueSource(strings = {"offset:\u00ff", "offset:\\ud800"})
  void refusesAKeyOfTheNextPageThatNoRequestCanCarry(String key) {
    String body = "{\"items\":[],\"haveMoreData\":true,\"nextPageKey\":\"" + key + "\"}";
    JsonRows rows = rows(Shape.ENVELOPE, latin1(body), BodyLimits.DEFAULT);

    assertThatThrownBy(rows::next)
        .isInstanceOf(BodyException.class)
        .hasMessage("has a nextPageKey that is not text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                       | is empty
          '   '                    | is empty
          <html>secret</html>      | is not JSON
          {"Message":"secret"}     | is an object instead of an array
          "secret"                 | is a single value instead of an array
          [{"a":1}                 | is truncated
          [{"a":"sec               | is truncated
          [{"a":1},                | is truncated
          [{"a":1,                 | is truncated
          [                        | is truncated
          [{"a":1}] secret         | is not JSON
          [{"a":1}][]              | goes on after its end
          [{"a":1},]               | is not JSON
          [<secret>]               | is not JSON
          [{"a":1}]ÿ,{"a":2}]      | is not JSON
          """)
  void refusesAnotherShapeWithoutQuotingIt(String body, String reason) {
    JsonRows rows = rows(Shape.ARRAY, latin1(body), BodyLimits.DEFAULT);
    BodyException failure = catchThrowableOfType(BodyException.class, () -> drain(rows));

    assertThat(failure).hasMessageStartingWith(reason);
    assertThat(failure.getMessage()).doesNotContain("secret");
    assertThat(failure).hasNoCause();
    assertThat(failure.problem()).isEqualTo(Problem.BODY_MALFORMED);
  }

  @Test
  void returnsTheRowsBeforeAFailure() throws IOException {
    JsonRows rows = rows(Shape.ARRAY, stream("[{\"a\":1},{"), BodyLimits.DEFAULT);

    assertThat(rows.next()).isPresent();
    assertThatThrownBy(rows::next).isInstanceOf(BodyException.class);
    assertThatIllegalStateException().isThrownBy(rows::end);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[{\"ä\":\"€\"}]", " []", "[\n1]"})
  void ignoresAByteOrderMark(String body) throws IOException {
    assertThat(read(Shape.ARRAY, "\uFEFF" + body))
        .extracting(Row::json)
        .isEqualTo(read(Shape.ARRAY, body).stream().map(Row::json).toList());
  }

  @Test
  void countsNoByteOrderMark() throws IOException {
    JsonRows rows = rows(Shape.ARRAY, stream("\uFEFF[1] x"), BodyLimits.DEFAULT);
    rows.next();

    assertThatThrownBy(rows::next).hasMessage("is not JSON (byte 4)");
    assertThat(rows.notes().bytes()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void anyOtherEncodingIsRefused(String charset) {
    byte[] body = "[{\"a\":1}]".getBytes(Charset.forName(charset));

    assertThatThrownBy(() -> read(Shape.ARRAY, new ByteArrayInputStream(body), BodyLimits.DEFAULT))
        .isInstanceOf(BodyException.class)
        .hasMessageContaining("is not in UTF-8");
  }

  @Test
  void acceptsABodyWithinTheLimits() throws IOException {
    BodyLimits limits = new BodyLimits(100_000, 5_100, 3, 50, 60);
    String body =
        "[{\"" + "n".repeat(60) + "\":[\"" + "x".repeat(5_000) + "\"]}," + "1".repeat(50) + "]";

    assertThat(read(Shape.ARRAY, stream(body), limits)).hasSize(2);
  }

  @Test
  void acceptsAStringAsLongAsARow() throws IOException {
    BodyLimits limits = BodyLimits.DEFAULT.withRowBytes(16 << 20);
    String body = "[{\"a\":\"" + "x".repeat(9 << 20) + "\"}]";

    assertThat(read(Shape.ARRAY, stream(body), limits))
        .extracting(Row::fault)
        .containsExactly(Optional.empty());
  }

  @Test
  void aBodyThatIsTooLargeSaysSo() {
    BodyLimits limits = new BodyLimits(50_000, 1_000, 10, 10, 10);
    String body = "[" + "{\"a\":1},".repeat(10_000) + "{}]";

    assertThatThrownBy(() -> read(Shape.ARRAY, stream(body), limits))
        .isInstanceOfSatisfying(
            BodyException.class, e -> assertThat(e.problem()).isEqualTo(Problem.BODY_TOO_LARGE))
        .hasMessageContaining("50000 bytes of a body");
  }

  @Test
  void aBrokenStreamIsNotTheBodysFault() {
    Chunks broken = new Chunks("[{}", new Random(1), 8).breakingOff();

    assertThatThrownBy(() -> read(Shape.ARRAY, broken, BodyLimits.DEFAULT))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("gone");
  }

  @Test
  void countsTheBytesOfTheBody() throws IOException {
    JsonRows rows = rows(Shape.ARRAY, stream("[{\"a\":1}]  "), BodyLimits.DEFAULT);

    assertThat(rows.notes().bytes()).isZero();
    while (rows.next().isPresent()) {}
    assertThat(rows.notes().bytes()).isEqualTo(11);
  }

  private static BodyException failure(Shape shape, String body) {
    return catchThrowableOfType(BodyException.class, () -> read(shape, body));
  }

  private static List<Row> read(Shape shape, String body) throws IOException {
    return read(shape, stream(body), BodyLimits.DEFAULT);
  }

  private static List<Row> read(Shape shape, InputStream body, BodyLimits limits)
      throws IOException {
    JsonRows rows = rows(shape, body, limits);
    List<Row> all = drain(rows);
    assertThat(rows.end().rows()).isEqualTo(all.size());
    return all;
  }

  static List<Row> drain(JsonRows rows) throws IOException {
    List<Row> all = new ArrayList<>();
    for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
      all.add(row.get());
    }
    return all;
  }

  static JsonRows rows(Shape shape, InputStream body, BodyLimits limits) {
    return new JsonRows.Factory(limits).rows(body, shape, Privacy.NONE);
  }

  /** Every character is one byte. */
  private static InputStream latin1(String body) {
    return new ByteArrayInputStream(body.getBytes(StandardCharsets.ISO_8859_1));
  }

  static InputStream stream(String body) {
    return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
  }
}
