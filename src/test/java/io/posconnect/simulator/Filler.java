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
interface Filler {

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

  void write(JsonGenerator json, Draw draw) throws IOException;

  static Filler words() {
    return (json, draw) ->
        json.writeString(draw.oneOf(WORDS) + " " + Integer.toString(draw.below(9973), 36));
  }

  static Filler wordsOrNothing() {
    return (json, draw) -> {
      switch (draw.below(5)) {
        case 0 -> json.writeNull();
        case 1 -> json.writeString("");
        case 2 -> json.writeString("N/A");
        default -> json.writeString(draw.oneOf(WORDS));
      }
    };
  }

  static Filler oneOf(String... choices) {
    List<String> all = List.of(choices);
    return (json, draw) -> json.writeString(draw.oneOf(all));
  }

  static Filler whole(int bound) {
    return (json, draw) -> json.writeNumber(draw.below(bound));
  }

  static Filler flag() {
    return (json, draw) -> json.writeBoolean(draw.below(2) == 0);
  }

  /** An amount with up to two decimals, spelled in any of the ways that JSON allows. */
  static Filler decimal() {
    return (json, draw) -> {
      int step = draw.below(3);
      int whole = draw.below(400);
      int cents = step == 0 ? 0 : step == 1 ? 50 : draw.below(100);
      BigDecimal value = BigDecimal.valueOf(whole * 100L + cents, 2);
      json.writeNumber(spelled(value, Math.floorMod(draw.below(4) + draw.row().spelling(), 4)));
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

  static Filler utc() {
    return (json, draw) -> {
      Instant time = Instant.ofEpochMilli(1_400_000_000_000L + draw.below(2_000_000_000) * 200L);
      switch (draw.below(4)) {
        case 0 -> json.writeString(PLAIN.format(time));
        case 1 -> json.writeString(PLAIN.format(time) + "Z");
        case 2 -> json.writeString(MILLIS.format(time));
        default -> json.writeString(MILLIS.format(time) + "4567Z");
      }
    };
  }

  static Filler createdAmerican() {
    return (json, draw) ->
        json.writeString(AMERICAN.format(Instant.ofEpochMilli(draw.row().created())));
  }

  static Filler createdUtc() {
    return (json, draw) ->
        json.writeString(PLAIN.format(Instant.ofEpochMilli(draw.row().created())) + "Z");
  }

  /** A date that mostly means "none". */
  static Filler rareDate() {
    return (json, draw) -> {
      switch (draw.below(6)) {
        case 0 -> json.writeString("1900-01-01T00:00:00");
        case 1 -> json.writeString("0001-01-01T00:00:00");
        case 2 -> json.writeString("N/A");
        case 3 -> json.writeString("");
        case 4 -> json.writeNull();
        default -> json.writeString("2031-12-31T23:59:59Z");
      }
    };
  }

  static Filler tags() {
    return (json, draw) -> {
      json.writeStartArray();
      for (int i = draw.below(4); i > 0; i--) {
        json.writeString(draw.oneOf(WORDS));
      }
      json.writeEndArray();
    };
  }

  static Filler object() {
    return (json, draw) -> {
      json.writeStartObject();
      json.writeNumberField("id", draw.below(500));
      json.writeStringField("label", draw.oneOf(WORDS));
      json.writeNullField("parent");
      json.writeArrayFieldStart("path");
      json.writeNumber(draw.below(9));
      json.writeNumber("1.50");
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  static Filler objects() {
    Filler each = object();
    return (json, draw) -> {
      json.writeStartArray();
      for (int i = draw.below(3); i > 0; i--) {
        each.write(json, draw);
      }
      json.writeEndArray();
    };
  }

  static Filler nothing() {
    return (json, draw) -> json.writeNull();
  }

  static Filler link() {
    return (json, draw) -> json.writeNumber(draw.row().link());
  }

  static Filler fixed(String text) {
    return (json, draw) -> json.writeString(text);
  }
}
