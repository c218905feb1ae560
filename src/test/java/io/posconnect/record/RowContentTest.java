package io.posconnect.record;

import static io.posconnect.record.Fixture.decimal;
import static io.posconnect.record.Fixture.field;
import static io.posconnect.record.Fixture.rowSchema;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.ContentHash;
import io.posconnect.json.Row;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RowContentTest {

  private static final List<String> FIELDS =
      List.of(
          field("text", "\"string\""),
          field("price", decimal(38, 9)),
          field("real", "\"double\""),
          field("flag", "\"boolean\""),
          field("at", "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}"),
          field("fine", "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}"),
          field("day", "{\"type\":\"int\",\"logicalType\":\"date\"}"),
          field("clock", "{\"type\":\"int\",\"logicalType\":\"time-millis\"}"),
          field("list", "{\"type\":\"array\",\"items\":\"long\"}"),
          field("json", "{\"type\":\"string\",\"connect.name\":\"io.debezium.data.Json\"}"));

  private static final List<String> NAMES =
      List.of("text", "price", "real", "flag", "at", "fine", "day", "clock", "list", "json", "x");

  private static final List<String> VALUES =
      List.of(
          "\"a \\\"quoted\\\" \u00e9\"",
          "\"\\ud800\"",
          "8.2500",
          "0.12345678901",
          "1e999999999",
          "1E-400",
          "-0.0",
          "17",
          "true",
          "null",
          "\"2026-01-31T09:30:00.1234567Z\"",
          "\"01/31/2026 09:30:00\"",
          "\"2026-01-31\"",
          "\"09:30:00.5\"",
          "\"\"",
          "[1,2]",
          "[1,null]",
          "{\"a\":1.0,\"b\":null}");

  private static final String ALIAS = "{\"aliases\":[\"my-%s\"],";

  private final ContentHash hash = new ContentHash(Set.of());

  /** A field may come under another name, or under both. */
  private static Row row(RandomGenerator random) {
    List<String> fields = new ArrayList<>(List.of("\"id\":1"));
    for (String name : NAMES) {
      if (random.nextInt(3) > 0) {
        String spelled = random.nextInt(5) == 0 ? name.toUpperCase(java.util.Locale.ROOT) : name;
        fields.add("\"" + spelled + "\":" + VALUES.get(random.nextInt(VALUES.size())));
      }
      if (random.nextInt(3) == 0) {
        fields.add("\"my-" + name + "\":" + VALUES.get(random.nextInt(VALUES.size())));
      }
    }
    if (random.nextInt(5) == 0) {
      fields.add("\"Text\":\"two fields that differ only in case\"");
    }
    return Row.parse("{" + String.join(",", fields) + "}");
  }

  private static RowSchema contract(DecimalMode decimals, int fields) {
    List<String> all = new ArrayList<>(List.of(field("id", "\"long\"")));
    for (int i = 0; i < fields; i++) {
      all.add(FIELDS.get(i).replace("{\"name\"", ALIAS.formatted(NAMES.get(i)) + "\"name\""));
    }
    return rowSchema(decimals, List.of("id"), all.toArray(String[]::new));
  }

  private long published(RowSchema published, RowContent content, Row row) {
    return hash.of(
        content.of(
            Key.of(1),
            published.row(published.valueSchema(), "here", Key.of(1), row, new Conversion())));
  }

  @Test
  void whatThisOrAnEarlierContractPublishedEqualsTheRow() {
    for (DecimalMode decimals : DecimalMode.values()) {
      RowSchema present = contract(decimals, FIELDS.size());
      RowContent content = new RowContent(present, "here");
      for (int fields = 0; fields <= FIELDS.size(); fields++) {
        RowSchema earlier = contract(decimals, fields);
        RandomCases.check(
            fields == FIELDS.size() ? 500 : 50,
            random -> {
              Row row = row(random);
              assertThat(published(earlier, content, row))
                  .as(row.json())
                  .isEqualTo(hash.of(content.of(Key.of(1), row)));
            });
      }
    }
  }

  @Test
  void anotherValueIsAnotherContent() {
    RowContent content = new RowContent(contract(DecimalMode.STRING, FIELDS.size()), "here");
    for (String other : List.of("\"price\":8.26", "\"x\":1", "\"text\":\"b\"", "\"real\":0.1")) {
      Row row = Row.parse("{\"id\":1,\"price\":8.25,\"real\":0.2,\"text\":\"a\"}");
      Row changed =
          Row.parse("{\"id\":1,\"price\":8.25,\"real\":0.2,\"text\":\"a\"," + other + "}");
      assertThat(hash.of(content.of(Key.of(1), row)))
          .isNotEqualTo(hash.of(content.of(Key.of(1), changed)));
    }
  }

  @Test
  void typedValueIsComparedBesideAnotherFieldThatHasItsAlias() {
    RowSchema contract =
        rowSchema(
            List.of("id"),
            field("id", "\"long\""),
            "{\"name\":\"price\",\"aliases\":[\"cost\"],\"type\":" + decimal(38, 2) + "}");
    RowContent content = new RowContent(contract, "here");
    Row row = Row.parse("{\"id\":1,\"price\":8.25,\"cost\":7}");
    Row other = Row.parse("{\"id\":1,\"price\":8.26,\"cost\":7}");

    assertThat(published(contract, content, row)).isEqualTo(hash.of(content.of(Key.of(1), row)));
    assertThat(published(contract, content, other))
        .isNotEqualTo(hash.of(content.of(Key.of(1), row)));
  }

  @Test
  void numbersMayBeSpelledInAnyWay() {
    RowSchema contract = contract(DecimalMode.STRING, FIELDS.size());
    RowContent content = new RowContent(contract, "here");
    long one = published(contract, content, Row.parse("{\"id\":1,\"price\":10.50,\"x\":1e1}"));

    assertThat(hash.of(content.of(Key.of(1), Row.parse("{\"ID\":1,\"X\":10,\"price\":10.5}"))))
        .isEqualTo(one);
  }

  @Test
  void readsTheIdentityOfRecord() throws BrokenRowException {
    RowSchema one = contract(DecimalMode.PRECISE, 3);
    Row row = Row.parse("{\"id\":17,\"text\":\"a\\u0001\",\"price\":2.50,\"flag\":true}");
    Key key = one.keyOf(row);
    assertThat(new RowContent(one, "here").keyOf(one.key().struct("here", key))).isEqualTo(key);

    RowSchema several =
        new RowSchema(
            DeclaredSchemas.parse(
                Fixture.record(
                    field("id", "\"long\""),
                    field("text", "\"string\""),
                    field("price", decimal(38, 9)),
                    field("none", "\"long\""))),
            List.of("text", "price", "none?"),
            true,
            DecimalMode.PRECISE,
            Fixture.NAMES);
    Key occurrence = several.occurrence(several.keyOf(row), 3);
    assertThat(new RowContent(several, "here").keyOf(several.key().struct("here", occurrence)))
        .isEqualTo(occurrence);
  }
}
