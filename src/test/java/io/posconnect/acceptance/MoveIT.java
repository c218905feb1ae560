package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * One location of a busy chain moves to another connector and back, with the commands of {@code
 * docs/moving.md}.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class MoveIT {

  private static final String RESOURCE = SimulatedLocation.INVENTORY;
  private static final List<String> STORES = List.of("north", "south", "west");
  private static final String MOVED = "west";
  private static final int ROWS = 400;
  private static final int PER_SECOND = 20;
  private static final int CHANGES = 60;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void locationMovesToAnotherConnectorAndBack(Cluster cluster) throws IOException {
    moveAwayAndBack(cluster, cluster, "moving");
  }

  @Test
  void locationMovesToAnotherGroupAndBack(Cluster cluster) throws IOException {
    try (Cluster group = Cluster.startBeside(cluster, ClusterOptions.of("group"))) {
      moveAwayAndBack(cluster, group, "regrouped");
    }
  }

  private void moveAwayAndBack(Cluster cluster, Cluster group, String name) throws IOException {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector chain = connector(cluster, name, service);
        Connector alone = connector(group, name + "-" + MOVED, service)) {
      STORES.forEach(store -> service.location(store).inventory().generate(ROWS));
      STORES.forEach(store -> chain.location(store, store));
      alone.location(MOVED, MOVED).set("topic.prefix", name);
      chain.start();
      awaitEvents(chain, ROWS);
      List<Churn> churns = new ArrayList<>();
      try {
        STORES.forEach(store -> churns.add(busy(service, store)));
        awaitEvents(chain, CHANGES);

        cluster.connect().stop(name);
        JsonNode early = tool(cluster, chain, "--location", MOVED);
        JsonNode forgotten = tool(cluster, chain, "--location", MOVED, "--reset");
        group.connect().createStopped(alone.name(), alone.settings());
        assertRefused(group, alone, early);
        group.connect().alterOffsets(alone.name(), early);
        cluster.connect().alterOffsets(name, forgotten);
        chain.set("locations", "north,south").unset("locations.west.api.key");
        cluster.connect().put(name, chain.settings());
        cluster.connect().resume(name);
        group.connect().resume(alone.name());
        awaitEvents(chain, CHANGES);

        group.connect().stop(alone.name());
        JsonNode late = tool(group, alone);
        cluster.connect().stop(name);
        chain.location(MOVED, MOVED);
        cluster.connect().put(name, chain.settings());
        assertMixedIsRefused(cluster, chain, early, late);
        cluster.connect().alterOffsets(name, late);
        cluster.connect().resume(name);
        awaitEvents(chain, CHANGES);
      } finally {
        churns.forEach(Churn::close);
      }
      for (String store : STORES) {
        chain.awaitTruth(store, service.location(store), RESOURCE);
        List<Event> events = Event.of(chain.events(store, RESOURCE));
        DeliveryCheck check =
            DeliveryCheck.of(service.location(store), RESOURCE, events, List.of());
        assertThat(check).as(store).matches(DeliveryCheck::isOrderly);
        NumberCheck.assertComplete(
            chain.events(store, RESOURCE), chain.checkpoints(store, RESOURCE), store);
        System.out.printf("%s: %d contents, %d events%n", store, check.contents(), check.events());
      }
      Program audit = chain.audit(folder).ending(0);
      assertThat(audit.out()).contains("equal");
    }
  }

  private static Connector connector(Cluster cluster, String name, Simulator service) {
    return new Connector(cluster, name, service).eager(RESOURCE).partitions(3);
  }

  private static Churn busy(Simulator service, String store) {
    return service.churn(service.location(store), store.hashCode()).start(PER_SECOND);
  }

  /** Waits until there are so many events more of each store. */
  private static void awaitEvents(Connector chain, int more) {
    for (String store : STORES) {
      int before = more == ROWS ? 0 : chain.events(store, RESOURCE).size();
      Connector.await(
          more + " events more of " + store,
          () -> chain.events(store, RESOURCE).size() >= before + more);
    }
  }

  /** What Connect prints of a stopped connector, and what the tool makes of it. */
  private JsonNode tool(Cluster cluster, Connector connector, String... options)
      throws IOException {
    ObjectNode printed = JSON.createObjectNode();
    printed.set("offsets", cluster.connect().offsets(connector.name()));
    Path file = Files.writeString(folder.resolve("offsets.json"), printed.toString());
    List<Object> arguments = new ArrayList<>(List.of("offsets", file));
    arguments.addAll(List.of(options));
    Program tool = Program.tool(arguments.toArray()).ending(0);
    return JSON.readTree(tool.out());
  }

  private static void assertRefused(Cluster cluster, Connector connector, JsonNode set) {
    JsonNode flipped = set.deepCopy();
    ObjectNode slot = (ObjectNode) flipped.at("/offsets/1/offset");
    String text = slot.path("digest").asText();
    slot.put("digest", text.substring(0, 99) + (char) (text.charAt(99) ^ 1) + text.substring(100));
    assertRefused(cluster, connector, flipped, "POS-613");

    for (int i = 0; i < set.path("offsets").size(); i++) {
      JsonNode part = set.deepCopy();
      ((ArrayNode) part.path("offsets")).remove(i);
      assertRefused(cluster, connector, part, i == 0 ? "POS-604" : "POS-613");
    }
    assertThat(cluster.connect().offsets(connector.name())).isEmpty();
  }

  private static void assertMixedIsRefused(
      Cluster cluster, Connector connector, JsonNode early, JsonNode late) {
    JsonNode mixed = late.deepCopy();
    ArrayNode offsets = (ArrayNode) mixed.path("offsets");
    for (int i = 0; i < early.path("offsets").size(); i++) {
      if (!early.path("offsets").get(i).equals(late.path("offsets").get(i))) {
        offsets.set(i, early.path("offsets").get(i));
        break;
      }
    }
    assertThat(mixed).isNotEqualTo(late);
    assertRefused(cluster, connector, mixed, "POS-613");
  }

  private static void assertRefused(
      Cluster cluster, Connector connector, JsonNode set, String code) {
    assertThatThrownBy(() -> cluster.connect().alterOffsets(connector.name(), set))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(code);
  }
}
