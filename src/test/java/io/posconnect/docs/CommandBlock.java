package io.posconnect.docs;

import io.posconnect.Io;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A block of shell commands in a page, between <code>```sh</code> and <code>```</code>.
 *
 * @param reason why the tests do not run it, from the comment in front of it
 */
record CommandBlock(Path page, int line, String commands, Optional<String> reason) {

  private static final String BEGIN = "```sh";
  private static final String END = "```";
  private static final Pattern NOT_RUN = Pattern.compile("<!-- not run: (\\S.*) -->");

  /** The README, the other pages at the root, then those under docs, by name. */
  static List<Path> pages() {
    return Stream.concat(
            Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md").map(Path::of),
            Io.list(Path.of("docs")).stream().filter(page -> page.toString().endsWith(".md")))
        .toList();
  }

  static List<CommandBlock> of(Path page) throws IOException {
    List<String> lines = Files.readAllLines(page);
    List<CommandBlock> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().equals(BEGIN)) {
        int indent = lines.get(i).indexOf(BEGIN);
        Matcher marker = NOT_RUN.matcher(i == 0 ? "" : lines.get(i - 1).strip());
        Optional<String> reason =
            marker.matches() ? Optional.of(marker.group(1)) : Optional.empty();
        StringBuilder commands = new StringBuilder();
        int line = i + 2;
        while (!lines.get(++i).strip().equals(END)) {
          String text = lines.get(i);
          commands.append(text.substring(Math.min(indent, text.length()))).append('\n');
        }
        blocks.add(new CommandBlock(page, line, commands.toString(), reason));
      }
    }
    return blocks;
  }

  @Override
  public String toString() {
    return page + ":" + line + "\n" + commands;
  }
}
