package io.posconnect.record;

import static io.posconnect.record.Fixture.contract;
import static io.posconnect.record.Fixture.decimal;
import static io.posconnect.record.Fixture.field;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

final class ContractPropertiesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Contract CONTRACT =
      contract(
          List.of("id"),
          field("id", "\"long\""),
          field("text", "\"string\""),
          field("number", decimal(38, 9)),
          field("real", "\"double\""),
          field("whole", "\"int\""),
          field("flag", "\"boolean\""));

  private static final Schema SCHEMA = CONTRACT.rowSchema();

  @Provide
  Arbitrary<String> values() {
    Arbitrary<String> numbers =
        Arbitraries.oneOf(
            Arbitraries.bigDecimals().ofScale(12).map(BigDecimal::toString),
            Arbitraries.longs().map(String::valueOf),
            Arbitraries.of("1e1", "1E-400", "1e999999999", "-0.0", "1e-999999999", "0.10"));
    Arbitrary<String> strings = Arbitraries.strings().ofMaxLength(8).map(this::quoted);
    return Arbitraries.oneOf(
        numbers,
        strings,
        Arbitraries.of("null", "true", "false", "[ ]", "{ \"a\" : [1, \"x\"] }", "\"\\ud800\""));
  }

  @Provide
  Arbitrary<Map<String, String>> fields() {
    Arbitrary<String> names =
        Arbitraries.oneOf(
            Arbitraries.of("text", "number", "real", "whole", "flag", "TEXT", "Flag", "extra"),
            Arbitraries.strings().ofMaxLength(4).filter(name -> !name.equalsIgnoreCase("id")));
    return Arbitraries.maps(names, values()).ofMaxSize(8);
  }

  private String quoted(String text) {
    StringBuilder quoted = new StringBuilder();
    Text.quote(text, quoted);
    return quoted.toString();
  }

  private String json(Map<String, String> fields) {
    List<String> members = new ArrayList<>(List.of("\"id\":1"));
    fields.forEach((name, value) -> members.add(quoted(name) + ":" + value));
    return "{" + String.join(",", members) + "}";
  }

  @Property
  void typedFieldsAndExtraAreTheWholeRow(@ForAll("fields") Map<String, String> fields)
      throws JsonProcessingException {
    Row row = Row.parse(json(fields));

    Struct struct = CONTRACT.row(row, new TypeMismatches());

    struct.validate();
    for (int i = 0; i < row.size(); i++) {
      assertThat(said(struct, row, i)).as(row.name(i)).isTrue();
    }
  }

  /** Whether a field's value stands in extra as it was sent, or else equals the typed value. */
  private static boolean said(Struct struct, Row row, int field) throws JsonProcessingException {
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

  @Property
  void theSchemaNeverDependsOnData(@ForAll("fields") Map<String, String> fields) {
    Struct struct = CONTRACT.row(Row.parse(json(fields)), new TypeMismatches());

    assertThat(struct.schema()).isSameAs(SCHEMA);
  }

  @Property
  void extraIsOneJsonObject(@ForAll("fields") Map<String, String> fields) {
    String extra = CONTRACT.row(Row.parse(json(fields)), new TypeMismatches()).getString("extra");

    assertThat(extra == null || Row.parse(extra).kind() == Row.Kind.OBJECT).isTrue();
  }

  @Property
  void keysAreEqualExactlyWhenTheirFieldsAre(
      @ForAll("texts") String a,
      @ForAll("texts") String b,
      @ForAll("texts") String c,
      @ForAll("texts") String d)
      throws BrokenRowException {
    Contract contract =
        contract(List.of("a", "b"), field("a", "\"string\""), field("b", "\"string\""));

    Key one = contract.keyOf(Row.parse("{\"a\":" + quoted(a) + ",\"b\":" + quoted(b) + "}"));
    Key two = contract.keyOf(Row.parse("{\"b\":" + quoted(d) + ",\"a\":" + quoted(c) + "}"));

    assertThat(one.equals(two)).isEqualTo(a.equals(c) && b.equals(d));
    Struct struct = contract.keyStruct("downtown", one);
    assertThat(struct.get("a")).isEqualTo(a);
    assertThat(struct.get("b")).isEqualTo(b);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withChars('"', ',', '\\', '[', ']', '1', 'é', '\n', '\u2028')
        .ofMaxLength(3);
  }

  @Property
  void aNumberKeyComesBack(@ForAll long number) throws BrokenRowException {
    Key key = Fixture.products().keyOf(Row.parse("{\"productId\":" + number + "}"));

    assertThat(Fixture.products().keyStruct("downtown", key).get("productId")).isEqualTo(number);
  }
}
