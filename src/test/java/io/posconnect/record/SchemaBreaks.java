package io.posconnect.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityResult;

/**
 * Finds what consumers of a released schema would notice of the one that is built now. Stricter
 * than a registry's FULL_TRANSITIVE, which lets fields go and decimals change their scale.
 */
final class SchemaBreaks {

  private final List<String> breaks = new ArrayList<>();

  private SchemaBreaks() {}

  /** Of a key: any difference at all. */
  static List<String> ofKey(Schema released, Schema built) {
    return released.toString().equals(built.toString())
        ? List.of()
        : List.of(
            "the key's schema differs, so every key has other bytes. Noticed by: compaction, Kafka"
                + " Streams, Flink's upsert-kafka and every sink that upserts by key, which keep"
                + " the old rows beside the new ones");
  }

  static List<String> ofValue(Schema released, Schema built) {
    SchemaBreaks found = new SchemaBreaks();
    found.read(
        built, released, "what was written before is unreadable with the new schema. Noticed by:");
    found.read(
        released, built, "what is written now is unreadable with the old schema. Noticed by:");
    found.compare("", released, built);
    return List.copyOf(found.breaks);
  }

  private void read(Schema reader, Schema writer, String what) {
    SchemaCompatibilityResult result =
        SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getResult();
    for (Incompatibility each : result.getIncompatibilities()) {
      breaks.add(
          "%s: %s, %s: %s the registry, which refuses it and fails the task; classes that are generated; Flink"
              .formatted(each.getLocation(), each.getType(), each.getMessage(), what));
    }
  }

  private void compare(String path, Schema released, Schema built) {
    if (released.isUnion() && built.isUnion()) {
      compare(path, present(released), present(built));
      return;
    }
    for (String property : List.of("logicalType", "scale", "precision", "connect.name")) {
      Object before = released.getObjectProp(property);
      Object now = built.getObjectProp(property);
      if (!Objects.equals(before, now)) {
        breaks.add(
            "%s: %s was %s and is %s. Noticed by: Flink and others that read with a schema of their own, which misread every value; sinks, whose column has another type"
                .formatted(path, property, before, now));
      }
    }
    if (released.getType() != built.getType()) {
      return; // reported above
    }
    switch (released.getType()) {
      case RECORD -> compareFields(path, released, built);
      case ARRAY -> compare(path + "[]", released.getElementType(), built.getElementType());
      case MAP -> compare(path + "{}", released.getValueType(), built.getValueType());
      default -> {}
    }
  }

  private void compareFields(String path, Schema released, Schema built) {
    if (!released.getFullName().equals(built.getFullName())) {
      breaks.add(
          "%s: record %s is called %s now. Noticed by: classes that are generated"
              .formatted(path, released.getFullName(), built.getFullName()));
    }
    for (Schema.Field field : released.getFields()) {
      String name = path.isEmpty() ? field.name() : path + "." + field.name();
      Schema.Field now = built.getField(field.name());
      if (now == null) {
        breaks.add(
            "%s: the field is gone. Noticed by: classes that are generated, and queries and columns of SQL that name it"
                .formatted(name));
      } else {
        compare(name, field.schema(), now.schema());
      }
    }
  }

  private static Schema present(Schema union) {
    return union.getTypes().stream()
        .filter(type -> type.getType() != Schema.Type.NULL)
        .findFirst()
        .orElse(union);
  }
}
