package io.posconnect.record;

import io.posconnect.json.Row;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Schema;

/**
 * One declared field.
 *
 * @param name Avro-safe, as consumers see it
 * @param aliases other names that the service may use for it
 * @param nullable whether the declaration allows null
 * @param schema of the field within its struct
 */
record Column(String name, List<String> aliases, boolean nullable, Type type, Schema schema) {
  Column {
    aliases = List.copyOf(aliases);
  }

  /** The name and the aliases. */
  List<String> spellings() {
    List<String> all = new ArrayList<>(aliases.size() + 1);
    all.add(name);
    all.addAll(aliases);
    return all;
  }

  /** Whether it goes by that name, case aside. */
  boolean spelled(String spelling) {
    return name.equalsIgnoreCase(spelling)
        || aliases.stream().anyMatch(alias -> alias.equalsIgnoreCase(spelling));
  }

  /** The row's field that this is, or -1. */
  int find(Row row) {
    int found = row.find(name);
    for (int i = 0; found < 0 && i < aliases.size(); i++) {
      found = row.find(aliases.get(i));
    }
    return found;
  }
}
