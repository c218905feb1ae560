package io.posconnect.tool;

import io.posconnect.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Runs one of the commands and ends with its exit code. */
@Command(
    name = "pos-tool",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Checks a configuration of the point-of-sale connector, discovers what the service sends,"
          + " lists the schemas that consumers will get, and compares the topics with the service.",
      "",
      "Every command reads the file that is posted to Connect: the JSON of POST /connectors, the"
          + " flat JSON of PUT /connectors/<name>/config, or properties. References to secrets are"
          + " resolved as a worker resolves them, such as:",
      "  $${env:POS_KEY}",
      "  $${file:/run/secrets/pos.properties:api.key}"
    },
    subcommands = {
      Check.class,
      Discover.class,
      Schemas.class,
      Audit.class,
      CommandLine.HelpCommand.class
    },
    footerHeading = "%nFirst steps:%n",
    footer = {
      "  alias pos-tool='java -jar kafka-connect-pos-<version>-tool.jar'",
      "  pos-tool check pos.json",
      "  pos-tool discover pos.json --out typed",
      "  pos-tool schemas typed/pos.json --out schemas",
      "  curl -H 'Content-Type: application/json' -d @typed/pos.json \\",
      "    localhost:8083/connectors",
      "  pos-tool audit typed/pos.json --bootstrap localhost:9092 \\",
      "    --registry http://localhost:8081"
    },
    scope = CommandLine.ScopeType.INHERIT,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The command found no fault.",
      "1:It found a fault in the configuration, the service's answers or a topic.",
      "2:The command line or the configuration cannot be read.",
      "3:The command failed."
    })
public final class Tool {

  static final int OK = CommandLine.ExitCode.OK;
  static final int FOUND = 1;
  static final int UNREADABLE = CommandLine.ExitCode.USAGE;
  static final int BROKEN = 3;

  /** Where slf4j-simple, the tool jar's only logger, looks for its settings. */
  private static final String LOGGING = "org.slf4j.simpleLogger.";

  /** One for the run, so that a secret stays hidden when the command fails. */
  private final Screen screen;

  private Tool(Screen screen) {
    this.screen = screen;
  }

  static Screen screen(CommandSpec command) {
    return ((Tool) command.root().userObject()).screen;
  }

  /** Runs a command and ends the process with its code. */
  public static void main(String... arguments) {
    configureLog(List.of(arguments).contains(ConfigOptions.VERBOSE));
    System.exit(execute(writer(System.out), writer(System.err), arguments));
  }

  /** Shows the connector's own warnings, and hides those of its libraries. */
  private static void configureLog(boolean verbose) {
    System.setProperty(LOGGING + "defaultLogLevel", verbose ? "info" : "off");
    System.setProperty(LOGGING + "log.io.posconnect", verbose ? "debug" : "warn");
    System.setProperty(LOGGING + "showThreadName", "false");
    System.setProperty(LOGGING + "showLogName", Boolean.toString(verbose));
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  /** Runs a command and returns its exit code. */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine(out, err).execute(arguments);
  }

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine commandLine =
        new CommandLine(new Tool(new Screen(out, err)))
            .setOut(out)
            .setErr(err)
            .setUsageHelpWidth(Screen.WIDTH)
            .setExecutionExceptionHandler(Tool::failed);
    String version = "kafka-connect-pos " + Version.TEXT;
    commandLine.getCommandSpec().version(version);
    commandLine.getSubcommands().values().forEach(c -> c.getCommandSpec().version(version));
    return commandLine;
  }

  /** The text of a file beside this class in its jar. */
  static String resource(String name) {
    try (InputStream text = Tool.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int failed(Exception e, CommandLine command, ParseResult parsed) {
    Screen screen = screen(command.getCommandSpec());
    if (e instanceof UnreadableException) {
      screen.error(String.valueOf(e.getMessage()));
      return UNREADABLE;
    }
    if (e instanceof FailedException) {
      screen.error(String.valueOf(e.getMessage()));
      return BROKEN;
    }
    screen.error("The command failed: " + e);
    if (parsed.originalArgs().contains(ConfigOptions.VERBOSE)) {
      for (StackTraceElement frame : e.getStackTrace()) {
        screen.error("  at " + frame);
      }
    }
    return BROKEN;
  }

  /** States what cannot be read, and the remedy. */
  static final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
      super(message);
    }

    /** States all of these, one a line. */
    UnreadableException(List<?> problems) {
      this(problems.stream().map(Object::toString).collect(Collectors.joining("\n")));
    }
  }

  /** States what the command needs and cannot reach. */
  static final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
      super(message);
    }
  }
}
