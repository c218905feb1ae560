package io.posconnect.record;

import static io.posconnect.record.Fixture.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.Io;
import io.posconnect.RandomCases;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Key;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.StreamSupport;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No record becomes so large that the producer refuses it, which would end the task. */
class RecordSizeTest {

  private static final int ROW_BYTES = 900_000;
  private static final int MOST = 1_000_000;
  private static final int MAX_REQUEST_SIZE = 1_048_576;

  private static final String LINE =
      "{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"Line\",\"fields\":["
          + field("quantityOrdered", "[\"null\",\"double\"]")
          + ","
          + field("quantityDelivered", "[\"null\",\"double\"]")
          + "]}}";

  private static final RowSchema SCHEMA = schema(DecimalMode.PRECISE);

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN);
  private static final AvroData CONVERTER = new AvroData(1000);

  private static RowSchema schema(DecimalMode decimals) {
    return Fixture.rowSchema(
        decimals,
        List.of("id"),
        field("id", "\"long\""),
        field("name", "\"string\""),
        field("doubles", "{\"type\":\"array\",\"items\":\"double\"}"),
        field("amounts", "{\"type\":\"array\",\"items\":" + Fixture.decimal(38, 9) + "}"),
        field("lines", LINE),
        field("map", "{\"type\":\"map\",\"values\":\"string\"}"),
        field("wide", "{\"type\":\"array\",\"items\":" + Fixture.decimal(400, 0) + "}"));
  }

  /** Rows as large as may be, each of one thing that takes more room in a record. */
  private static List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (String piece :
        List.of("x", "é", "€", "\\\"", "\\\\", "\\n", "\\u0001", "\\ud800", "\\ud83d\\ude00")) {
      rows.add(filled("{\"id\":1,\"name\":\"", piece, "", "\"}"));
      rows.add(filled("{\"id\":1,\"other\":\"", piece, "", "\"}"));
      rows.add(filled("{\"id\":1,\"name\":\"\\ud800", piece, "", "\"}"));
      rows.add(filled("{\"id\":1,\"other\":[\"", piece.repeat(10) + "\",\"", "", "\"]}"));
      if (!piece.equals("\\ud800")) {
        // A name with half a surrogate pair is no JSON.
        rows.add(filled("{\"id\":1", ",\"" + piece.repeat(100) + "\":1", "", "}"));
      }
    }
    rows.add(filled("{\"id\":1,\"doubles\":[", "1,", "1", "]}"));
    rows.add(filled("{\"id\":1,\"doubles\":[", "1e300,", "1", "]}"));
    rows.add(filled("{\"id\":1,\"amounts\":[", "1,", "1", "]}"));
    rows.add(filled("{\"id\":1,\"amounts\":[", "9e27,", "1", "]}"));
    rows.add(filled("{\"id\":1,\"amounts\":[\"a\",", "9e27,", "1", "]}"));
    rows.add(filled("{\"id\":1,\"lines\":[", "{},", "{}", "]}"));
    rows.add(filled("{\"id\":1,\"lines\":[{\"x\":1},", "{},", "{}", "]}"));
    rows.add(filled("{\"id\":1,\"map\":{", "\"\":\"\",", "\"a\":\"\"", "}}"));
    rows.add(filled("{\"id\":1", ",\"\":1", "", "}"));
    rows.add(filled("{\"id\":1", ",\n\"a\":\n1", "", "}"));
    return rows;
  }

  /** Rows of decimals that are longer in a record, most of them too short to be measured. */
  private static List<String> decimals() {
    List<String> rows = new ArrayList<>();
    for (int bytes : new int[] {15_000, 60_000}) {
      for (String decimal : List.of("1", "9e28", "9e-999", "9e390")) {
        for (String field : List.of("amounts", "wide")) {
          String begin = "{\"id\":1,\"%s\":[".formatted(field);
          rows.add(filled(bytes, begin, decimal + ",", decimal, "]}"));
        }
      }
    }
    return rows;
  }

  private static String filled(String begin, String piece, String last, String end) {
    return filled(ROW_BYTES, begin, piece, last, end);
  }

  private static String filled(int bytes, String begin, String piece, String last, String end) {
    int left = bytes - utf8(begin + last + end);
    return begin + piece.repeat(left / utf8(piece)) + last + end;
  }

  @ParameterizedTest
  @EnumSource(EventFormat.class)
  void producersAcceptTheLargestRows(EventFormat format) {
    List<String> rows = rows();

    assertThat(refused(rows, format, DecimalMode.PRECISE)).hasSizeBetween(10, rows.size() - 10);
  }

  @ParameterizedTest
  @EnumSource(DecimalMode.class)
  void producersAcceptTheLongestDecimals(DecimalMode decimals) {
    List<String> rows = decimals();

    assertThat(refused(rows, EventFormat.ENVELOPE, decimals)).hasSizeLessThan(rows.size() - 5);
  }

  /** The rows that become dead letters; a producer takes the record of each row. */
  private static List<String> refused(List<String> rows, EventFormat format, DecimalMode decimals) {
    RowSchema schema = schema(decimals);
    RecordBuilder records = Fixture.builder(schema, format, true);
    List<String> refused = new ArrayList<>();
    for (String text : rows) {
      Row row = Row.parse(text);
      SourceRecord record;
      try {
        schema.admit(row, MOST);
        record = Fixture.change(records, Operation.CREATE, row);
      } catch (BrokenRowException e) {
        assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE);
        refused.add(text);
        record = Fixture.deadLetter(records, row, e.getMessage());
      }
      String what = text.substring(0, 50);
      assertThat(avro(record)).as(what).isLessThan(MAX_REQUEST_SIZE);
      assertThat(json(record)).as(what).isLessThan(MAX_REQUEST_SIZE);
    }
    return refused;
  }

  @Test
  void measuresARowByItsEventNotByItsText() {
    Row row = Row.parse("{\"id\":1,\"lines\":[" + "{},".repeat(9_999) + "{}]}");

    assertThatThrownBy(() -> SCHEMA.admit(row, 100_000))
        .isInstanceOf(BrokenRowException.class)
        .hasMessage("too large: more than 100000 bytes as an event");
  }

  @ParameterizedTest
  @EnumSource(DecimalMode.class)
  void noRowIsLargerThanMeasured(DecimalMode decimals) {
    RowSchema schema = schema(decimals);
    RandomCases.check(
        400,
        random -> {
          Row row = Row.parse(randomRow(random));
          Struct struct =
              schema.row(
                  schema.nullableValueSchema(), "downtown", Key.of(1), row, new Conversion());
          long measured = RecordSize.of(struct);

          assertThat(measured)
              .isGreaterThanOrEqualTo(avro(struct.schema(), struct))
              .isGreaterThanOrEqualTo(utf8(json(struct)));
          long own = RecordSize.of(new Struct(struct.schema()));
          assertThat(measured)
              .isLessThanOrEqualTo(
                  own + row.length() * RecordSize.growth(schema.valueSchema(), decimals));
        });
  }

  private static String randomRow(RandomGenerator random) {
    List<String> fields = new ArrayList<>(List.of("\"id\":" + random.nextLong()));
    String content = Fixture.text(random, 60);
    String text = TextType.quoted(content);
    fields.add("\"name\":" + text);
    fields.add("\"doubles\":[" + "1,".repeat(random.nextInt(9)) + random.nextDouble() + "]");
    fields.add("\"amounts\":[" + "9e27,".repeat(random.nextInt(9)) + random.nextInt() + "]");
    String decimal = random.nextInt(1, 10) + "e" + random.nextInt(-999, 399);
    fields.add("\"wide\":[" + (decimal + ",").repeat(random.nextInt(99)) + "1]");
    fields.add("\"lines\":[" + "{},".repeat(random.nextInt(9)) + "{\"x\":" + text + "}]");
    // A name with half a surrogate pair is no JSON.
    byte[] whole = content.getBytes(StandardCharsets.UTF_8);
    String name = TextType.quoted(new String(whole, StandardCharsets.UTF_8));
    fields.add("\"map\":{\"a\":" + text + "," + name + ":\"b\"}");
    fields.add(name + ":" + text);
    return "{" + String.join(",", fields.subList(0, random.nextInt(1, fields.size() + 1))) + "}";
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static long avro(SourceRecord record) {
    long headers =
        StreamSupport.stream(record.headers().spliterator(), false)
            .mapToLong(header -> utf8(header.key() + header.value()) + 10L)
            .sum();
    return 10
        + avro(record.keySchema(), record.key())
        + avro(record.valueSchema(), record.value())
        + headers;
  }

  private static long avro(Schema schema, Object value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Io.take(
        () ->
            new GenericDatumWriter<>(CONVERTER.fromConnectSchema(schema))
                .write(
                    CONVERTER.fromConnectData(schema, value),
                    EncoderFactory.get().directBinaryEncoder(out, null)));
    return out.size();
  }

  private static long json(SourceRecord record) {
    return utf8(json(record.key())) + utf8(json(record.value())) + 3_000L;
  }

  private static String json(Object value) {
    return Io.unchecked(() -> JSON.writeValueAsString(plain(value)));
  }

  private static Object plain(Object value) {
    if (value instanceof Struct struct) {
      Map<String, Object> fields = new LinkedHashMap<>();
      struct.schema().fields().forEach(f -> fields.put(f.name(), plain(struct.get(f))));
      return fields;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(RecordSizeTest::plain).toList();
    }
    if (value instanceof BigDecimal decimal) {
      String base64 = Base64.getEncoder().encodeToString(decimal.unscaledValue().toByteArray());
      return base64.length() > decimal.toPlainString().length() ? base64 : decimal;
    }
    // A converter writes a question mark, or six characters, for half a surrogate pair.
    return value instanceof String text
        ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        : value;
  }
}
