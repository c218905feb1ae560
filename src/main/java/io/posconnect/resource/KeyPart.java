package io.posconnect.resource;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

/**
 * One entry of {@link Resource#keyFields}.
 *
 * @param names of one field; the first that has a value in a row applies
 * @param nullable whether a row may have null there, beside other parts that identify it
 */
public record KeyPart(List<String> names, boolean nullable) {

  private static final String NULLABLE = "?";
  private static final int LONGEST = 100;

  public KeyPart {
    names = names.stream().map(String::strip).map(FieldName::composed).toList();
  }

  /**
   * Parses an entry such as {@code a}, {@code a|b}, or {@code a?} for a field that may be null.
   *
   * @throws IllegalArgumentException when a name is missing, or the text is too long
   */
  public static KeyPart of(String text) {
    boolean nullable = text.endsWith(NULLABLE);
    String names = nullable ? text.substring(0, text.length() - 1) : text;
    KeyPart part = new KeyPart(Arrays.asList(names.split("\\|", -1)), nullable);
    if (text.length() > LONGEST || part.names.stream().anyMatch(String::isBlank)) {
      throw refused();
    }
    return part;
  }

  /**
   * Parses every entry, in order.
   *
   * @throws IllegalArgumentException when an entry is malformed or comes twice
   */
  public static List<KeyPart> all(List<String> keyFields) {
    if (new HashSet<>(keyFields).size() < keyFields.size()) {
      throw refused();
    }
    return keyFields.stream().map(KeyPart::of).toList();
  }

  private static IllegalArgumentException refused() {
    return new IllegalArgumentException(
        "must be names of fields, each once, or a|b for one with an alias; a? for one that may be"
            + " null");
  }

  /** Returns whether a list of entries that is this text names the field of that name alone. */
  public static boolean isName(String text) {
    boolean hasMeaning = text.contains(",") || text.contains("|") || text.endsWith(NULLABLE);
    return !hasMeaning && !text.isBlank() && text.length() <= LONGEST && text.equals(text.strip());
  }

  public boolean isNamed(String name) {
    return names.stream().anyMatch(each -> FieldName.isSame(each, name));
  }
}
