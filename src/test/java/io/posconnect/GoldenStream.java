package io.posconnect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.State;
import io.posconnect.offset.DigestReader;
import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.offset.Snapshot;
import io.posconnect.offset.StoredStream;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A stream as a released version left it: its settings, the rows of the service at that moment, and
 * everything that Connect had stored of it.
 *
 * @param settings but for the address and the key, which are the test's
 * @param identity from the location's answer to {@code /whoami}
 * @param rows in the order in which they were served
 * @param offsets by source partition
 */
record GoldenStream(
    Map<String, String> settings,
    JsonNode identity,
    List<JsonNode> rows,
    Map<Map<String, ?>, Map<String, Object>> offsets) {

  private static final List<String> OF_THE_TEST = List.of("base.url", "api.key");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads the offsets that a task with those settings has left. */
  static GoldenStream of(
      Map<String, String> settings,
      Simulator service,
      Table table,
      Map<Map<String, ?>, Map<String, Object>> offsets) {
    Map<String, String> kept = new TreeMap<>(settings);
    kept.keySet().removeAll(OF_THE_TEST);
    return new GoldenStream(
        kept,
        service.location().identity().row(1),
        List.copyOf(table.truth().values()),
        Map.copyOf(offsets));
  }

  static GoldenStream read(Path file) throws IOException {
    JsonNode root = JSON.readTree(file.toFile());
    Map<Map<String, ?>, Map<String, Object>> offsets = new HashMap<>();
    for (JsonNode each : root.path("offsets")) {
      Map<String, Object> offset = new TreeMap<>();
      each.path("offset")
          .properties()
          .forEach(field -> offset.put(field.getKey(), stored(field.getValue())));
      offsets.put(Map.of("stream", each.at("/partition/stream").asText()), offset);
    }
    return new GoldenStream(
        StrictFiles.settings(root.path("settings")),
        root.path("identity"),
        List.copyOf(root.path("rows").valueStream().toList()),
        offsets);
  }

  /** As Connect gives it back: every whole number is a long. */
  private static Object stored(JsonNode value) {
    return value.isIntegralNumber() ? value.asLong() : value.asText();
  }

  /** One row or offset a line; offsets as Connect's REST interface shows them. */
  void write(Path file) throws IOException {
    List<JsonNode> stored = new ArrayList<>();
    offsets.forEach(
        (partition, offset) -> {
          ObjectNode each = JSON.createObjectNode();
          each.set("partition", JSON.valueToTree(partition));
          each.set("offset", JSON.valueToTree(new TreeMap<>(offset)));
          stored.add(each);
        });
    stored.sort(Comparator.comparing(each -> each.path("partition").toString()));
    String text =
        "{\n\"settings\": %s,\n\"identity\": %s,\n\"rows\": %s,\n\"offsets\": %s\n}\n"
            .formatted(JSON.valueToTree(settings), identity, lines(rows), lines(stored));
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String lines(List<JsonNode> nodes) {
    return nodes.stream().map(JsonNode::toString).collect(Collectors.joining(",\n", "[\n", "\n]"));
  }

  Map<String, String> settings(Simulator service) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("base.url", service.baseUrl().toString());
    all.put("api.key", Simulator.KEY);
    return all;
  }

  String resource() {
    return settings.get("resources");
  }

  private Stream stream() {
    return new Stream("default", resource());
  }

  /** Where the stream stood. */
  StreamOffset position() {
    return StreamOffset.fromMap(stream(), offsets.get(StreamPartition.position(stream()).toMap()))
        .orElseThrow();
  }

  /** Returns the published hash of each key since the latest snapshot began. */
  Map<Key, Long> digest() {
    Restored restored = restored();
    Snapshot snapshot = restored.newest().orElseThrow().context().snapshot();
    Map<Key, Long> published = new HashMap<>();
    restored.segments().stream()
        .filter(segment -> segment.context().snapshot().isSameAs(snapshot))
        .flatMap(segment -> segment.stored().entries().stream())
        .forEach(entry -> apply(published, entry));
    return published;
  }

  private static void apply(Map<Key, Long> published, StoredEntry entry) {
    if (entry.state() == State.CURRENT) {
      published.put(entry.key(), entry.hash());
    } else {
      published.remove(entry.key());
    }
  }

  /** The number of the latest event. */
  long seq() {
    return Math.max(
        position().context().numbering().seq(),
        restored().newest().orElseThrow().context().numbering().seq());
  }

  private Restored restored() {
    return DigestReader.read(position(), StoredStream.slots(stream(), offsets));
  }

  /** The same, but that one offset has been changed. */
  GoldenStream with(Map<String, ?> partition, Map<String, Object> offset) {
    Map<Map<String, ?>, Map<String, Object>> changed = new HashMap<>(offsets);
    changed.put(partition, offset);
    return new GoldenStream(settings, identity, rows, changed);
  }
}
