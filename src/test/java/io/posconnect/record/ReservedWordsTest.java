package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.record.Destination.EventFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sinks do not quote: one reserved word among the fields takes all topics of a sink with it. */
final class ReservedWordsTest {

  /** Debezium's name, within a record, where its sinks look for it. */
  private static final Set<String> THEIRS = Set.of("source.table");

  private static Set<String> words(String database) throws IOException {
    String room = database.equals("flink") ? "record" : "tool";
    try (InputStream text =
        ReservedWordsTest.class.getResourceAsStream(
            "/io/posconnect/%s/reserved-%s.txt".formatted(room, database))) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(Collectors.toSet());
    }
  }

  private static void addNames(String path, Schema schema, List<String> names) {
    switch (schema.type()) {
      case STRUCT -> {
        for (Field field : schema.fields()) {
          names.add(path + field.name());
          addNames(path + field.name() + ".", field.schema(), names);
        }
      }
      case ARRAY, MAP -> addNames(path, schema.valueSchema(), names);
      default -> {}
    }
  }

  private static List<String> reserved(Set<String> words) {
    List<String> names = new ArrayList<>();
    for (EventFormat format : EventFormat.values()) {
      for (TopicSchemas each : Fixture.everyTopic(format)) {
        addNames("", each.key(), names);
        addNames("", each.value(), names);
      }
    }
    assertThat(names).contains("location", "complete_to", "after.price", "source.seq", "row_json");
    return names.stream()
        .filter(name -> !THEIRS.contains(name))
        .filter(
            name ->
                words.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)))
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "flink", "oracle"})
  void noFieldIsAReservedWord(String database) throws IOException {
    assertThat(reserved(words(database))).isEmpty();
  }

  @Test
  void listsContainTheWordsThatFailedBefore() throws IOException {
    assertThat(words("postgresql")).contains("fetch", "table", "user", "order");
    assertThat(words("flink")).contains("fetch", "watermark", "raw", "timestamp");
    assertThat(words("oracle")).contains("resource", "comment", "raw");
    assertThat(reserved(Set.of("seq"))).contains("source.seq", "seq");
  }
}
