package io.posconnect.tool;

import io.posconnect.Version;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Runs one of the commands and ends with its exit code. Their help is in Help.properties. */
@Command(
    name = "pos-tool",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    resourceBundle = "io.posconnect.tool.Help",
    subcommands = {
      Check.class,
      Discover.class,
      Schemas.class,
      Audit.class,
      Offsets.class,
      Simulate.class,
      CommandLine.HelpCommand.class
    },
    scope = CommandLine.ScopeType.INHERIT)
public final class Tool {

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
    System.exit(execute(writer(FileDescriptor.out), writer(FileDescriptor.err), arguments));
  }

  /** Shows the connector's own warnings, and hides those of its libraries. */
  private static void configureLog(boolean verbose) {
    System.setProperty(LOGGING + "defaultLogLevel", verbose ? "info" : "off");
    System.setProperty(LOGGING + "log.io.posconnect", verbose ? "debug" : "warn");
    System.setProperty(LOGGING + "showThreadName", "false");
    System.setProperty(LOGGING + "showLogName", Boolean.toString(verbose));
  }

  /** Writes to the file itself: System.out would keep a failure from the writer. */
  private static PrintWriter writer(FileDescriptor file) {
    return new PrintWriter(new FileOutputStream(file), true, StandardCharsets.UTF_8);
  }

  /** Runs a command and returns its exit code; output that is lost is a failure. */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    try {
      int code = commandLine(out, err).execute(arguments);
      if (!out.checkError()) {
        return code;
      }
      err.println("The command failed: standard output is full or closed.");
    } catch (OutOfMemoryError e) {
      // Java would end with 1, which means that there is a fault.
      err.println("The command failed: " + e + ". Give it more: java -Xmx4g -jar ...");
    }
    err.flush();
    return ExitCode.BROKEN.number;
  }

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine commandLine =
        new CommandLine(new Tool(new Screen(out, err)))
            .setOut(out)
            .setErr(err)
            .registerConverter(Path.class, Tool::path)
            .setUsageHelpWidth(Screen.WIDTH)
            .setExecutionExceptionHandler(Tool::failed);
    String version = "kafka-connect-pos " + Version.TEXT;
    commandLine.getCommandSpec().version(version);
    commandLine.getSubcommands().values().forEach(c -> c.getCommandSpec().version(version));
    return commandLine;
  }

  private static Path path(String text) {
    if (text.isBlank()) {
      throw new CommandLine.TypeConversionException("it is empty");
    }
    return Path.of(text);
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
    if (e instanceof EndedException ended) {
      screen.error(String.valueOf(e.getMessage()));
      return ended.code.number;
    }
    screen.error("The command failed: " + e);
    if (parsed.originalArgs().contains(ConfigOptions.VERBOSE)) {
      for (StackTraceElement frame : e.getStackTrace()) {
        screen.error("  at " + frame);
      }
    }
    return ExitCode.BROKEN.number;
  }

  /** A file in a folder; a character that no file name should have becomes _. */
  static Path file(Path folder, String name) {
    return folder.resolve(name.replaceAll("[^A-Za-z0-9._-]", "_"));
  }

  /** A path as a shell takes it. */
  static String word(Path path) {
    String text = path.toString();
    return text.matches("[\\w./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** Addresses without the users and passwords in them. */
  static String withoutUsers(String addresses) {
    return addresses.replaceAll("//[^/]*@", "//");
  }

  /** Makes the folder of {@code --out}, and refuses one in which no file can be written. */
  static void prepare(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "pos-tool", null));
    } catch (IOException e) {
      throw unwritable(folder, e);
    }
  }

  /** Writes a file into the folder of {@code --out} and returns where it is. */
  static Path write(Path folder, String name, String text) {
    Path file = file(folder, name);
    try {
      Files.createDirectories(folder);
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static EndedException unwritable(Path path, IOException e) {
    return ExitCode.BROKEN.because(
        "--out %s cannot be written (%s): is it in a folder, with a right to write and space?"
            .formatted(path, e.getClass().getSimpleName()));
  }

  /** These, one a line. */
  static String lines(List<?> problems) {
    return problems.stream().map(Object::toString).collect(Collectors.joining("\n"));
  }
}
