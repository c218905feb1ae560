package io.posconnect.simulator;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Writes the value of one field; the same row always gives the same value. */
@FunctionalInterface
interface FieldWriter {

  DateTimeFormatter PLAIN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);
  DateTimeFormatter AMERICAN =
      DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss").withZone(ZoneOffset.UTC);
  DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  List<String> WORDS =
      List.of(
          "Crème brûlée",
          "Blue Ōkami",
          "日本茶 sencha",
          "Strawberry 🍓 tart",
          "Piñata \"large\"",
          "Back\\slash & Söhne",
          "O'Neill",
          "Житній хліб",
          "Plain flour",
          "Line\nbreak",
          "قهوة",
          "Gusto 50%");

  void write(JsonGenerator json, Row.Choices choices) throws IOException;

  static FieldWriter words() {
    return (json, choices) ->
        json.writeString(choices.oneOf(WORDS) + " " + Integer.toString(choices.below(9973), 36));
  }

  static FieldWriter wordsOrNothing() {
    return (json, choices) -> {
      switch (choices.below(5)) {
        case 0 -> json.writeNull();
        case 1 -> json.writeString("");
        case 2 -> json.writeString("N/A");
        default -> json.writeString(choices.oneOf(WORDS));
      }
    };
  }

  static FieldWriter oneOf(String... texts) {
    List<String> all = List.of(texts);
    return (json, choices) -> json.writeString(choices.oneOf(all));
  }

  static FieldWriter whole(int bound) {
    return (json, choices) -> json.writeNumber(choices.below(bound));
  }

  static FieldWriter flag() {
    return (json, choices) -> json.writeBoolean(choices.below(2) == 0);
  }

  /** An amount with up to two decimals, spelled in any of the ways that JSON allows. */
  static FieldWriter decimal() {
    return (json, choices) -> {
      int step = choices.below(3);
      int whole = choices.below(400);
      int cents = step == 0 ? 0 : step == 1 ? 50 : choices.below(100);
      BigDecimal value = BigDecimal.valueOf(whole * 100L + cents, 2);
      json.writeNumber(spelled(value, choices.below(4)));
    };
  }

  static String spelled(BigDecimal value, int way) {
    BigDecimal bare = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    String plain = bare.toPlainString();
    return switch (way) {
      case 0 -> plain;
      case 1 -> plain.contains(".") ? plain + "0" : plain + ".0";
      case 2 -> {
        BigInteger digits = bare.unscaledValue();
        yield digits + "e" + -bare.scale();
      }
      default -> value.toPlainString();
    };
  }

  static FieldWriter utc() {
    return (json, choices) -> {
      Instant time = Instant.ofEpochMilli(1_400_000_000_000L + choices.below(2_000_000_000) * 200L);
      switch (choices.below(4)) {
        case 0 -> json.writeString(PLAIN.format(time));
        case 1 -> json.writeString(PLAIN.format(time) + "Z");
        case 2 -> json.writeString(MILLIS.format(time));
        default -> json.writeString(MILLIS.format(time) + "4567Z");
      }
    };
  }

  static FieldWriter createdAmerican() {
    return (json, choices) ->
        json.writeString(AMERICAN.format(Instant.ofEpochMilli(choices.row().created())));
  }

  static FieldWriter createdUtc() {
    return (json, choices) ->
        json.writeString(PLAIN.format(Instant.ofEpochMilli(choices.row().created())) + "Z");
  }

  /** A date that mostly means "none". */
  static FieldWriter rareDate() {
    return (json, choices) -> {
      switch (choices.below(6)) {
        case 0 -> json.writeString("1900-01-01T00:00:00");
        case 1 -> json.writeString("0001-01-01T00:00:00");
        case 2 -> json.writeString("N/A");
        case 3 -> json.writeString("");
        case 4 -> json.writeNull();
        default -> json.writeString("2031-12-31T23:59:59Z");
      }
    };
  }

  static FieldWriter tags() {
    return (json, choices) -> {
      json.writeStartArray();
      for (int i = choices.below(4); i > 0; i--) {
        json.writeString(choices.oneOf(WORDS));
      }
      json.writeEndArray();
    };
  }

  static FieldWriter object() {
    return (json, choices) -> {
      json.writeStartObject();
      json.writeNumberField("id", choices.below(500));
      json.writeStringField("label", choices.oneOf(WORDS));
      json.writeNullField("parent");
      json.writeArrayFieldStart("path");
      json.writeNumber(choices.below(9));
      json.writeNumber("1.50");
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  static FieldWriter objects() {
    FieldWriter each = object();
    return (json, choices) -> {
      json.writeStartArray();
      for (int i = choices.below(3); i > 0; i--) {
        each.write(json, choices);
      }
      json.writeEndArray();
    };
  }

  static FieldWriter nothing() {
    return (json, choices) -> json.writeNull();
  }

  static FieldWriter link() {
    return (json, choices) -> json.writeNumber(choices.row().link());
  }

  static FieldWriter fixed(String text) {
    return (json, choices) -> json.writeString(text);
  }
}
