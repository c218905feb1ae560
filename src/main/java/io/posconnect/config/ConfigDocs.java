package io.posconnect.config;

import io.posconnect.config.Setting.Group;
import io.posconnect.config.Setting.Scope;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the settings as the table of the README. */
public final class ConfigDocs {

  private ConfigDocs() {}

  /** Prints the table to standard output. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.print(markdown());
  }

  /** One table, its groups set apart by a row each, in Markdown, ending with a line break. */
  public static String markdown() {
    String rows = Stream.of(Group.values()).map(ConfigDocs::rows).collect(Collectors.joining());
    return """
        A name with `resources.<name>.` or `locations.<name>.` before it overrides the general \
        setting for that resource or location where the column "also for" says so. What holds is \
        the location's, else the resource's, else the general one as given, else the catalog's \
        default, else the general default.

        | setting | default | also for | meaning |
        |---|---|---|---|
        """
        + rows;
  }

  private static String rows(Group group) {
    return Settings.ALL.stream()
        .filter(setting -> setting.group() == group)
        .map(ConfigDocs::line)
        .collect(Collectors.joining("", "| **" + group.title() + "** | | | |\n", ""));
  }

  private static String line(Setting<?> setting) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(name(setting), byDefault(setting), overrides(setting), meaning(setting));
  }

  private static String name(Setting<?> setting) {
    return setting.scopes().contains(Scope.GENERAL)
        ? setting.name()
        : Scoped.key(Scope.RESOURCE, "<name>", setting.name());
  }

  private static String byDefault(Setting<?> setting) {
    String text = setting.defaultText();
    return setting.literalDefault() ? "`" + text + "`" : text;
  }

  private static String overrides(Setting<?> setting) {
    return Stream.of(Scope.RESOURCE, Scope.LOCATION)
        .filter(scope -> setting.scopes().contains(Scope.GENERAL))
        .filter(setting.scopes()::contains)
        .map(scope -> scope == Scope.RESOURCE ? "resource" : "location")
        .collect(Collectors.joining(", "));
  }

  private static String meaning(Setting<?> setting) {
    String choices = setting.check().choice() ? " " + sentence(setting.check().demand()) : "";
    return (setting.doc() + choices).replace("|", "\\|").replace("<", "&lt;");
  }

  private static String sentence(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
  }
}
