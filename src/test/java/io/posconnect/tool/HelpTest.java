package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The page of the tool contains its help; {@code -Ddocs=write} writes it. */
class HelpTest {

  private static final Path PAGE = Path.of("docs", "tool.md");

  private static final Pattern HELP =
      Pattern.compile("<!-- help: (?<command>[a-z-]+) -->\n(?:```\n.*?\n```\n)?", Pattern.DOTALL);

  private final CommandLine tool =
      Tool.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));

  private String usage(String command) {
    CommandLine of =
        command.equals(tool.getCommandName()) ? tool : tool.getSubcommands().get(command);
    return of.getUsageMessage(Ansi.OFF)
        .lines()
        .map(String::stripTrailing)
        .reduce("", (a, b) -> a + b + "\n");
  }

  @Test
  void pageContainsTheHelpOfEveryCommand() throws IOException {
    String page = Files.readString(PAGE);
    List<String> commands = new ArrayList<>();
    String expected =
        HELP.matcher(page)
            .replaceAll(
                help -> {
                  String command = help.group(1);
                  commands.add(command);
                  return Matcher.quoteReplacement(
                      "<!-- help: " + command + " -->\n```\n" + usage(command).strip() + "\n```\n");
                });
    if ("write".equals(System.getProperty("docs"))) {
      Files.writeString(PAGE, expected);
    }

    assertThat(PAGE)
        .as("write it with mvn -B test -Dtest=HelpTest -Ddocs=write")
        .hasContent(expected);
    assertThat(commands).contains("pos-tool");
    assertThat(tool.getSubcommands().keySet())
        .allMatch(command -> command.equals("help") || commands.contains(command));
  }

  @Test
  void everyCommandHasExamplesAndItsExitCodes() {
    tool.getSubcommands()
        .forEach(
            (name, command) -> {
              if (!name.equals("help")) {
                assertThat(usage(name)).contains("Examples:", "pos-tool " + name, "Exit codes:");
              }
            });
    assertThat(usage("pos-tool")).contains("First steps:", "Exit codes:");
  }

  /** A key of Help.properties that is misspelt leaves an option without a word. */
  @Test
  void everyOptionIsExplained() {
    tool.getSubcommands()
        .forEach(
            (name, command) ->
                assertThat(command.getCommandSpec().args())
                    .as(name)
                    .allSatisfy(
                        option ->
                            assertThat(option.description()).as(option.toString()).isNotEmpty()));
  }

  @Test
  void everyLineOfHelpFitsATerminal() {
    tool.getSubcommands()
        .keySet()
        .forEach(
            command -> assertThat(usage(command).lines()).allMatch(line -> line.length() <= 80));
    assertThat(usage("pos-tool").lines()).allMatch(line -> line.length() <= 80);
    assertThat(usage("discover")).contains("Default: 10").doesNotContain("$10");
  }
}
