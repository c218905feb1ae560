package io.posconnect.record;

import static io.posconnect.record.Fixture.decimal;
import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.rowSchema;
import static io.posconnect.record.TextType.quoted;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.RandomCases;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.resource.Key;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;

final class RowSchemaPropertiesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final RowSchema ROW_SCHEMA =
      rowSchema(
          List.of("id"),
          field("id", "\"long\""),
          field("text", "\"string\""),
          field("number", decimal(38, 9)),
          field("real", "\"double\""),
          field("whole", "\"int\""),
          field("flag", "\"boolean\""));

  private static final Schema SCHEMA = ROW_SCHEMA.valueSchema();

  private static final List<String> ODD_VALUES =
      List.of(
          "1e1",
          "1E-400",
          "1e999999999",
          "-0.0",
          "1e-999999999",
          "0.10",
          "9223372036854775807",
          "-2147483649",
          "null",
          "true",
          "false",
          "[ ]",
          "{ \"a\" : [1, \"x\"] }",
          "\"\\ud800\"");

  private static final List<String> NAMES =
      List.of("text", "number", "real", "whole", "flag", "TEXT", "Flag", "extra");

  private static String value(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> bigDecimal(random).toString();
      case 1 -> String.valueOf(random.nextLong() >> random.nextInt(64));
      case 2 -> quoted(Fixture.text(random, 8));
      default -> Fixture.one(random, ODD_VALUES);
    };
  }

  private static BigDecimal bigDecimal(RandomGenerator random) {
    BigInteger digits = BigInteger.valueOf(random.nextLong() >> random.nextInt(64));
    boolean wide = random.nextBoolean();
    return new BigDecimal(
        wide ? digits.multiply(BigInteger.valueOf(random.nextLong())) : digits, 12);
  }

  /** A row with up to eight fields beside its key; names may differ only in case. */
  private static Row row(RandomGenerator random) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = random.nextInt(9); i > 0; i--) {
      String name = random.nextBoolean() ? Fixture.one(random, NAMES) : Fixture.text(random, 4);
      // No parser accepts a name that UTF-8 cannot carry.
      if (!name.equalsIgnoreCase("id") && TextType.wellFormed(name)) {
        fields.put(name, value(random));
      }
    }
    List<String> members = new ArrayList<>(List.of("\"id\":1"));
    fields.forEach((name, value) -> members.add(quoted(name) + ":" + value));
    return Row.parse("{" + String.join(",", members) + "}");
  }

  @Test
  void typedFieldsAndExtraAreTheWholeRow() {
    RandomCases.check(
        1000,
        random -> {
          Row row = row(random);

          Struct struct = Fixture.row(ROW_SCHEMA, row, new Conversion());

          struct.validate();
          for (int i = 0; i < row.size(); i++) {
            assertThat(isKept(struct, row, i)).as(row.name(i)).isTrue();
          }
        });
  }

  /** Whether a field's value stands in extra as it was sent, or else equals the typed value. */
  private static boolean isKept(Struct struct, Row row, int field) throws JsonProcessingException {
    Optional<Row> extra = Optional.ofNullable(struct.getString("extra")).map(Row::parse);
    if (extra.isPresent()) {
      for (int i = 0; i < extra.get().size(); i++) {
        if (extra.get().name(i).equals(row.name(field))
            && extra.get().text(i).equals(row.text(field))) {
          return true;
        }
      }
    }
    String name =
        SCHEMA.fields().stream()
            .map(f -> f.name())
            .filter(n -> n.equalsIgnoreCase(row.name(field)))
            .findFirst()
            .orElseThrow();
    Object typed = struct.get(name);
    return switch (row.kind(field)) {
      case NULL -> typed == null;
      case STRING -> JSON.readValue(row.text(field), String.class).equals(typed);
      case BOOLEAN -> row.text(field).equals(String.valueOf(typed));
      case NUMBER ->
          typed != null
              && new BigDecimal(typed.toString()).compareTo(new BigDecimal(row.text(field))) == 0;
      case OBJECT, ARRAY -> false;
    };
  }

  @Test
  void keysAreEqualExactlyWhenTheirFieldsAre() {
    RowSchema rowSchema =
        rowSchema(List.of("a", "b"), field("a", "\"string\""), field("b", "\"string\""));
    RandomCases.check(
        2000,
        random -> {
          String a = keyPart(random);
          String b = keyPart(random);
          String c = random.nextBoolean() ? a : keyPart(random);
          String d = random.nextBoolean() ? b : keyPart(random);

          Key one = rowSchema.keyOf(Row.parse("{\"a\":" + quoted(a) + ",\"b\":" + quoted(b) + "}"));
          Key two = rowSchema.keyOf(Row.parse("{\"b\":" + quoted(d) + ",\"a\":" + quoted(c) + "}"));

          assertThat(one.equals(two)).isEqualTo(a.equals(c) && b.equals(d));
          Struct struct = rowSchema.key().struct("downtown", one);
          assertThat(struct.get("a")).isEqualTo(a);
          assertThat(struct.get("b")).isEqualTo(b);
        });
  }

  /** Few different characters, those that a key's text could be confused by. */
  private static String keyPart(RandomGenerator random) {
    String characters = "\",\\[]1\u00e9\n\u2028";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }

  @Test
  void aNumberKeyComesBack() {
    RandomCases.check(
        1000,
        random -> {
          long number = random.nextLong() >> random.nextInt(64);

          Key key = Fixture.products().keyOf(Row.parse("{\"productId\":" + number + "}"));

          assertThat(Fixture.products().key().struct("downtown", key).get("productId"))
              .isEqualTo(number);
        });
  }
}
