package io.posconnect.tool;

import io.posconnect.record.FieldList;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.FieldName;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The fields of a contract, found by any name under which the service may send them.
 *
 * @param record as it was declared
 */
record DeclaredFields(Schema record) {

  /** Fields that the connector adds to every row. */
  private static final Set<String> TAKEN = Set.of("extra", "location", "occurrence");

  /** Sinks do not quote: one such column fails a sink with all its topics. */
  private static final Set<String> RESERVED = reserved();

  private static Set<String> reserved() {
    Set<String> words = new HashSet<>(Set.of("variant")); // Flink has many more, but quotes.
    for (String database : List.of("postgresql", "oracle")) {
      Tool.resource("reserved-" + database + ".txt")
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(words::add);
    }
    return Set.copyOf(words);
  }

  /** Finds the field that has this name or alias, case aside. */
  Optional<Schema.Field> find(String name) {
    return record.getFields().stream().filter(field -> isNamed(field, name)).findFirst();
  }

  /** The same contract with these fields. */
  DeclaredFields with(List<Schema.Field> fields) {
    return new DeclaredFields(FieldList.with(record, fields));
  }

  /** The same contract without the field of this name. */
  DeclaredFields without(String name) {
    return with(record.getFields().stream().filter(each -> !each.name().equals(name)).toList());
  }

  static boolean isNamed(Schema.Field field, String name) {
    return FieldList.names(field).anyMatch(each -> FieldName.isSame(each, name));
  }

  /**
   * Chooses a name for each new field: one that Avro and databases allow, and no other field has.
   */
  final class Names {

    private final Set<String> taken = new HashSet<>(TAKEN);
    private final Set<String> ofService = new HashSet<>();

    /**
     * Begins with the declared names.
     *
     * @param services names that the service uses; a legal one is kept for its own field
     */
    Names(List<String> services) {
      for (Schema.Field field : record.getFields()) {
        take(field.name());
        field.aliases().forEach(this::take);
      }
      services.stream()
          .filter(name -> SchemaNames.segment(name).equals(name))
          .forEach(name -> ofService.add(lower(name)));
    }

    /** Returns the name under which consumers see a field of the service. */
    String of(String service) {
      String legal = SchemaNames.segment(service);
      boolean reserved = TAKEN.contains(lower(legal)) || RESERVED.contains(lower(legal));
      if (legal.equals(service) && !reserved && take(legal)) {
        return legal;
      }
      String base = reserved ? legal + "_value" : legal;
      String name = base;
      for (int i = 2; ofService.contains(lower(name)) || !take(name); i++) {
        name = base + "_" + i;
      }
      return name;
    }

    private boolean take(String name) {
      return taken.add(lower(name));
    }

    private static String lower(String name) {
      return name.toLowerCase(Locale.ROOT);
    }
  }
}
