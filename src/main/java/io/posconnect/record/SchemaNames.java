package io.posconnect.record;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * Names one resource's schemas the same wherever the connector runs, so that classes that are
 * generated from them are one in every environment and do not clash.
 *
 * <p>A key and an envelope are named after the resource, never after a declared record: another
 * declaration gives the same keys.
 *
 * @param resource whose schemas they name
 * @param namespace what the names of its schemas begin with
 * @param base the resource in the singular where that is known, such as {@code Product}
 */
public record SchemaNames(String resource, String namespace, String base) {

  /** The namespace of a configuration that gives none, and of what all connectors have alike. */
  public static final String DEFAULT_NAMESPACE = "io.posconnect";

  public static SchemaNames of(String namespace, String resource) {
    String base =
        DeclaredSchemas.builtIn(resource)
            .map(Schema::getName)
            .orElseGet(() -> capitalized(resource));
    return new SchemaNames(resource, namespace, base);
  }

  boolean isDefault() {
    return namespace.equals(DEFAULT_NAMESPACE);
  }

  /** The full name of the schema of its keys. */
  public String key() {
    return namespace + "." + base + "Key";
  }

  String value(Schema declared) {
    return declared.getNamespace() == null
        ? namespace + "." + declared.getName()
        : declared.getFullName();
  }

  /** Ends as Debezium's do: that is what its transforms and sinks know an envelope by. */
  String envelope() {
    return own() + ".Envelope";
  }

  /** Namespace of the records within a row that have none. */
  String nested() {
    return own() + ".nested";
  }

  private String own() {
    return namespace + "." + segment(resource);
  }

  private static String capitalized(String resource) {
    return segment(
        Arrays.stream(resource.split("[^A-Za-z0-9]+"))
            .filter(word -> !word.isEmpty())
            .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
            .collect(Collectors.joining()));
  }

  /** The text as one Avro name: what Avro refuses becomes an underscore. */
  public static String segment(String text) {
    String name = text.replaceAll("[^A-Za-z0-9_]", "_");
    return name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
  }
}
