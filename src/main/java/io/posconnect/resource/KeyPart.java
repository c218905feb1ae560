package io.posconnect.resource;

import java.util.Arrays;
import java.util.List;

/**
 * Reads one entry of {@link Resource#keyFields}.
 *
 * @param names of one field, of which the first rows decide for one
 * @param nullable whether a row may have null there, beside other parts that identify it
 */
public record KeyPart(List<String> names, boolean nullable) {

  private static final String NULLABLE = "?";

  public KeyPart {
    names = List.copyOf(names);
  }

  /** Such as {@code a}, {@code a|b}, and {@code a?} for one that may be null. */
  public static KeyPart of(String text) {
    boolean nullable = text.endsWith(NULLABLE);
    String names = nullable ? text.substring(0, text.length() - 1) : text;
    return new KeyPart(Arrays.asList(names.split("\\|", -1)), nullable);
  }

  /** Every entry, in order. */
  public static List<KeyPart> all(List<String> keyFields) {
    return keyFields.stream().map(KeyPart::of).toList();
  }

  /** Whether it is one of its names, case aside. */
  public boolean isNamed(String name) {
    return names.stream().anyMatch(name::equalsIgnoreCase);
  }
}
