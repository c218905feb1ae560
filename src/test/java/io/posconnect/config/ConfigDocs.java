package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Catalog;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

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
        .formatted(name(setting), defaultOf(setting), alsoFor(setting), meaning(setting));
  }

  private static String name(Setting<?> setting) {
    return setting.scopes().contains(Scope.GENERAL)
        ? setting.shown()
        : Scope.RESOURCE.key("<name>", setting.name());
  }

  private static String defaultOf(Setting<?> setting) {
    Object general = setting.key().defaultValue;
    if (!setting.defaultText().isEmpty()) {
      return setting.defaultText();
    }
    if (setting.catalog().apply(Catalog.entries().get(0)).isEmpty()) {
      return shown(general);
    }
    String other = shown(general);
    return "the catalog's" + (other.equals("none") ? "" : ", or " + other);
  }

  private static String shown(@Nullable Object value) {
    if (value == null || value.equals(List.of())) {
      return "none";
    }
    if (value == ConfigDef.NO_DEFAULT_VALUE) {
      return "required";
    }
    String text =
        value instanceof List<?> list
            ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
            : value instanceof Password secret ? secret.value() : value.toString();
    return text.isEmpty() ? "empty" : "`" + text + "`";
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
