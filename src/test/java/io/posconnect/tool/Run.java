package io.posconnect.tool;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a run of the tool came to.
 *
 * @param code that the process would have ended with
 */
record Run(int code, String out, String err) {

  static Run of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    int code = Tool.execute(new PrintWriter(out), new PrintWriter(err), texts);
    return new Run(code, out.toString(), err.toString());
  }

  String all() {
    return out + err;
  }

  /** The line that begins with that word, blanks aside. */
  String line(String word) {
    return out.lines()
        .filter(line -> line.strip().startsWith(word + " "))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line of " + word + " in\n" + all()));
  }

  /** A configuration as it is posted, in a file. */
  static Path file(Path folder, Map<String, String> settings) {
    try {
      var json = ConnectorConfig.JSON.createObjectNode().put("name", "pos");
      var config = json.putObject("config");
      settings.forEach(config::put);
      return Files.writeString(folder.resolve("pos.json"), json.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
