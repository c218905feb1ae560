package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConfigDocsTest {

  @Test
  void hasOneLineForEachSetting() {
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

  @Test
  void hasFourCellsInEachLine() {
    assertThat(ConfigDocs.markdown().lines().filter(line -> line.startsWith("|")))
        .allSatisfy(line -> assertThat(line.split("(?<!\\\\)\\|", -1)).as(line).hasSize(6));
  }
}
