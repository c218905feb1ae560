package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders the settings as the tables of {@code docs/settings.md}. */
public final class ConfigDocs {

  private ConfigDocs() {}

  /** The whole page in Markdown, ending with a line break: a table for each group. */
  public static String markdown() {
    return """
        # Settings

        Every setting of the connector. The third column of a table lists what else a setting \
        can be set for; the fourth explains it.

        `resources.<name>.` or `locations.<name>.` before a name overrides the general setting \
        for that resource or location. Precedence: location, resource, general value, catalog \
        default, general default. The connector refuses a name under `resources.` or \
        `locations.` that is not a setting or has no effect there, and a setting of a resource that \
        is given without `resources.<name>.`.
        """
        + Settings.TABLES.stream().map(ConfigDocs::table).collect(Collectors.joining());
  }

  private static String table(SettingTable table) {
    return table.settings().stream()
        .map(ConfigDocs::line)
        .collect(
            Collectors.joining(
                "",
                "\n## "
                    + table.title()
                    + "\n\n| setting | default | also for | meaning |\n|---|---|---|---|\n",
                ""));
  }

  private static String line(Setting<?> setting) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(name(setting), setting.defaultText(), alsoFor(setting), meaning(setting));
  }

  private static String name(Setting<?> setting) {
    return setting.scopes().contains(Scope.GENERAL)
        ? setting.shown()
        : Scope.RESOURCE.key("<name>", setting.name());
  }

  private static String alsoFor(Setting<?> setting) {
    return Stream.of(Scope.RESOURCE, Scope.LOCATION)
        .filter(scope -> setting.scopes().contains(Scope.GENERAL))
        .filter(setting.scopes()::contains)
        .map(Scope::noun)
        .collect(Collectors.joining(", "));
  }

  private static String meaning(Setting<?> setting) {
    return setting
        .key()
        .documentation
        .replaceAll("</?code>", "`")
        .replaceAll("\\s+", " ")
        .replace("|", "\\|")
        .replace("<", "&lt;");
  }
}
