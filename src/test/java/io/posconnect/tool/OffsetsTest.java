package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Io;
import io.posconnect.PosSourceConnector;
import io.posconnect.StrictFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Connect prints of a connector's offsets, and what the tool makes of it. */
class OffsetsTest {

  /** Of a location {@code default} with one stream. */
  private static final Path GOLDEN =
      Path.of("src/test/resources/io/posconnect/golden/0.1.0/snapshot-by-pages.json");

  @TempDir private Path folder;
  private JsonNode golden;
  private ObjectNode offsets;

  @BeforeEach
  void read() throws IOException {
    golden = ConnectorConfig.JSON.readTree(GOLDEN.toFile());
    offsets = ConnectorConfig.JSON.createObjectNode();
    offsets.set("offsets", golden.path("offsets").deepCopy());
  }

  private ArrayNode entries() {
    return (ArrayNode) offsets.path("offsets");
  }

  private Path file() {
    Path file = folder.resolve("offsets.json");
    return Io.unchecked(() -> Files.writeString(file, offsets.toString()));
  }

  private static Map<Map<String, ?>, Map<String, ?>> request(String json) throws IOException {
    Map<Map<String, ?>, Map<String, ?>> request = new HashMap<>();
    for (JsonNode each : ConnectorConfig.JSON.readTree(json).path("offsets")) {
      request.put(map(each.path("partition")), map(each.path("offset")));
    }
    return request;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, ?> map(JsonNode node) {
    return ConnectorConfig.JSON.convertValue(node, Map.class);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(Run.settings("https://pos.example.com", "${k}"));
    settings.putAll(StrictFiles.settings(golden.path("settings")));
    return settings;
  }

  @Test
  void printsWhatConnectorAcceptsWholeOnly() throws IOException {
    Run run = Run.of("offsets", file(), "--location", "default").ending(0);
    Map<Map<String, ?>, Map<String, ?>> request = request(run.out());
    assertThat(request).hasSize(entries().size());
    PosSourceConnector connector = new PosSourceConnector();
    assertThat(connector.alterOffsets(settings(), request)).isTrue();
    for (Map<String, ?> partition : request.keySet()) {
      Map<Map<String, ?>, Map<String, ?>> rest = new HashMap<>(request);
      rest.remove(partition);
      assertThatThrownBy(() -> connector.alterOffsets(settings(), rest))
          .isInstanceOf(ConnectException.class)
          .hasMessageMatching("POS-6(04|13) .*");
    }
  }

  @Test
  void readsStandardInput() throws IOException {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(offsets.toString().getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(Run.of("offsets").out()).isEqualTo(Run.of("offsets", file()).out());
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void takesOneStreamAndForgetsIt() throws IOException {
    entries().addObject().putObject("partition").put("stream", "airport/products");
    ((ObjectNode) entries().get(entries().size() - 1)).putObject("offset").put("watermark", "x");

    Run run = Run.of("offsets", file(), "--stream", "default/customers", "--reset");

    assertThat(request(run.out()))
        .hasSize(entries().size() - 1)
        .doesNotContainKey(Map.of("stream", "airport/products"))
        .allSatisfy((partition, offset) -> assertThat(offset).isNull());
    assertThat(Run.of("offsets", file(), "--stream", "default/products").text())
        .contains("No offset belongs to default/products.");
    Run refused = Run.of("offsets", file()).ending(1);
    assertThat(refused.text())
        .contains("POS-613 the memory of airport/products", "let its connector read it first");
    assertThat(refused.out()).isEmpty();
  }

  @Test
  void refusesNameThatNoOffsetHasBesideOneThatSomeHave() {
    Run location = Run.of("offsets", file(), "--location", "default", "--location", "airprot");
    Run stream =
        Run.of("offsets", file(), "--stream", "default/customers", "--stream", "default/customer");

    assertThat(location.code()).isEqualTo(1);
    assertThat(location.text()).contains("No offset belongs to airprot.");
    assertThat(location.out()).isEmpty();
    assertThat(stream.text()).contains("No offset belongs to default/customer.");
  }

  @Test
  void refusesWhatIsNotWhole() {
    entries().remove(1);

    Run run = Run.of("offsets", file()).ending(1);
    assertThat(run.text()).contains("POS-613 the memory of default/customers", "absent");
  }

  @Test
  void refusesWhatConnectDoesNotPrint() throws IOException {
    for (String text :
        new String[] {
          "",
          "[]",
          "{}",
          "{\"offsets\": [null]}",
          "{\"offsets\": [{}]}",
          "{\"offsets\": [{\"partition\": {}, \"offset\": null}]}",
          "{\"error_code\": 404, \"message\": \"no secret of the file\"}"
        }) {
      Path file = Files.writeString(folder.resolve("other.json"), text);
      Run run = Run.of("offsets", file).ending(2);
      assertThat(run.text()).contains("other.json cannot be read").doesNotContain("secret");
    }
    assertThat(Run.of("offsets", folder.resolve("absent.json")).code()).isEqualTo(2);
    entries().add(entries().get(0));
    assertThat(Run.of("offsets", file()).text()).contains("twice");
    entries().remove(entries().size() - 1);
    ((ObjectNode) entries().get(0).path("partition")).put("table", "orders");
    assertThat(Run.of("offsets", file()).ending(1).text()).startsWith("POS-604");
  }
}
