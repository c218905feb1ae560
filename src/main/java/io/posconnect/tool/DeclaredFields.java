package io.posconnect.tool;

import io.posconnect.tool.Tool.UnreadableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/**
 * The fields that a contract has so far, found by any name under which the service may send them.
 *
 * @param record as it was declared
 */
record DeclaredFields(Schema record) {

  /** Names that every row has besides the service's. */
  private static final Set<String> TAKEN = Set.of("extra", "location", "occurrence");

  /** Sinks do not quote: one such column takes all topics of a sink with it. */
  private static final Set<String> RESERVED = reserved();

  static DeclaredFields parse(String what, String avro) {
    try {
      Schema schema = new Schema.Parser(NameValidator.STRICT_VALIDATOR).parse(avro);
      if (schema.getType() == Schema.Type.RECORD) {
        return new DeclaredFields(schema);
      }
    } catch (AvroRuntimeException e) {
      // Told below.
    }
    throw new UnreadableException(what + " is no Avro schema of type \"record\"");
  }

  private static Set<String> reserved() {
    try (InputStream words = DeclaredFields.class.getResourceAsStream("reserved-words.txt")) {
      if (words == null) {
        throw new IllegalStateException("the list of reserved words is missing");
      }
      return new String(words.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The field of which that is the name or an alias, case aside. */
  Optional<Schema.Field> find(String name) {
    return record.getFields().stream().filter(field -> goesBy(field, name)).findFirst();
  }

  static boolean goesBy(Schema.Field field, String name) {
    return field.name().equalsIgnoreCase(name)
        || field.aliases().stream().anyMatch(name::equalsIgnoreCase);
  }

  /**
   * Gives names that Avro and databases allow to fields that are not declared yet, each another
   * one.
   */
  final class Names {

    private final Set<String> taken = new HashSet<>(TAKEN);
    private final Set<String> others = new HashSet<>();

    /**
     * Begins with the names that are declared.
     *
     * @param services names that the service uses; one that is allowed is nobody else's
     */
    Names(List<String> services) {
      for (Schema.Field field : record.getFields()) {
        take(field.name());
        field.aliases().forEach(this::take);
      }
      services.stream()
          .filter(name -> legal(name).equals(name))
          .forEach(name -> others.add(lower(name)));
    }

    /** The name under which consumers see a field of the service. */
    String of(String service) {
      String legal = legal(service);
      if (legal.equals(service) && !RESERVED.contains(lower(legal)) && take(legal)) {
        return legal;
      }
      boolean spoken = TAKEN.contains(lower(legal)) || RESERVED.contains(lower(legal));
      String base = spoken ? legal + "_value" : legal;
      String name = base;
      for (int i = 2; others.contains(lower(name)) || !take(name); i++) {
        name = base + "_" + i;
      }
      return name;
    }

    private boolean take(String name) {
      return taken.add(lower(name));
    }

    private static String legal(String name) {
      String legal = name.replaceAll("[^A-Za-z0-9_]", "_");
      return legal.isEmpty() || Character.isDigit(legal.charAt(0)) ? "_" + legal : legal;
    }

    private static String lower(String name) {
      return name.toLowerCase(Locale.ROOT);
    }
  }
}
