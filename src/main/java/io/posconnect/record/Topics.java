package io.posconnect.record;

import io.posconnect.resource.Stream;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The topics to which the connector publishes.
 *
 * @param template the name of a stream's topic, with {@code {prefix}}, {@code {location}} and
 *     {@code {resource}} as placeholders
 */
public record Topics(
    String prefix, String template, String checkpoints, String status, String deadLetters) {

  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** Kafka's own, the registry's, and a worker's by their usual names. */
  private static final Pattern RESERVED =
      Pattern.compile("__.*|_schemas|(.*[_-])?connect([_-].*)?[_-](offsets?|configs?|status(es)?)");

  public String of(Stream stream) {
    return template
        .replace("{prefix}", prefix)
        .replace("{location}", stream.location())
        .replace("{resource}", stream.resource());
  }

  /**
   * Refuses a name that a broker refuses.
   *
   * @throws IllegalArgumentException that states what a name may contain
   */
  public static void checkName(String name) {
    if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException(
          "must be the name of a topic: letters, digits, dots, - and _, at most 249 of them");
    }
  }

  /**
   * Returns whether Kafka, Connect or a registry usually gives that name to one of its own topics.
   * A connector cannot ask its worker for the names of the worker's topics.
   */
  public static boolean isReserved(String name) {
    return RESERVED.matcher(name.toLowerCase(Locale.ROOT)).matches();
  }

  /** Brokers refuse two names that differ only in these characters. */
  public static String comparable(String name) {
    return name.replace('.', '_');
  }
}
