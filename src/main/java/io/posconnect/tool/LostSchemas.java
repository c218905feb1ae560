package io.posconnect.tool;

import io.posconnect.problem.Text;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the records of one topic that nobody can read, since the registry lacks their schema. */
final class LostSchemas {

  private static final int MOST_LISTED = 10;

  /** The registry lacks the schema of a record. */
  static final class LostSchemaException extends RuntimeException {
    private final int id;

    LostSchemaException(int id) {
      super("The registry has no Avro schema " + id);
      this.id = id;
    }
  }

  private final String topic;
  private final Map<Integer, Long> records = new TreeMap<>();

  LostSchemas(String topic) {
    this.topic = topic;
  }

  void add(LostSchemaException record) {
    records.merge(record.id, 1L, Long::sum);
  }

  /** How many records there are, and of which schemas; empty if there are none. */
  Optional<String> reason() {
    long count = records.values().stream().mapToLong(Long::longValue).sum();
    String ids =
        records.keySet().stream()
            .limit(MOST_LISTED)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    String more = records.size() > MOST_LISTED ? ", ..." : "";
    return count == 0
        ? Optional.empty()
        : Optional.of(
            "%s of %s cannot be read: the registry has no Avro schema %s%s. It has lost its schemas,"
                    .formatted(Text.count(count, "record"), topic, ids, more)
                + " or is not the one that the connector's converter writes to");
  }
}
