package io.posconnect.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.cluster.TopicRecord;
import java.io.PrintStream;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Prints every event as one aligned line: time, resource, operation, key, what the row says. An
 * update shows what changed, for it remembers the rows. Of a snapshot it prints a few rows, and one
 * line when it is complete.
 */
final class EventPrinter {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WIDTH = 140;
  private static final int SNAPSHOT_ROWS = 3;
  private static final int STATUS_ANSI = 35;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  private final PrintStream out;
  private final boolean colour;
  private final String checkpointsTopic;
  private final String statusTopic;
  private final Map<String, PrintedRow> rows = new HashMap<>();
  private final Map<String, Integer> read = new HashMap<>();
  private final Map<Operation, Integer> counts = new TreeMap<>();

  /**
   * @param prefix of the topics
   */
  EventPrinter(PrintStream out, boolean colour, String prefix) {
    this.out = out;
    this.colour = colour;
    checkpointsTopic = prefix + ".checkpoints";
    statusTopic = prefix + ".status";
  }

  /** Operations, and their colours. */
  enum Operation {
    READ("r", 90),
    CREATED("c", 32),
    UPDATED("u", 33),
    DELETED("d", 31);

    private final String code;
    private final int ansi;

    Operation(String code, int ansi) {
      this.code = code;
      this.ansi = ansi;
    }

    static Operation of(String code) {
      for (Operation operation : values()) {
        if (operation.code.equals(code)) {
          return operation;
        }
      }
      throw new IllegalArgumentException("no such operation: " + code);
    }
  }

  /** Changes printed so far; rows of snapshots do not count. */
  int changes() {
    return counts.entrySet().stream()
        .filter(count -> count.getKey() != Operation.READ)
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** Such as {@code 3 created, 12 updated}. */
  String total() {
    return counts.entrySet().stream()
        .map(count -> count.getValue() + " " + name(count.getKey()))
        .collect(Collectors.joining(", "));
  }

  void print(TopicRecord record) {
    if (record.topic().equals(checkpointsTopic)) {
      printCheckpoint(record);
    } else if (record.topic().equals(statusTopic)) {
      printStatus(record);
    } else if (!record.tombstone()) {
      printEvent(record);
    }
  }

  /** Leaves out snapshots, which their rows and checkpoints show. */
  private void printStatus(TopicRecord record) {
    String type = String.valueOf(record.at("type"));
    if (!type.startsWith("SNAPSHOT")) {
      line(
          record,
          String.valueOf(record.at("resource_name")),
          type.toLowerCase(Locale.ROOT),
          STATUS_ANSI,
          String.valueOf(record.at("location")),
          reason(String.valueOf(record.at("additional_data"))));
    }
  }

  private static String reason(String additionalData) {
    try {
      JsonNode data = JSON.readTree(additionalData);
      return data.path("reason").asText(data.isEmpty() ? "" : additionalData);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("additional_data is not JSON", e);
    }
  }

  private void printEvent(TopicRecord record) {
    Operation operation = Operation.of(String.valueOf(record.at("op")));
    String resource = String.valueOf(record.at("source.table"));
    String says = says(record, operation);
    counts.merge(operation, 1, Integer::sum);
    if (operation != Operation.READ || read.merge(resource, 1, Integer::sum) <= SNAPSHOT_ROWS) {
      line(record, resource, name(operation), operation.ansi, key(record), says);
    }
  }

  private String says(TopicRecord record, Operation operation) {
    String id = record.topic() + record.key();
    if (operation == Operation.DELETED) {
      PrintedRow gone = rows.remove(id);
      return gone == null ? "" : "was " + gone.summary(keyFields(record));
    }
    PrintedRow row =
        PrintedRow.of((IndexedRecord) Objects.requireNonNull(record.at("after"), "after is null"));
    PrintedRow earlier = rows.put(id, row);
    return operation == Operation.UPDATED && earlier != null
        ? row.changesSince(earlier)
        : row.summary(keyFields(record));
  }

  private void printCheckpoint(TopicRecord record) {
    String fetch = String.valueOf(record.at("fetch_kind"));
    Object received = record.at("received");
    if ((fetch.equals("snapshot") || fetch.equals("backfill")) && !Objects.equals(received, 0L)) {
      String resource = String.valueOf(record.at("resource_name"));
      // A backfill is read in windows, and each has a checkpoint.
      String next = fetch.equals("snapshot") ? "; from here on, changes" : "";
      String says = "complete: " + received + " rows in " + record.at("duration_ms") + " ms" + next;
      line(record, resource, fetch, Operation.READ.ansi, "", says);
    }
  }

  private void line(
      TopicRecord record, String resource, String what, int ansi, String key, String says) {
    String words = says.replaceAll("\\p{Cntrl}+", " ");
    String time = TIME.format(record.timestamp().atZone(ZoneId.systemDefault()));
    String operation = String.format(Locale.ROOT, "%-8s", what);
    String painted = colour ? "\033[" + ansi + "m" + operation + "\033[0m" : operation;
    String head =
        String.format(Locale.ROOT, "%s  %-21s  %s  %-16s  ", time, resource, painted, key);
    int room = WIDTH - (head.length() - painted.length() + operation.length());
    out.println(head + (words.length() <= room ? words : words.substring(0, room - 1) + "…"));
  }

  private static String name(Operation operation) {
    return operation.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> keyFields(TopicRecord record) {
    return ((IndexedRecord) Objects.requireNonNull(record.key(), "key is null"))
        .getSchema().getFields().stream().map(Schema.Field::name).toList();
  }

  /** The key's fields with slashes, such as {@code downtown/17}. */
  private static String key(TopicRecord record) {
    return keyFields(record).stream()
        .map(field -> String.valueOf(record.keyAt(field)))
        .collect(Collectors.joining("/"));
  }
}
