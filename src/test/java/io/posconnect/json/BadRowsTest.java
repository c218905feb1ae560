package io.posconnect.json;

import static io.posconnect.json.JsonRowsTest.drain;
import static io.posconnect.json.JsonRowsTest.rows;
import static io.posconnect.json.JsonRowsTest.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.posconnect.RandomCases;
import io.posconnect.json.Row.Fault;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Shape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one bad row in a list costs: that row, and no other. */
class BadRowsTest {

  private static final BodyLimits LIMITS = new BodyLimits(10_000_000, 20_000, 10, 50, 60);

  private record TooLarge(String row, String limit) {}

  static List<TooLarge> rowsBeyondALimit() {
    String x = "x".repeat(4_000);
    return List.of(
        new TooLarge("[".repeat(11) + "]".repeat(11), "10 levels of nesting"),
        new TooLarge("[".repeat(5_000) + "]".repeat(5_000), "10 levels of nesting"),
        new TooLarge("{\"a\":" + "1".repeat(51) + "}", "50 characters of one number"),
        new TooLarge("{\"a\":0." + "1".repeat(60) + "}", "50 characters of one number"),
        new TooLarge("{\"" + "n".repeat(70) + "\":1}", "60 characters of one field's name"),
        new TooLarge("{\"a\":\"" + "é".repeat(15_000) + "\"}", "20000 bytes of one row"),
        new TooLarge("{\"a\":" + "1".repeat(90_000) + "}", "20000 bytes of one row"),
        new TooLarge("{\"" + "n".repeat(90_000) + "\":1}", "20000 bytes of one row"),
        new TooLarge("[".repeat(90_000) + "]".repeat(90_000), "20000 bytes of one row"),
        new TooLarge("{\"a\" " + " ".repeat(20_000) + ":1}", "20000 bytes of one row"),
        new TooLarge(
            "{\"a\":[" + ("{\"}\\\"]\":[\"" + x + "\"]},").repeat(500) + "{}]}",
            "20000 bytes of one row"));
  }

  @ParameterizedTest
  @MethodSource("rowsBeyondALimit")
  void reportsTheLimitAndGoesOnWithTheNextRow(TooLarge tooLarge) throws Exception {
    String body = "[{\"a\":1}, " + tooLarge.row() + " ,{\"a\":2}]";

    List<Row> rows = read(new Chunks(body, RandomGenerator.of("Random"), 3_000), LIMITS);

    assertThat(rows).hasSize(3);
    Row bad = rows.get(1);
    assertThat(bad.fault().orElseThrow().detail()).isEqualTo(tooLarge.limit());
    assertThat(bad.fault().orElseThrow().type()).isEqualTo(Fault.Type.EXCEEDS_LIMIT);
    assertThat(bad.size()).isZero();
    assertThat(bad.length()).isEqualTo(utf8(tooLarge.row()).length);
    assertThat(bad.hash()).isEqualTo(sha256(tooLarge.row()));
    assertThat(tooLarge.row()).startsWith(bad.beginning());
    assertThat(bad.beginning().length()).isGreaterThan(Math.min(50, tooLarge.row().length() - 1));
    assertThat(rows.get(0).fault()).isEmpty();
    assertThat(rows.get(2).json()).isEqualTo("{\"a\":2}");
    assertThat(rows.get(2).hash()).isEqualTo(sha256("{\"a\":2}"));
  }

  @Test
  void countsFieldsAndElementsAtAnyDepth() throws Exception {
    String fields = "{" + "\"a\":1,".repeat(100_000) + "\"b\":2}";
    String elements = "{\"a\":[" + "1,".repeat(99_999) + "1]}";
    String enough = "{\"a\":[" + "1,".repeat(99_997) + "1]}";

    List<Row> rows = read("[" + fields + "," + elements + "," + enough + "]", BodyLimits.DEFAULT);

    assertThat(rows)
        .extracting(row -> row.fault().map(Fault::detail).orElse(""))
        .containsExactly(
            "100000 fields and elements of one row", "100000 fields and elements of one row", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "01", "1.", "1x", "-", "secret", "\"\\x\"", "\"\\u00g0\""})
  void aRowThatIsNotJsonCostsOnlyItself(String value) throws Exception {
    String bad = "{\"id\":7,\"a\":[" + value + "],\"b\":2}";

    List<Row> rows = read("[{\"a\":1}, " + bad + " ,{\"a\":2}]", LIMITS);

    assertThat(rows).hasSize(3);
    Fault fault = rows.get(1).fault().orElseThrow();
    assertThat(fault.type()).isEqualTo(Fault.Type.NOT_JSON);
    assertThat(fault.detail()).matches("byte [0-9]+ of the row").doesNotContain("secret");
    assertThat(rows.get(1).length()).isEqualTo(bad.length());
    assertThat(rows.get(1).hash()).isEqualTo(sha256(bad));
    assertThat(rows.get(1).beginning()).isEqualTo(bad);
    assertThat(fault.readable().json()).isEqualTo("{\"id\":7,\"a\":[],\"b\":2}");
    assertThat(rows.get(2).json()).isEqualTo("{\"a\":2}");
  }

  /** The fields that can be read of a broken row, and whether there can be others. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{`id`:7,`a`:`PAD`}            | {`id`:7",
        "{ `a` : {`id`:1} , `id` : 8 ,`b`:PAD} | {`a`:{},`id`:8",
        "{`a`:`PAD`,`id`:9}            | {",
        "{`id`:PAD}                    | {",
        "{`a`:1,`id`:1PAD}             | {`a`:1",
        "{`a`:1,`PAD`:2,`id`:3}        | {`a`:1",
        "{`id`:7,`a`:DEEP,`b`:2}       | {`id`:7,`a`:[],`b`:2}",
        "{`id`:7,`a`:1x,`b`:2}         | {`id`:7",
        "{`id`:01,`b`:2}               | {",
        "{`id`:7,`\\x`:1,`b`:2}        | {`id`:7",
        "[`id`,7,PAD]                  | {",
      })
  void readsTheFieldsBeforeTheFault(String row, String readable) throws IOException {
    String text = row.replace('`', '"').replace("DEEP", "[".repeat(9_000) + "]".repeat(9_000));

    Row bad = read("[" + text.replace("PAD", "1".repeat(30_000)) + ",{}]", LIMITS).get(0);

    Fault fault = bad.fault().orElseThrow();
    StringJoiner fields = new StringJoiner(",", "{", fault.complete() ? "}" : "");
    for (int i = 0; i < fault.readable().size(); i++) {
      fields.add('"' + fault.readable().name(i) + "\":" + fault.readable().text(i));
    }
    assertThat(fields).hasToString(readable.replace('`', '"'));
  }

  @Test
  void countsReplacementsForEachRow() {
    RandomCases.check(
        200,
        random -> {
          StringBuilder body = new StringBuilder("[");
          List<Long> bad = new ArrayList<>();
          for (int i = random.nextInt(1, 20); i > 0; i--) {
            int count = random.nextInt(4) == 0 ? random.nextInt(30_000) : random.nextInt(3);
            bad.add((long) count);
            body.append("{\"a\":\"").append("\u00ff".repeat(count)).append("\"}");
            body.append(i == 1 ? "" : " ,");
          }
          byte[] sent = body.append(']').toString().getBytes(StandardCharsets.ISO_8859_1);
          JsonRows rows = rows(Shape.ARRAY, new Chunks(sent, random, 9_000), LIMITS);

          assertThat(drain(rows)).extracting(Row::replaced).isEqualTo(bad);
          assertThat(rows.notes().replaced()).isEqualTo(bad.stream().mapToLong(n -> n).sum());
        });
  }

  @Test
  void skipsNoMoreThanTheLimitInSearchOfARowsEnd() {
    InputStream endless = new Endless("[{},{\"a\":\"", "x");

    assertThatThrownBy(() -> read(endless, BodyLimits.DEFAULT))
        .isInstanceOfSatisfying(
            BodyException.class, e -> assertThat(e.problem()).isEqualTo(Problem.ROW_TOO_LARGE))
        .hasMessage("exceeds the limit of 33554432 bytes of one row");
  }

  @Test
  void skipsNoMoreBlanksThanTheLimit() {
    assertThatThrownBy(() -> read(new Endless("[{}", " "), BodyLimits.DEFAULT))
        .hasMessage("exceeds the limit of 900000 bytes of blanks between rows");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":[PAD}",
        "{\"a\":PAD \"b\":2}",
        "{\"a\" PAD}",
        "{\"a\":\"19\" TV PAD\"}",
        "[PAD,]",
        "[PAD 1]",
        "{PAD 1}",
        "{\"a\":PAD,}",
        "{\"a\":<html> PAD}",
        "[PAD\"\n\"]",
        "[PAD"
      })
  void neverSkipsARowWhoseEndIsUncertain(String row) {
    String pad = "\"" + "x".repeat(30_000) + "\"";
    String body = "[{\"a\":1}," + row.replace("PAD", pad) + ",{\"a\":2},{\"a\":\"b\"}]";

    assertThatThrownBy(() -> read(body, LIMITS))
        .isInstanceOfSatisfying(
            BodyException.class, e -> assertThat(e.problem()).isEqualTo(Problem.BODY_MALFORMED));
  }

  @Test
  void replacesEveryByteThatIsNotUtf8() {
    RandomCases.check(
        500,
        random -> {
          ByteArrayOutputStream body = new ByteArrayOutputStream();
          StringBuilder expected = new StringBuilder();
          long bad = 0;
          body.writeBytes(utf8("[\""));
          for (int i = random.nextInt(60); i > 0; i--) {
            if (random.nextBoolean()) {
              String good = List.of("a", "é", "€", "𝄞", "\uFFFD").get(random.nextInt(5));
              body.writeBytes(utf8(good));
              expected.append(good);
            } else {
              byte[] broken = BROKEN.get(random.nextInt(BROKEN.size()));
              body.writeBytes(broken);
              body.write('.');
              expected.append("\uFFFD".repeat(broken.length)).append('.');
              bad += broken.length;
            }
          }
          body.writeBytes(utf8("\",{}]"));

          JsonRows rows = rows(Shape.ARRAY, new Chunks(body.toByteArray(), random, 7), LIMITS);
          List<Row> read = drain(rows);

          assertThat(decoded(read.get(0).bytes())).isEqualTo('"' + expected.toString() + '"');
          assertThat(read.get(0).replaced()).isEqualTo(bad);
          assertThat(rows.notes().replaced()).isEqualTo(bad);
        });
  }

  /** No prefix of them is a character, whatever ASCII follows. */
  private static final List<byte[]> BROKEN =
      List.of(
          bytes(0xE4),
          bytes(0x80),
          bytes(0xFF),
          bytes(0xC0, 0xAF),
          bytes(0xE0, 0x80, 0x80),
          bytes(0xED, 0xA0, 0x80),
          bytes(0xF0, 0x80, 0x80, 0x80),
          bytes(0xF0, 0x9D, 0x84),
          bytes(0xF4, 0x90, 0x80, 0x80),
          bytes(0xF5, 0x80, 0x80, 0x80));

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static String decoded(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("not UTF-8", e);
    }
  }

  @Test
  void bytesThatAreNotUtf8CostLittleMemory() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    String body = "[\"" + "é".repeat(LIMITS.rowBytes() / 2) + "\"]";
    InputStream latin = new ByteArrayInputStream(body.getBytes(StandardCharsets.ISO_8859_1));
    long before = threads.getCurrentThreadAllocatedBytes();

    List<Row> read = read(latin, LIMITS);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(50L * body.length());
    assertThat(read.get(0).replaced()).isEqualTo(LIMITS.rowBytes() / 2);
  }

  @Test
  void badBytesCostNoOtherCharacter() throws IOException {
    byte[] body = "[{\"nä\":\"ö\"},{\"a\":\"€\"}]".getBytes(StandardCharsets.ISO_8859_1);
    JsonRows rows = rows(Shape.ARRAY, new ByteArrayInputStream(body), LIMITS);

    assertThat(drain(rows))
        .extracting(Row::json)
        .containsExactly("{\"n\uFFFD\":\"\uFFFD\"}", "{\"a\":\"?\"}");
    assertThat(rows.notes().replaced()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\ud800",
        "\\uDfff",
        "\\udc00\\ud800",
        "\\ud800x",
        "\\ud800\\u0041",
        "\\\\\\uD83d"
      })
  void aNameWithHalfASurrogatePairCostsOnlyItsRow(String name) throws IOException {
    String field = "\"" + name + "\" :[\"" + name + "\"]";
    String body = "[{\"id\":7,\"a\":{%1$s}},{\"id\":7,%1$s},{\"a\":\"%2$s\"}]";

    List<Row> rows = read(body.formatted(field, name), LIMITS);

    assertThat(rows.subList(0, 2))
        .extracting(row -> row.fault().orElseThrow())
        .allMatch(bad -> bad.type() == Fault.Type.NOT_JSON && bad.readable().name(0).equals("id"));
    assertThat(rows.get(2).json()).isEqualTo("{\"a\":\"" + name + "\"}");
  }

  @Test
  void keepsAWholeSurrogatePairInAName() throws IOException {
    JsonRows rows = rows(Shape.ARRAY, stream("[{\"\\ud834\\udd1e\":1}]"), LIMITS);

    assertThat(drain(rows).get(0).name(0)).isEqualTo("𝄞");
    assertThat(rows.notes().replaced()).isZero();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String sha256(String text) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(utf8(text)));
  }

  private static List<Row> read(String body, BodyLimits limits) throws IOException {
    return read(stream(body), limits);
  }

  private static List<Row> read(InputStream body, BodyLimits limits) throws IOException {
    return drain(rows(Shape.ARRAY, body, limits));
  }

  /** A beginning, and then the same for ever. */
  private static final class Endless extends InputStream {

    private final InputStream beginning;
    private final byte again;

    Endless(String beginning, String again) {
      this.beginning = stream(beginning);
      this.again = utf8(again)[0];
    }

    @Override
    public int read() throws IOException {
      int next = beginning.read();
      return next < 0 ? again : next;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int n = beginning.read(target, offset, length);
      if (n < 0) {
        Arrays.fill(target, offset, offset + length, again);
      }
      return n < 0 ? length : n;
    }
  }
}
