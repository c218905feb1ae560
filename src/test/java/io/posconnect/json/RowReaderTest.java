package io.posconnect.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.posconnect.RandomCases;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RowReaderTest {

  private static final String LIKE_JSON = "{}[]\",:\\ \n\t0123456789-+.eEtfnu\u0001é";

  /** Counts the texts that it parses. */
  @SuppressWarnings("serial")
  private static final class CountedFactory extends JsonFactory {
    private int parsers;

    private CountedFactory(StreamReadConstraints limits) {
      setStreamReadConstraints(limits);
    }

    @Override
    public JsonParser createParser(byte[] text) throws IOException {
      parsers++;
      return super.createParser(text);
    }
  }

  private final CountedFactory factory =
      new CountedFactory(
          StreamReadConstraints.builder().maxNestingDepth(4).maxNumberLength(8).build());

  private static String read(RowReader reader, String text) throws IOException {
    try {
      Row row = reader.read(text.getBytes(UTF_8), 0);
      StringBuilder seen = new StringBuilder(row.names().list().toString());
      show(JsonText.of(row), seen);
      return seen.toString();
    } catch (JsonProcessingException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static void show(JsonText value, StringBuilder seen) {
    seen.append(value.kind()).append(value.start()).append('-').append(value.end());
    seen.append(value.fields().names().list());
    value.items().forEach(item -> show(item, seen.append(' ')));
  }

  @Test
  void readsARowBehindAnotherAsItDoesAlone() {
    RandomCases.check(
        300,
        random -> {
          JsonTexts texts = new JsonTexts(random);
          RowReader reader = new RowReader(factory);
          String before = texts.object(6).text();
          for (int row = 0; row < 40; row++) {
            String text =
                random.nextInt(20) == 0 ? texts.object(6).text() : changed(before, random);
            before = random.nextInt(4) == 0 ? text : before;

            assertThat(read(reader, text)).as(text).isEqualTo(read(new RowReader(factory), text));
          }
        });
  }

  private static String changed(String text, RandomGenerator random) {
    StringBuilder changed = new StringBuilder(text);
    for (int edits = random.nextInt(3); edits > 0; edits--) {
      int at = random.nextInt(changed.length() + 1);
      String put = random.nextBoolean() ? "" : String.valueOf(anyOf(LIKE_JSON, random));
      changed.replace(at, Math.min(changed.length(), at + random.nextInt(2)), put);
    }
    return changed.isEmpty() ? "{}" : changed.toString();
  }

  private static char anyOf(String letters, RandomGenerator random) {
    return letters.charAt(random.nextInt(letters.length()));
  }

  /** What is found by a name is remembered with the names. */
  @Test
  void remembersTheNamesOfAWideRow() throws IOException {
    RowReader reader = new RowReader(factory);
    String fields =
        IntStream.range(0, 2_000)
            .mapToObj(i -> "\"field " + i + "\":0")
            .collect(Collectors.joining(",", "{", "}"));
    byte[] wide = fields.getBytes(UTF_8);
    assertThat(reader.read(wide, 0).names()).isSameAs(reader.read(wide, 0).names());
  }

  @Test
  void needsNoParserForRowsWithTheNamesOfTheRowBefore() throws IOException {
    RowReader reader = new RowReader(factory);
    String shape = "{\"id\":%s, \"n\\\"é\" : %s,\"in\":{\"a\":[%s,{}],\"b\":[]}}";
    read(reader, shape.formatted("1", "2", "3"));
    List<String> values =
        List.of("0", "-1.50", "\"\"", "\"a\\u00e9\\n\\\"/\\/\"", "true", "false", "null", "[]");
    for (String value : values) {
      String text = shape.formatted(value, value, value.equals("[]") ? "0" : value);

      assertThat(read(reader, text)).isEqualTo(read(new RowReader(new JsonFactory()), text));
    }
    assertThat(factory.parsers).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":01,\"n\":[1]}",
        "{\"id\":1.,\"n\":[1]}",
        "{\"id\":-,\"n\":[1]}",
        "{\"id\":1e,\"n\":[1]}",
        "{\"id\":123456789,\"n\":[1]}",
        "{\"id\":\"\\x\",\"n\":[1]}",
        "{\"id\":\"\\u12g4\",\"n\":[1]}",
        "{\"id\":\"a\nb\",\"n\":[1]}",
        "{\"id\":1,\"n\":{1}}",
        "{\"id\":1,\"n\":[\"n\":1]}",
        "{\"id\":1,\"n\":[1],}",
        "{\"id\":1,\"n\":[1,]}",
        "{\"id\":1,\"n\":[1}",
        "{\"id\":1,\"n\":[1]",
        "{\"id\":1 \"n\":[1]}",
        "{\"id\":1,\"n\":[1]}}",
        "{\"id\":1,\"n\":[[[[1]]]]}",
        "{\"id\":nul,\"n\":[1]}",
        "{\"id\":trueish,\"n\":[1]}"
      })
  void takesNoTextThatTheParserRefuses(String text) throws IOException {
    RowReader reader = new RowReader(factory);
    read(reader, "{\"id\":1,\"n\":[1]}");

    assertThat(read(reader, text)).endsWith("Exception");
  }
}
