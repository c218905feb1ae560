package io.posconnect.change;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** JSON values, and the many ways to spell one. */
final class Json {

  private Json() {}

  /** An object of strings, numbers, booleans, lists and objects; no nulls. */
  static Map<String, Object> object(RandomGenerator random) {
    return object(random, 3);
  }

  /** The object with one more field, or another value in one. */
  static Map<String, Object> changed(Map<String, Object> object, RandomGenerator random) {
    Map<String, Object> changed = new LinkedHashMap<>(object);
    List<String> names = new ArrayList<>(object.keySet());
    names.add(text(random, 1, 3));
    changed.put(names.get(random.nextInt(names.size())), value(random, 2));
    return changed;
  }

  private static Map<String, Object> object(RandomGenerator random, int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = random.nextInt(7); i > 0; i--) {
      object.put(text(random, 1, 3), value(random, depth - 1));
    }
    return object;
  }

  private static Object value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> text(random, 0, 9);
      case 1 -> number(random);
      case 2 -> random.nextBoolean();
      case 3 -> Stream.generate(() -> value(random, depth - 1)).limit(random.nextInt(4)).toList();
      default -> object(random, depth);
    };
  }

  /** Any characters, mostly ASCII; no halves of one, which the parser refuses in a name. */
  private static String text(RandomGenerator random, int shortest, int longest) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(shortest, longest + 1); i > 0; i--) {
      int any = random.nextInt(random.nextInt(3) == 0 ? Character.MAX_CODE_POINT + 1 : 128);
      text.appendCodePoint(Character.getType(any) == Character.SURROGATE ? '?' : any);
    }
    return text.toString();
  }

  /** Up to 1e12 with four decimals, zero and whole ones not seldom. */
  private static BigDecimal number(RandomGenerator random) {
    long bound = List.of(10L, 100_000L, 10_000_000_000_000_000L).get(random.nextInt(3));
    long unscaled = random.nextLong(-bound, bound);
    return BigDecimal.valueOf(unscaled, random.nextInt(5)).stripTrailingZeros();
  }

  /** The value as JSON, spelled as the dice fall. */
  static String spell(Object value, RandomGenerator dice) {
    if (value instanceof Map<?, ?> map) {
      List<String> fields = new ArrayList<>();
      boolean caseCounts = caseCounts(map);
      map.forEach(
          (key, v) -> {
            String name = caseCounts ? (String) key : recased((String) key, dice);
            fields.add(quote(name, dice) + space(dice) + ":" + spell(v, dice));
          });
      if (dice.nextInt(3) == 0) {
        fields.add("\"absent in the other spelling\":null");
      }
      Collections.shuffle(fields, new Random(dice.nextLong()));
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

  /** Whether two names differ only in case. */
  static boolean caseCounts(Map<?, ?> object) {
    TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    object.keySet().forEach(name -> names.add((String) name));
    return names.size() < object.size();
  }

  /** The value with names in lower case wherever their case does not count. */
  static Object folded(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> folded = new HashMap<>();
      boolean caseCounts = caseCounts(map);
      map.forEach(
          (key, v) -> {
            String name = (String) key;
            String lower =
                caseCounts
                    ? name
                    : mapped(name, c -> Character.toLowerCase(Character.toUpperCase(c)));
            folded.put(lower, folded(v));
          });
      return folded;
    }
    return value instanceof List<?> list ? list.stream().map(Json::folded).toList() : value;
  }

  private static String recased(String name, RandomGenerator dice) {
    return mapped(
        name,
        c ->
            dice.nextBoolean()
                ? c
                : dice.nextBoolean() ? Character.toUpperCase(c) : Character.toLowerCase(c));
  }

  private static String mapped(String name, IntUnaryOperator mapping) {
    return name.codePoints()
        .map(mapping)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String space(RandomGenerator dice) {
    return " ".repeat(dice.nextInt(2));
  }

  private static String quote(String text, RandomGenerator dice) {
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

  private static String number(BigDecimal number, RandomGenerator dice) {
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
