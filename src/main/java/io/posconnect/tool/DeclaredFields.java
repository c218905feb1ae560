package io.posconnect.tool;

import io.posconnect.tool.Tool.UnreadableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
  private static final Set<String> TAKEN = Set.of("extra", "location");

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

  /** The field of which that is the name or an alias, case aside. */
  Optional<Schema.Field> find(String name) {
    return record.getFields().stream().filter(field -> goesBy(field, name)).findFirst();
  }

  static boolean goesBy(Schema.Field field, String name) {
    return field.name().equalsIgnoreCase(name)
        || field.aliases().stream().anyMatch(name::equalsIgnoreCase);
  }

  /** Gives names that Avro allows to fields that are not declared yet, each another one. */
  final class Names {

    private final Set<String> taken = new HashSet<>(TAKEN);

    /**
     * @param services names that the service uses; one that Avro allows is nobody else's
     */
    Names(List<String> services) {
      for (Schema.Field field : record.getFields()) {
        take(field.name());
        field.aliases().forEach(this::take);
      }
      services.stream().filter(Names::isLegal).forEach(reserved::add);
    }

    private final List<String> reserved = new ArrayList<>();

    /** The name under which consumers see a field of the service. */
    String of(String service) {
      String legal = legal(service);
      boolean own = legal.equals(service);
      for (int i = 1; ; i++) {
        String name = i == 1 ? legal : legal + "_" + i;
        boolean others = !(own && i == 1) && reserved.stream().anyMatch(name::equalsIgnoreCase);
        if (!others && take(name)) {
          return name;
        }
      }
    }

    private boolean take(String name) {
      return taken.add(name.toLowerCase(Locale.ROOT));
    }

    private static boolean isLegal(String name) {
      return legal(name).equals(name);
    }

    private static String legal(String name) {
      String legal = name.replaceAll("[^A-Za-z0-9_]", "_");
      return legal.isEmpty() || Character.isDigit(legal.charAt(0)) ? "_" + legal : legal;
    }
  }
}
