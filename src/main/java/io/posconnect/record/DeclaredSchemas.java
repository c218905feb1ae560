package io.posconnect.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** Reads the Avro record schemas that declare rows: those of users, and the published ones. */
public final class DeclaredSchemas {

  private static final Map<String, Schema> BUILT_IN = new ConcurrentHashMap<>();

  private DeclaredSchemas() {}

  /**
   * Reads the text of a record schema.
   *
   * @throws IllegalArgumentException when it is not one
   */
  public static Schema parse(String avro) {
    Schema schema;
    try {
      schema = new Schema.Parser(NameValidator.STRICT_VALIDATOR).parse(avro);
    } catch (AvroRuntimeException e) {
      throw new IllegalArgumentException(
          "the schema is not a valid Avro schema: " + e.getMessage(), e);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException(
          "the schema is %s: give an Avro schema of type \"record\""
              .formatted(schema.getType().getName()));
    }
    return schema;
  }

  /**
   * The schema of the fields that the service's interface publishes for a resource; empty for a
   * resource that it does not publish.
   */
  public static Optional<Schema> builtIn(String resource) {
    Schema known = BUILT_IN.get(resource);
    if (known != null || !resource.matches("[a-z-]+")) {
      return Optional.ofNullable(known);
    }
    Optional<Schema> schema = file(resource);
    schema.ifPresent(read -> BUILT_IN.put(resource, read));
    return schema;
  }

  /** The schema in the file of that name beside this class, if there is one. */
  static Optional<Schema> file(String name) {
    try (InputStream text = DeclaredSchemas.class.getResourceAsStream(name + ".avsc")) {
      return text == null
          ? Optional.empty()
          : Optional.of(parse(new String(text.readAllBytes(), UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException("the schema " + name + " is unreadable", e);
    }
  }
}
