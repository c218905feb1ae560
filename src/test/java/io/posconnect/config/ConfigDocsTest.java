package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ConfigDocsTest {

  private static final String BEGIN = "<!-- settings -->\n";
  private static final String END = "<!-- /settings -->";

  @Test
  void readmeHasTheSettingsAsTheyAre() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String section = readme.substring(readme.indexOf(BEGIN) + BEGIN.length(), readme.indexOf(END));

    assertThat(section)
        .as("README.md between its settings markers; print them anew with %s", ConfigDocs.class)
        .isEqualTo(ConfigDocs.markdown());
  }

  @Test
  void everySettingHasOneLine() {
    for (Setting<?> setting : Settings.ALL) {
      assertThat(ConfigDocs.markdown().lines())
          .filteredOn(
              line ->
                  line.startsWith("| `" + setting.name() + "` |")
                      || line.startsWith("| `resources.<name>." + setting.name() + "` |"))
          .as(setting.name())
          .hasSize(1);
    }
  }
}
