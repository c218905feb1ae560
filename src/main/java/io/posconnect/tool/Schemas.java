package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.tool.Tool.UnreadableException;
import java.io.IOException;
import java.nio.file.Files;
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

/** Writes down what consumers will get, before there is any of it. */
@Command(
    name = "schemas",
    mixinStandardHelpOptions = true,
    description = {
      "Lists every schema that a connector with this configuration registers: key and value of the"
          + " events of each resource, of checkpoints, of states and of dead letters. Asks neither"
          + " the service nor a registry, and needs no secret: references to keys may lead"
          + " nowhere.",
      "",
      "With --out it writes them as Avro schemas, one file a subject, for generators of classes and"
          + " for a registry that takes no schema from a worker; and asyncapi.json, which describes"
          + " every topic with its keys, headers and an example."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  pos-tool schemas pos.json",
      "  pos-tool schemas pos.json --out schemas",
      "  pos-tool schemas pos.json --out flat --set event.format=flat"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The schemas are listed or written.",
      "2:The command line or the configuration cannot be read.",
      "3:The command broke down."
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
    ConnectorConfig config = options.readWithoutService();
    SourceConfig source = config.source();
    List<TopicContract> topics = TopicContract.all(source);
    Screen screen = options.screen();
    List<List<String>> rows = new ArrayList<>();
    Map<String, String> files = new TreeMap<>();
    for (TopicContract topic : topics) {
      add(topic.name() + "-key", topic.key(), rows, files);
      add(topic.name() + "-value", topic.value(), rows, files);
    }
    screen.table("", List.of("SUBJECT", "SCHEMA", "FIELDS"), rows);
    Path folder = out;
    if (folder != null) {
      files.put("asyncapi.json", AsyncApi.document(source, topics));
      write(folder, files);
      screen.line();
      screen.line("%d files written to %s".formatted(files.size(), folder));
    }
    return Tool.OK;
  }

  private static void add(
      String subject, Schema schema, List<List<String>> rows, Map<String, String> files) {
    rows.add(List.of(subject, schema.getFullName(), Integer.toString(schema.getFields().size())));
    files.put(subject + ".avsc", ConnectorConfig.pretty(schema.toString()));
  }

  private static void write(Path folder, Map<String, String> files) {
    try {
      Files.createDirectories(folder);
      for (Map.Entry<String, String> file : files.entrySet()) {
        // A legal name of a topic is one of a file.
        Files.writeString(folder.resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw new UnreadableException(
          "--out " + folder + " cannot be written: " + e.getClass().getSimpleName());
    }
  }
}
