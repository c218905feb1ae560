package io.posconnect.change;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** JSON values, and the many ways to spell one. */
final class Json {

  private Json() {}

  /** Objects of strings, numbers, booleans, lists and objects; no nulls. */
  static Arbitrary<Map<String, Object>> objects() {
    return objects(Arbitraries.lazy(() -> values(2)));
  }

  private static Arbitrary<Map<String, Object>> objects(Arbitrary<Object> values) {
    return Arbitraries.maps(Arbitraries.strings().ofMinLength(1).ofMaxLength(3), values)
        .ofMaxSize(6);
  }

  private static Arbitrary<Object> values(int depth) {
    Arbitrary<Object> text = Arbitraries.strings().ofMaxLength(9).map(s -> s);
    Arbitrary<Object> number =
        Arbitraries.bigDecimals()
            .between(new BigDecimal("-1e12"), new BigDecimal("1e12"))
            .ofScale(4)
            .map(BigDecimal::stripTrailingZeros);
    Arbitrary<Object> truth = Arbitraries.of(true, false);
    if (depth == 0) {
      return Arbitraries.oneOf(text, number, truth);
    }
    Arbitrary<Object> inner = Arbitraries.lazy(() -> values(depth - 1));
    return Arbitraries.oneOf(
        text, number, truth, inner.list().ofMaxSize(3).map(l -> l), objects(inner).map(m -> m));
  }

  /** The value as JSON, spelled as the dice fall. */
  static String spell(Object value, Random dice) {
    if (value instanceof Map<?, ?> map) {
      List<String> fields = new ArrayList<>();
      map.forEach(
          (name, v) -> fields.add(quote((String) name, dice) + space(dice) + ":" + spell(v, dice)));
      if (dice.nextInt(3) == 0) {
        fields.add("\"absent in the other spelling\":null");
      }
      Collections.shuffle(fields, dice);
      return "{" + space(dice) + String.join(space(dice) + ",", fields) + "}";
    }
    if (value instanceof List<?> list) {
      return "["
          + String.join("," + space(dice), list.stream().map(v -> spell(v, dice)).toList())
          + "]";
    }
    if (value instanceof String text) {
      return quote(text, dice);
    }
    return value instanceof BigDecimal number ? number(number, dice) : value.toString();
  }

  private static String space(Random dice) {
    return " ".repeat(dice.nextInt(2));
  }

  private static String quote(String text, Random dice) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean must = c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c);
      if (must || dice.nextInt(8) == 0) {
        json.append(String.format(dice.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  private static String number(BigDecimal number, Random dice) {
    if (number.signum() == 0) {
      return List.of("0", "-0", "0.00", "0e7", "-0E-99999999999999999999").get(dice.nextInt(5));
    }
    BigInteger digits = number.unscaledValue();
    return switch (dice.nextInt(4)) {
      case 0 -> number.toPlainString();
      case 1 -> digits + "e" + -number.scale();
      case 2 -> digits + "000.0E" + (-number.scale() - 3);
      default -> number.toPlainString() + (number.scale() > 0 ? "00" : ".00e+00");
    };
  }
}
