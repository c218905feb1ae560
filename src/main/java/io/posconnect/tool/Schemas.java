package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Text;
import io.posconnect.tool.ClusterOptions.Cluster;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists or writes the schemas that a connector will register. */
@Command(name = "schemas")
final class Schemas implements Callable<Integer> {

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(names = "--out", paramLabel = "DIR")
  private Optional<Path> out = Optional.empty();

  @Option(names = "--register", paramLabel = "URL")
  private Optional<String> register = Optional.empty();

  @Option(names = "--flink")
  private boolean flink;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Override
  public Integer call() {
    if (!flink && !cluster.named.isEmpty()) {
      throw ExitCode.UNREADABLE.because("Give --bootstrap and --registry with --flink.");
    }
    if (flink && register.isPresent()) {
      throw ExitCode.UNREADABLE.because("Give --register without --flink.");
    }
    ConnectorConfig config = options.readWithoutService();
    SourceConfig source = config.source();
    List<TopicContract> topics = TopicContract.all(source);
    return flink ? declare(topics) : list(config, source, topics);
  }

  private int declare(List<TopicContract> topics) {
    Screen screen = options.screen();
    Cluster known = cluster.read(Map.of(), screen);
    String brokers = known.kafka().getOrDefault(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "BROKERS");
    String registry = known.registry().address().map(URI::toString).orElse("REGISTRY");
    List<String> faults = new ArrayList<>();
    FlinkTables tables =
        new FlinkTables(brokers, Tool.withoutUsers(registry), faults, new HashSet<>());
    String sql = topics.stream().map(tables::create).collect(Collectors.joining("\n"));
    if (!faults.isEmpty()) {
      throw ExitCode.FOUND.because(Tool.lines(faults));
    }
    screen.document(
        out.map(folder -> Tool.write(folder, "flink.sql", sql) + " written").orElse(sql));
    return ExitCode.OK.number;
  }

  private int list(ConnectorConfig config, SourceConfig source, List<TopicContract> topics) {
    Map<String, Schema> subjects = new LinkedHashMap<>();
    for (TopicContract topic : topics) {
      subjects.put(topic.connect().topic() + "-key", topic.key());
      subjects.put(topic.connect().topic() + "-value", topic.value());
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SUBJECT", "FIELDS", "SCHEMA"));
    subjects.forEach(
        (subject, schema) ->
            rows.add(
                List.of(
                    subject, Integer.toString(schema.getFields().size()), schema.getFullName())));
    Screen screen = options.screen();
    screen.table(List.of(38, 8), rows);
    if (out.isPresent()) {
      Path folder = out.get();
      Tool.write(folder, "asyncapi.json", AsyncApi.document(source, topics));
      subjects.forEach(
          (subject, schema) ->
              Tool.write(
                  folder, subject + ".avsc", SchemaFormatter.format("json/pretty", schema) + "\n"));
      screen.line("");
      screen.document(
          "%s written to %s".formatted(Text.count(subjects.size() + 1, "file"), folder));
    }
    if (register.isPresent()) {
      cluster.registry(register.get());
      SchemaRegistry registry =
          new SchemaRegistry(cluster.read(config.resolved(), screen).registry());
      screen.line("");
      subjects.forEach(
          (subject, schema) ->
              screen.document(
                  "%s registered as %s".formatted(subject, registry.register(subject, schema))));
    }
    return ExitCode.OK.number;
  }
}
