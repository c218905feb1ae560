package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists or writes the schemas that a connector will register. */
@Command(
    name = "schemas",
    header = "Lists or writes the schemas that consumers will get.",
    description = {
      "Lists every schema that a connector with this configuration registers: key and value of the"
          + " events of each resource, of checkpoints, of status records and of dead letters. It"
          + " sends no request to the service and needs no secret of it: references to keys may be"
          + " unresolved.",
      "",
      "With --out it writes them as Avro schemas, one file per subject, for code generators and for"
          + " registries in which workers may not register; and asyncapi.json, which describes"
          + " every topic with its keys and headers.",
      "",
      "With --register it registers them.",
      "",
      "With --flink it prints the statements that create a table for each of these topics in Flink"
          + " SQL instead."
    },
    footer = {
      "  pos-tool schemas pos.json",
      "  pos-tool schemas pos.json --out schemas",
      "  pos-tool schemas pos.json --client registry.properties \\",
      "    --register https://registry:8081",
      "  pos-tool schemas pos.json --out flat --set event.format=flat",
      "  pos-tool schemas pos.json --out sql --flink \\",
      "    --bootstrap localhost:9092 --registry http://localhost:8081",
      "      writes sql/flink.sql, for sql-client.sh --init"
    })
final class Schemas implements Callable<Integer> {

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Writes <subject>.avsc for each subject, and asyncapi.json, into this folder; with --flink"
              + " flink.sql.")
  private @Nullable Path out;

  @Option(
      names = "--register",
      paramLabel = "URL",
      description =
          "Registers each of them, for workers that may not; the address of the registry's Confluent"
              + " interface. A schema that is there keeps its number.")
  private @Nullable String register;

  @Option(
      names = "--client",
      paramLabel = "FILE",
      description =
          "Settings of the registry for --register (basic.auth.user.info, bearer.auth.token,"
              + " schema.registry.ssl.…), as properties. References to secrets are resolved.")
  private @Nullable Path client;

  @ArgGroup(exclusive = false)
  private @Nullable Flink flink;

  /** The database Flink, and where it finds what it reads. */
  static final class Flink {
    // Its presence makes the group.
    @SuppressWarnings("UnusedVariable")
    @Option(
        names = "--flink",
        required = true,
        description =
            "Prints a table for each topic in Flink's SQL: upsert-kafka, for which a tombstone is"
                + " a delete, and avro-confluent.")
    private boolean flink;

    @Option(
        names = "--bootstrap",
        paramLabel = "HOST:PORT",
        defaultValue = "BROKERS",
        description = "The brokers. Default: the word BROKERS, to be replaced")
    private String bootstrap = "";

    @Option(
        names = "--registry",
        paramLabel = "URL",
        defaultValue = "REGISTRY",
        description =
            "The registry, by the address of its Confluent interface. Default: the word REGISTRY,"
                + " to be replaced")
    private String registry = "";
  }

  @Override
  public Integer call() {
    SourceConfig source = options.readWithoutService().source();
    List<TopicContract> topics = TopicContract.all(source);
    Flink wanted = flink;
    return wanted == null ? list(source, topics) : declare(wanted, topics);
  }

  private int declare(Flink wanted, List<TopicContract> topics) {
    FlinkTables tables = new FlinkTables(wanted.bootstrap, wanted.registry);
    String sql = topics.stream().map(tables::create).collect(Collectors.joining("\n"));
    Screen screen = options.screen();
    tables.faults().forEach(screen::error);
    if (!tables.faults().isEmpty()) {
      return ExitCode.FOUND.number();
    }
    Path folder = out;
    if (folder == null) {
      screen.document(sql);
    } else {
      screen.document(new OutputFolder(folder).write("flink.sql", sql) + " written");
    }
    return ExitCode.OK.number();
  }

  private int list(SourceConfig source, List<TopicContract> topics) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SUBJECT", "FIELDS", "SCHEMA"));
    Map<String, String> files = new TreeMap<>();
    for (TopicContract topic : topics) {
      add(topic.name() + "-key", topic.key(), rows, files);
      add(topic.name() + "-value", topic.value(), rows, files);
    }
    files.put("asyncapi.json", AsyncApi.document(source, topics));
    Screen screen = options.screen();
    screen.table(List.of(38, 8), rows);
    Path folder = out;
    if (folder != null) {
      files.forEach(new OutputFolder(folder)::write);
      screen.line();
      screen.document("%s written to %s".formatted(Text.count(files.size(), "file"), folder));
    }
    String registry = register;
    if (registry != null) {
      register(ClusterSettings.ofRegistry(registry, Optional.ofNullable(client)), topics, screen);
    }
    return ExitCode.OK.number();
  }

  private static void register(ClusterSettings cluster, List<TopicContract> topics, Screen screen) {
    screen.hide(cluster.secrets());
    SchemaRegistry registry =
        new SchemaRegistry(cluster.registry().orElseThrow(), cluster.access());
    screen.line();
    for (TopicContract topic : topics) {
      for (String side : List.of("key", "value")) {
        String subject = topic.name() + "-" + side;
        int id = registry.register(subject, side.equals("key") ? topic.key() : topic.value());
        screen.document("%s registered as %d".formatted(subject, id));
      }
    }
  }

  private static void add(
      String subject, Schema schema, List<List<String>> rows, Map<String, String> files) {
    rows.add(List.of(subject, Integer.toString(schema.getFields().size()), schema.getFullName()));
    files.put(subject + ".avsc", ConnectorConfig.pretty(schema.toString()));
  }
}
