package io.posconnect.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.posconnect.Io;
import io.posconnect.Version;
import io.posconnect.cluster.Cluster;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The commands to try beside a running quick start, and what each of them shows. */
final class Tour {

  private static final Path CONFIGURATION = Path.of("target", "quickstart.json");
  private static final String CLASS_PATH =
      "target/test-classes:target/classes:$(cat target/test-classpath)";

  private final String text;

  Tour(Cluster cluster, ControlPanel panel, String prefix) {
    String brokers = cluster.bootstrapServers();
    String registry = cluster.registry().confluentUrl().toString();
    String tool = "java -jar target/kafka-connect-pos-" + Version.TEXT + "-tool.jar";
    text =
        String.join(
            "\n",
            "  Try it, in another terminal in this folder:",
            "",
            "  1. Change a price. An update appears here.",
            "       curl -X POST '" + panel.url() + "/products/1?price=9.99'",
            "  2. Revoke the store's key. Each stream reports suspended, with POS-201; later resumed.",
            "       curl -X POST " + panel.url() + "/key/revoke",
            "       curl -X POST " + panel.url() + "/key/restore",
            "  3. Lose half of a list. inventory reports deletes_held; then deletes_released.",
            "       curl -X POST " + panel.url() + "/inventory/lose-half",
            "       curl -X POST " + panel.url() + "/inventory/restore",
            "  4. Read a topic as a consumer does.",
            "       java -cp \"" + CLASS_PATH + "\" \\",
            "         io.posconnect.consumers.InventoryConsumer "
                + brokers
                + " "
                + registry
                + " "
                + prefix,
            "  5. Compare the topics with the store.",
            "       " + tool + " audit " + CONFIGURATION + " \\",
            "         --bootstrap " + brokers + " --registry " + registry + " \\",
            "         --connect " + cluster.worker(0).restUrl(),
            "  6. Lose half of a topic. Compare again, and run the command that the comparison prints.",
            "       curl -X POST " + panel.url() + "/topics/products/lose-half",
            "",
            "  Then your own service: adapt config/one-location.json, and run",
            "       " + tool + " check config/one-location.json",
            "       " + tool + " discover config/one-location.json --out target/typed",
            "",
            "  docs/tour.md explains each step. Press Enter to print these commands again.",
            "");
  }

  /** Writes the connector's configuration to where the commands read it. */
  static void writeConfiguration(String name, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("name", name);
    ObjectWriter pretty = new ObjectMapper().writerWithDefaultPrettyPrinter();
    Io.take(() -> pretty.writeValue(CONFIGURATION.toFile(), all));
  }

  @Override
  public String toString() {
    return text;
  }
}
