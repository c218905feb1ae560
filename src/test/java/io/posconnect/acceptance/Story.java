package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.SimulatedLocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.generic.GenericRecord;

/**
 * What happened to each row, as the sequence of its revisions; {@link #GONE} where it was deleted.
 * Told by events on the one hand, served by the store on the other.
 */
final class Story {

  static final int GONE = 0;

  private Story() {}

  /**
   * What the events of one topic and location tell. Fails when a delete is not followed by its
   * tombstone, or when a key is spread over partitions.
   */
  static Map<Long, List<Integer>> told(List<TopicRecord> events, String keyField) {
    Map<Long, List<Integer>> told = new TreeMap<>();
    Map<Long, Integer> partitions = new HashMap<>();
    Set<Long> tombstonesDue = new HashSet<>();
    events.stream()
        .sorted(
            Comparator.comparingInt(TopicRecord::partition).thenComparingLong(TopicRecord::offset))
        .forEach(
            event -> {
              long id = ((Number) event.keyAt(keyField)).longValue();
              assertThat(partitions.putIfAbsent(id, event.partition()))
                  .isIn(null, event.partition());
              assertThat(tombstonesDue.remove(id))
                  .as("tombstone of %s", id)
                  .isEqualTo(event.tombstone());
              if (event.tombstone()) {
                return;
              }
              if ("d".equals(event.at("op"))) {
                tombstonesDue.add(id);
              }
              told.computeIfAbsent(id, i -> new ArrayList<>()).add(revision(event));
            });
    assertThat(tombstonesDue).isEmpty();
    return told;
  }

  private static int revision(TopicRecord event) {
    GenericRecord after = (GenericRecord) event.at("after");
    return after == null ? GONE : Folded.row(after).path("revision").intValue();
  }

  /** What the store's responses showed, distinct contents only. */
  static Map<Long, List<Integer>> served(SimulatedLocation location, String resource) {
    Map<Long, List<Integer>> served = new TreeMap<>();
    location
        .history()
        .of(resource)
        .forEach(
            (id, shown) ->
                served.put(
                    id, shown.stream().map(s -> s.present() ? s.revision() : GONE).toList()));
    return served;
  }

  /** How many things the story tells. */
  static int length(Map<Long, List<Integer>> story) {
    return story.values().stream().mapToInt(List::size).sum();
  }

  /**
   * Whether a story could have been told from what was served, no matter in which responses, and
   * ends with how things are: each revision at most once and in order, nothing that was never
   * served, and a delete only as the end of a row that is gone.
   */
  static void assertPlausible(
      Map<Long, List<Integer>> told, Map<Long, List<Integer>> served, Map<String, JsonNode> truth) {
    told.forEach(
        (id, revisions) -> {
          JsonNode row = truth.get(Long.toString(id));
          List<Integer> present = new ArrayList<>(revisions);
          if (row == null) {
            assertThat(present.remove(present.size() - 1)).as("end of %s", id).isEqualTo(GONE);
          } else {
            assertThat(present.get(present.size() - 1))
                .as("end of %s", id)
                .isEqualTo(row.path("revision").intValue());
          }
          assertThat(served.get(id)).as("served of %s", id).containsSubsequence(present);
          assertThat(present).as("told of %s", id).doesNotHaveDuplicates().doesNotContain(GONE);
        });
    truth.keySet().forEach(id -> assertThat(told).containsKey(Long.parseLong(id)));
  }
}
