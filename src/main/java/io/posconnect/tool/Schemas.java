package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
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
          + " sends no request to the service or a registry and needs no secret: references to keys"
          + " may be unresolved.",
      "",
      "With --out it writes them as Avro schemas, one file per subject, for code generators and for"
          + " registries in which workers may not register; and asyncapi.json, which describes"
          + " every topic with its keys, headers and an example."
    },
    footer = {
      "  pos-tool schemas pos.json",
      "  pos-tool schemas pos.json --out schemas",
      "  pos-tool schemas pos.json --out flat --set event.format=flat"
    })
final class Schemas implements Callable<Integer> {

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes <subject>.avsc for each subject, and asyncapi.json, into this folder.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    SourceConfig source = options.readWithoutService().source();
    List<TopicContract> topics = TopicContract.all(source);
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
    return Tool.OK;
  }

  private static void add(
      String subject, Schema schema, List<List<String>> rows, Map<String, String> files) {
    rows.add(List.of(subject, Integer.toString(schema.getFields().size()), schema.getFullName()));
    files.put(subject + ".avsc", ConnectorConfig.pretty(schema.toString()));
  }
}
