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

        Every setting of the connector. The fourth column of a table says what a setting means; \
        the third says where else it may stand.

        `resources.<name>.` or `locations.<name>.` before a name overrides the general setting \
        for that resource or location. What holds is the location's value, else the resource's, \
        else the general one as given, else the catalog's default, else the general default. \
        A name under `resources.` or `locations.` that is no setting is refused.
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
        ? setting.name()
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
