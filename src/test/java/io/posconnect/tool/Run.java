package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Io;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import picocli.CommandLine;

/**
 * A run of the tool and its output.
 *
 * @param code that the process would have ended with
 */
record Run(int code, String out, String err) {

  static Run of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] texts = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    int code = Tool.execute(new PrintWriter(out), new PrintWriter(err), texts);
    return new Run(code, out.toString(), err.toString());
  }

  static Run of(String command, Path file, Object... options) {
    return of(Stream.concat(Stream.of(command, file), Stream.of(options)).toArray());
  }

  /** What options and the settings of a connector say of a cluster. */
  static ClusterOptions.Cluster cluster(
      Map<String, String> connector, Screen screen, Object... options) {
    String[] texts = Stream.of(options).map(Object::toString).toArray(String[]::new);
    return CommandLine.populateCommand(new ClusterOptions(), texts).read(connector, screen);
  }

  String all() {
    return out + err;
  }

  /** The same, once it is clear that it has ended with that code. */
  Run ending(int expected) {
    assertThat(code).as(all()).isEqualTo(expected);
    return this;
  }

  /** Everything that was printed, as if no line had been wrapped. */
  String text() {
    return all().replaceAll("\\s+", " ");
  }

  /** The line that begins with that word, with the lines into which it was wrapped. */
  String row(String word) {
    StringBuilder row = new StringBuilder();
    for (String line : out.lines().toList()) {
      boolean begins = line.strip().startsWith(word + " ");
      if (row.isEmpty() ? begins : line.startsWith("    ")) {
        row.append(line.strip()).append(' ');
      } else if (!row.isEmpty()) {
        break;
      }
    }
    if (row.isEmpty()) {
      throw new AssertionError("no line of " + word + " in\n" + all());
    }
    return row.toString().replaceAll("\\s+", " ");
  }

  /** Lines that a terminal of 80 columns would break, but for documents and commands. */
  List<String> tooWide() {
    return all().lines().filter(line -> line.length() > Screen.WIDTH).toList();
  }

  /** The settings of a connector that reads a service. */
  static Map<String, String> settings(Object baseUrl, String key) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("connector.class", "io.posconnect.PosSourceConnector");
    settings.put("base.url", baseUrl.toString());
    settings.put("api.key", key);
    settings.put("topic.prefix", "pos");
    return settings;
  }

  /** The same of one that reads nothing but things, whose key is their id. */
  static Map<String, String> things(Object baseUrl, String key) {
    Map<String, String> settings = settings(baseUrl, key);
    settings.put("resources", "things");
    settings.put("resources.things.path", "/things");
    settings.put("resources.things.retrieval", "full");
    settings.put("resources.things.key.fields", "id");
    return settings;
  }

  static Schema schema(Path file) {
    return new Schema.Parser().parse(Io.unchecked(() -> Files.readString(file)));
  }

  /** Writes a configuration as it is posted. */
  static Path file(Path folder, Map<String, String> settings) {
    var json = ConnectorConfig.JSON.createObjectNode().put("name", "pos");
    var config = json.putObject("config");
    settings.forEach(config::put);
    return Io.unchecked(() -> Files.writeString(folder.resolve("pos.json"), json.toString()));
  }
}
