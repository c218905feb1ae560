package io.posconnect;

import static java.util.stream.Collectors.joining;

import io.posconnect.hostile.Answer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes bodies that no service should send, with the expected result of each. */
final class HostileBodies {

  private static final int HUGE = 2_000_000;
  private static final String TYPE = "Content-Type: application/json\r\n";

  /**
   * One answer of the service.
   *
   * @param rows ids of the rows in it that must arrive
   * @param letters dead letters that it must become
   * @param fails whether it must be seen as a failure
   */
  record Case(String what, Answer answer, List<Long> rows, int letters, boolean fails) {

    /** Whether a row may have been damaged on its way, so that it must arrive twice. */
    boolean damaged() {
      return what.equals("bad bytes") || what.equals("not JSON");
    }

    /** The same, without the body. */
    Case sent() {
      return new Case(what, wire -> {}, rows, letters, fails);
    }
  }

  private final RandomGenerator random;
  private long lastId = 1_000;

  HostileBodies(RandomGenerator random) {
    this.random = random;
  }

  Case next() {
    return switch (random.nextInt(100)) {
      case 0 -> tooLarge("huge", "\"a\":\"" + "x".repeat(HUGE) + "\"");
      case 1 -> tooLarge("values", "\"a\":[" + "1,".repeat(120_000) + "1]");
      case 2 -> packed("bomb", "[" + " ".repeat(HUGE), false);
      case 3 -> tooLarge("fields", "\"a\":1,".repeat(120_000) + "\"b\":2");
      case 4, 5, 6 -> arriving("names", names(20_000));
      default -> small();
    };
  }

  private Case small() {
    String good = array(good(random.nextInt(4)));
    return switch (random.nextInt(22)) {
      case 0 -> failing("truncated", good.substring(0, random.nextInt(good.length())));
      case 1 -> failing("no array", pick("{}", "{\"a\":[]}", "\"a\"", "1", "null", "true", "a"));
      case 2 -> failing("html", "<html>" + good + "</html>");
      case 3 -> failing("trailing", good + pick("]", "[]", "x", "{", "\u00ff"));
      case 4 -> failing("NUL", "[{\"inventoryId\":" + ++lastId + ",\"a\":\"\0\"}]");
      case 5 -> failing("brackets", pick("[{]}", "[[}", "[{\"a\":1]", "[{\"a\" 1}]", "[{,}]"));
      case 6 -> notJson();
      case 7 -> tooLarge("deep", "\"a\":" + nested(random.nextInt(200, 6_000)));
      case 8 -> tooLarge("digits", "\"a\":" + "9".repeat(random.nextInt(1_001, 5_000)));
      case 9 -> tooLarge("name", "\"" + "n".repeat(random.nextInt(1_001, 9_000)) + "\":1");
      case 10 -> letter("no object", pick("1", "\"a\"", "[1]", "true"), false);
      case 11 -> letter("named twice", "{\"inventoryId\":1,\"INVENTORYID\":2,", true);
      case 12 ->
          letter("no key", "{\"inventoryId\":" + pick("null", "1e400", "{}", "1.5") + ",", true);
      case 13 -> arriving("big number", "\"a\":1e999999999,\"a\":-1E-999999999");
      case 14 -> arriving("escapes", "\"a\":\"\\udc00\\u0000\",\"\\ud83d\\ude00\":1");
      case 15 -> arriving("bad bytes", "\"k\u00e4se\":\"\u00ff\u00c0\u0080\u00ed\u00a0\u0080.\"");
      case 16 -> marked();
      case 17 -> wrongType(good);
      case 18 -> packed("gzip", array(good(2)), true);
      case 19 -> cutGzip();
      case 20 -> status();
      default -> garbled(good);
    };
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Fields whose names are data: no other row has them. */
  private String names(int count) {
    return random.longs(count).mapToObj(name -> "\"" + name + "\":1").collect(joining(","));
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  /** Rows that are as they should be, and whose ids no case waits for. */
  private List<String> good(int count) {
    return random
        .ints(count)
        .mapToObj(quantity -> "{\"inventoryId\":" + ++lastId + ",\"quantity\":" + quantity + "}")
        .toList();
  }

  private static String array(List<String> rows) {
    return "[" + String.join(",", rows) + "]";
  }

  private static Answer json(byte[] body) {
    return Answer.respond("200 OK", TYPE, body);
  }

  /** Every character is one byte, whether or not that is UTF-8. */
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Case failing(String what, String body) {
    return new Case(what, json(bytes(body)), List.of(), 0, true);
  }

  /** That row between two others. */
  private Case between(String what, String row, int letters, List<Long> arriving) {
    long before = ++lastId;
    long after = ++lastId;
    List<Long> rows = new ArrayList<>(List.of(before, after));
    rows.addAll(arriving);
    String body =
        array(List.of("{\"inventoryId\":" + before + "}", row, "{\"inventoryId\":" + after + "}"));
    return new Case(what, json(bytes(body)), rows, letters, false);
  }

  private Case tooLarge(String what, String fields) {
    return between(what, "{\"inventoryId\":" + ++lastId + "," + fields + "}", 1, List.of());
  }

  private Case letter(String what, String begin, boolean object) {
    // Equal rows give one event.
    String own = Long.toString(++lastId);
    String row = object ? begin + "\"own\":" + own + "}" : "[" + begin + "," + own + "]";
    return between(what, row, 1, List.of());
  }

  private Case notJson() {
    String value = pick("NaN", "01", "1.", "+1", "-", "1e", "\"\\x\"");
    return between("not JSON", "{\"a\":" + value + ",\"own\":" + ++lastId + "}", 1, List.of());
  }

  private Case arriving(String what, String fields) {
    long id = ++lastId;
    return between(what, "{\"inventoryId\":" + id + "," + fields + "}", 0, List.of(id));
  }

  private Case marked() {
    long id = ++lastId;
    String body = "\u00ef\u00bb\u00bf [ {\"inventoryId\":" + id + "} ] \r\n";
    return new Case("marked", json(bytes(body)), List.of(id), 0, false);
  }

  private Case wrongType(String body) {
    String type = pick("text/html", "application/json;charset=utf-16", "image/png");
    Answer answer = Answer.respond("200 OK", "Content-Type: " + type + "\r\n", bytes(body));
    return new Case(type, answer, List.of(), 0, true);
  }

  private Case packed(String what, String body, boolean arrives) {
    List<Long> rows = arrives ? List.of(lastId - 1, lastId) : List.of();
    return new Case(what, gzip(Answer.packed(bytes(body))), rows, 0, !arrives);
  }

  private Case cutGzip() {
    byte[] whole = Answer.packed(bytes(array(good(3))));
    byte[] cut = Arrays.copyOf(whole, random.nextInt(1, whole.length - 8));
    return new Case("cut gzip", gzip(cut), List.of(), 0, true);
  }

  private static Answer gzip(byte[] body) {
    return Answer.respond("200 OK", TYPE + "Content-Encoding: gzip\r\n", body);
  }

  private Case status() {
    int status = new int[] {204, 400, 404, 418, 500, 503, 504}[random.nextInt(7)];
    return new Case("status " + status, Answer.json(status + " X", "[]"), List.of(), 0, true);
  }

  /** Some bytes are others: anything may follow but the end of the task. */
  private Case garbled(String body) {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    for (byte b : bytes(body)) {
      int choice = random.nextInt(10);
      for (int times = choice == 1 ? random.nextInt(3) : 1; times > 0; times--) {
        sent.write(choice == 0 ? random.nextInt() : b);
      }
    }
    return new Case("garbled", json(sent.toByteArray()), List.of(), 0, false);
  }
}
