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
 * Published by events on the one hand, served by the location on the other.
 */
final class RevisionHistory {

  static final int GONE = 0;

  /** What has a revision, and the field of its key. */
  static final Map<String, String> KEYS =
      Map.of(
          SimulatedLocation.PRODUCTS, "productId",
          SimulatedLocation.CUSTOMERS, "customerID",
          SimulatedLocation.REGISTER_TRANSACTIONS, "registerTransactionId",
          SimulatedLocation.INVENTORY, "inventoryId");

  private RevisionHistory() {}

  /**
   * What the events of one topic and location tell. Fails when a delete is not followed by its
   * tombstone, or when a key is spread over partitions.
   */
  static Map<Long, List<Integer>> published(List<TopicRecord> events, String keyField) {
    Map<Long, List<Integer>> published = new TreeMap<>();
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
              published.computeIfAbsent(id, i -> new ArrayList<>()).add(revision(event));
            });
    assertThat(tombstonesDue).isEmpty();
    return published;
  }

  private static int revision(TopicRecord event) {
    GenericRecord after = (GenericRecord) event.at("after");
    return after == null ? GONE : CompactedTopic.row(after).path("revision").intValue();
  }

  /** What the location's responses showed, distinct contents only. */
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

  /** How many revisions there are. */
  static int length(Map<Long, List<Integer>> revisions) {
    return revisions.values().stream().mapToInt(List::size).sum();
  }

  /**
   * Whether these revisions could have been published of what was served, no matter in which
   * responses, and ends with how things are: each revision at most once and in order, nothing that
   * was never served, and a delete only as the end of a row that is gone.
   */
  static void assertPlausible(
      Map<Long, List<Integer>> published,
      Map<Long, List<Integer>> served,
      Map<String, JsonNode> truth) {
    published.forEach(
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
          assertThat(present)
              .as("published of %s", id)
              .doesNotHaveDuplicates()
              .doesNotContain(GONE);
        });
    truth.keySet().forEach(id -> assertThat(published).containsKey(Long.parseLong(id)));
  }
}
