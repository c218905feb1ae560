package io.posconnect;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Makes rows, good ones and broken ones of every kind, with secrets planted in private fields, and
 * remembers the secrets.
 */
final class PrivateRows {

  /** Where secrets stand, as a configuration names it. */
  static final String EXCLUDED = "email,card.number,Blob,a.b.c";

  static final String HASHED = "phone,customer.name,tags";

  private static final List<List<String>> PLACES =
      List.of(
          List.of("email"),
          List.of("card", "number"),
          List.of("blob"),
          List.of("a", "b", "c"),
          List.of("phone"),
          List.of("customer", "name"),
          List.of("tags"));

  private final RandomGenerator random;
  private final List<String> secrets = new ArrayList<>();
  private long lastId;

  PrivateRows(RandomGenerator random) {
    this.random = random;
  }

  /** Of which none may be found anywhere. */
  List<String> secrets() {
    return secrets;
  }

  /** A text, or a number as long as that of a card, that nothing else looks like. */
  private String secret() {
    boolean number = random.nextBoolean();
    String secret =
        number
            ? Long.toString(random.nextLong(4_000_000_000_000_000L, 5_000_000_000_000_000L))
            : "hush" + Long.toHexString(random.nextLong()) + "@example.com";
    secrets.add(secret);
    return number ? secret : '"' + secret + '"';
  }

  /** One body that arrives whole, with these rows and so many more. */
  String body(int rows, String... first) {
    List<String> all = new ArrayList<>(List.of(first));
    for (int i = 0; i < rows; i++) {
      all.add(random.nextInt(3) == 0 ? broken() : good(++lastId));
    }
    return "[" + String.join(random.nextBoolean() ? "," : " ,\n", all) + "]";
  }

  /** A body that contains secrets and is no list of rows. */
  String halfBody() {
    String body = body(3);
    return switch (random.nextInt(4)) {
      case 0 -> body.substring(0, random.nextInt(1, body.length()));
      case 1 -> "<html>" + body;
      case 2 -> body.substring(0, body.length() - 1) + ",{\"id\":1,\"email\":" + secret() + ",,}]";
      default -> "{\"Message\":" + secret() + ",\"TraceId\":\"a b " + secrets.get(0) + "\"}";
    };
  }

  private String good(long id) {
    return row("\"id\":" + id);
  }

  private String row(String... more) {
    List<String> fields = new ArrayList<>(List.of(more));
    for (List<String> place : PLACES) {
      if (random.nextInt(3) > 0) {
        fields.add(random.nextInt(fields.size() + 1), field(place));
      }
    }
    fields.add("\"note\":\"" + "n".repeat(random.nextInt(20)) + "\"");
    fields.add("\"points\":" + pick("1", "\"no number\"", "1.50", "null", "[{}]"));
    return "{"
        + fields.stream().distinct().collect(Collectors.joining(blank() + "," + blank()))
        + "}";
  }

  private String field(List<String> place) {
    String name = spelled(place.get(0));
    String value = place.size() > 1 ? inside(place.subList(1, place.size())) : value();
    return '"' + name + '"' + blank() + ":" + blank() + value;
  }

  private String inside(List<String> place) {
    String object = "{\"kept\":1," + field(place) + "}";
    return switch (random.nextInt(3)) {
      case 0 -> object;
      case 1 -> "[" + object + ",{" + field(place) + "},7]";
      default -> "[[" + object + "]]";
    };
  }

  private String value() {
    return switch (random.nextInt(6)) {
      case 0 -> "{\"deep\":[" + secret() + "]}";
      case 1 -> "[" + secret() + "," + blank() + secret() + "]";
      case 2 -> "\"" + "x".repeat(random.nextInt(9_000)) + secret().replace("\"", "") + "\"";
      default -> secret();
    };
  }

  private String spelled(String name) {
    return switch (random.nextInt(5)) {
      case 0 -> name.toUpperCase(Locale.ROOT);
      case 1 -> "\\u%04x%s".formatted((int) name.charAt(0), name.substring(1));
      case 2 -> name.charAt(0) + "\uFFFD";
      default -> name;
    };
  }

  private String blank() {
    return random.nextInt(5) == 0 ? " \n" : "";
  }

  /** For each reason for which a row can become no event. */
  private String broken() {
    return switch (random.nextInt(12)) {
      case 0 -> row("\"own\":" + ++lastId);
      case 1 -> row("\"id\":{\"x\":" + ++lastId + "}");
      case 2 -> row("\"id\":1,\"ID\":" + ++lastId);
      case 3 -> good(lastId);
      case 4 -> row("\"id\":" + ++lastId, "\"large\":\"" + "y".repeat(12_000) + "\"");
      case 5 -> row("\"id\":" + ++lastId, "\"deep\":" + "[".repeat(210) + "]".repeat(210));
      case 6 -> row("\"id\":" + ++lastId, "\"digits\":" + "9".repeat(1_100));
      case 7 -> secret();
      case 8 -> "[" + row("\"id\":1") + "," + secret() + "]";
      case 9 -> row("\"id\":" + ++lastId, "\"number\":01");
      case 10 ->
          row("\"id\":" + ++lastId)
              .replace("\"note\":\"", "\"note\":\"\\x" + secret().replace("\"", ""));
      default -> row("\"id\":\"" + "k".repeat(2_000) + ++lastId + "\"");
    };
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
