package io.posconnect.tool;

import io.posconnect.record.FieldList;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.FieldName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;

/**
 * The fields of a contract, found by any name under which the service may send them.
 *
 * @param record as it was declared
 */
record DeclaredFields(Schema record) {

  /**
   * Fields that the connector adds to every row, and words of sinks, which do not quote: one such
   * column fails a sink with all its topics.
   */
  private static final Set<String> RESERVED = reserved();

  private static Set<String> reserved() {
    Set<String> words = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    // The last one is Flink's, which has many more, but quotes.
    words.addAll(List.of("extra", "location", "occurrence", "variant"));
    for (String database : List.of("postgresql", "oracle")) {
      Tool.resource("reserved-" + database + ".txt")
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(words::add);
    }
    return words;
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

    private final Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<String> ofService = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    /**
     * Begins with the declared names.
     *
     * @param services names that the service uses; a legal one is kept for its own field
     */
    Names(List<String> services) {
      record.getFields().stream().flatMap(FieldList::names).forEach(taken::add);
      services.stream()
          .filter(name -> SchemaNames.segment(name).equals(name))
          .forEach(ofService::add);
    }

    /** Returns the name under which consumers see a field of the service. */
    String of(String service) {
      String legal = SchemaNames.segment(service);
      boolean reserved = RESERVED.contains(legal);
      if (legal.equals(service) && !reserved && taken.add(legal)) {
        return legal;
      }
      String base = reserved ? legal + "_value" : legal;
      String name = base;
      for (int i = 2; ofService.contains(name) || !taken.add(name); i++) {
        name = base + "_" + i;
      }
      return name;
    }
  }
}
