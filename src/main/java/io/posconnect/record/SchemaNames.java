package io.posconnect.record;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Gives one resource's schemas names that Avro allows. Each segment between dots stands for itself;
 * a character that Avro refuses becomes an underscore, and a segment that begins with a digit gets
 * one in front.
 *
 * @param resource whose schemas they name
 * @param base what the names of its schemas begin with
 */
public record SchemaNames(String resource, String base) {

  public SchemaNames {
    Objects.requireNonNull(resource, "resource is null");
    Objects.requireNonNull(base, "base is null");
  }

  /**
   * The names {@code <topic prefix>.<resource>.…}. Two resources whose names differ only in such
   * characters share them, which is harmless: their topics, and so their subjects, differ.
   */
  public static SchemaNames of(String topicPrefix, String resource) {
    return new SchemaNames(resource, safe(topicPrefix + "." + resource.replace('.', '_')));
  }

  String key() {
    return base + ".Key";
  }

  String value() {
    return base + ".Value";
  }

  String envelope() {
    return base + ".Envelope";
  }

  /** The name with everything replaced that Avro does not allow in a full name. */
  private static String safe(String name) {
    return Arrays.stream(name.split("\\.", -1))
        .map(SchemaNames::segment)
        .collect(Collectors.joining("."));
  }

  /** The text as one Avro name. */
  static String segment(String text) {
    String name = text.replaceAll("[^A-Za-z0-9_]", "_");
    return name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
  }
}
