package io.posconnect.json;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Writes random JSON and remembers what it wrote, without a parser. */
final class JsonTexts {

  /** An element and the texts of its fields, in order; no fields unless it is an object. */
  record Element(String text, List<String> names, List<String> values) {}

  private static final String[] SPACES = {"", "", "", " ", "\n", "\t \r\n  "};
  private static final String[] ATOMS = {
    "0", "-1", "10.50", "1e999999999", "-0.0E-7", "true", "false", "null", "[]", "{}", "\"\""
  };
  private static final String[] PIECES = {
    "a",
    "Z",
    "ß",
    "€",
    "𝄞",
    "\\\"",
    "\\\\",
    "\\u00e9",
    "\\ud834\\uDD1e",
    "\\n",
    "\\b\\f\\r\\t",
    "\\/",
    "}",
    "{",
    "]",
    "[",
    ",",
    ":",
    " "
  };

  private final RandomGenerator random;

  JsonTexts(RandomGenerator random) {
    this.random = random;
  }

  Element object(int mostFields) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    StringBuilder text = new StringBuilder("{").append(space());
    int fields = random.nextInt(mostFields + 1);
    for (int i = 0; i < fields; i++) {
      String name = "f" + (random.nextBoolean() ? "" : "ieldé") + i;
      String value = value(4);
      names.add(name);
      values.add(value);
      text.append(i == 0 ? "" : ",").append(space()).append('"').append(name).append('"');
      text.append(space()).append(':').append(space()).append(value).append(space());
    }
    return new Element(text.append('}').toString(), names, values);
  }

  String array(List<Element> elements) {
    StringBuilder text = new StringBuilder(space()).append('[').append(space());
    for (int i = 0; i < elements.size(); i++) {
      text.append(i == 0 ? "" : ",").append(space()).append(elements.get(i).text()).append(space());
    }
    return text.append(']').append(space()).toString();
  }

  private String value(int depth) {
    int choice = random.nextInt(depth > 0 ? 8 : 5);
    return switch (choice) {
      case 0, 1 -> ATOMS[random.nextInt(ATOMS.length)];
      case 2, 3 -> string(random.nextInt(12));
      case 4 -> random.nextInt(8) == 0 ? string(random.nextInt(9000)) : "12.5";
      case 5 -> "[" + space() + value(depth - 1) + space() + "," + value(depth - 1) + "]";
      case 6 -> "{" + space() + string(2) + space() + ":" + value(depth - 1) + "}";
      default -> string(3);
    };
  }

  private String string(int pieces) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.append('"').toString();
  }

  private String space() {
    return SPACES[random.nextInt(SPACES.length)];
  }
}
