package io.posconnect.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** Reads the Avro record schemas that declare rows: those of users, and the published ones. */
public final class DeclaredSchemas {

  private static final Map<String, Schema> BUILT_IN = new ConcurrentHashMap<>();

  private static final int LONGEST = 1 << 20;
  private static final int MOST_FIELDS = 10_000;
  private static final int LONGEST_REASON = 200;

  private DeclaredSchemas() {}

  /**
   * Reads the text of a record schema.
   *
   * @throws IllegalArgumentException when it is not one
   */
  public static Schema parse(String avro) {
    if (avro.length() > LONGEST) {
      throw new IllegalArgumentException("the schema is longer than 1 MiB");
    }
    Schema schema;
    try {
      schema = new Schema.Parser(NameValidator.STRICT_VALIDATOR).parse(avro);
    } catch (RuntimeException | StackOverflowError e) { // The parser expects no hostile text.
      throw new IllegalArgumentException("the schema is not a valid Avro schema: " + reason(e), e);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException(
          "the schema is %s: give an Avro schema of type \"record\""
              .formatted(schema.getType().getName()));
    }
    countFields(schema, new HashSet<>(), 0);
    return schema;
  }

  /**
   * Counts the fields of a schema, those of a record wherever it stands: a few records that hold
   * the next one twice are more columns than a worker has memory for.
   *
   * @param open the records around it
   */
  private static int countFields(Schema schema, Set<String> open, int before) {
    int count = before;
    switch (schema.getType()) {
      case UNION -> {
        for (Schema type : schema.getTypes()) {
          count = countFields(type, open, count);
        }
      }
      case ARRAY -> count = countFields(schema.getElementType(), open, count);
      case MAP -> count = countFields(schema.getValueType(), open, count);
      case RECORD -> {
        if (open.add(schema.getFullName())) {
          for (Schema.Field field : schema.getFields()) {
            count = countFields(field.schema(), open, count + 1);
          }
          open.remove(schema.getFullName());
        }
      }
      default -> {}
    }
    if (count > MOST_FIELDS) {
      throw new IllegalArgumentException(
          "the schema has more than %s fields, those of a record counted wherever it stands: declare some as json"
              .formatted(MOST_FIELDS));
    }
    return count;
  }

  /** The parser's own words, which may quote the whole schema, in one line. */
  private static String reason(Throwable e) {
    String reason =
        String.valueOf(e.getMessage())
            .replaceAll("\\s+", " ")
            .replaceAll("^[\\w.]+Exception: |Source: [^;]*; ", "");
    return reason.substring(0, Math.min(LONGEST_REASON, reason.length()));
  }

  /**
   * The schema of the fields that the service's interface publishes for a resource; empty for a
   * resource that it does not publish.
   */
  public static Optional<Schema> builtIn(String resource) {
    return resource.matches("[a-z-]+")
        ? Optional.ofNullable(BUILT_IN.computeIfAbsent(resource, name -> file(name).orElse(null)))
        : Optional.empty();
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
