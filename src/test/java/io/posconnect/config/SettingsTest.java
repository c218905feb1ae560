package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.posconnect.config.Setting.Scope;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;

final class SettingsTest {

  private static final List<Class<?>> TABLES =
      List.of(
          ServiceSettings.class,
          ReadingSettings.class,
          RecordSettings.class,
          RunningSettings.class);

  @Test
  void everySettingOfATableIsListed() throws IllegalAccessException {
    List<Setting<?>> declared = new ArrayList<>();
    for (Class<?> table : TABLES) {
      for (Field field : table.getDeclaredFields()) {
        if (field.getType() == Setting.class) {
          declared.add((Setting<?>) field.get(null));
        }
      }
    }
    // What the connector tells its tasks is no setting of a user's.
    declared.remove(RunningSettings.TASK_STREAMS);
    declared.remove(RunningSettings.TASK_NUMBER);

    assertThat(Settings.ALL).containsExactlyInAnyOrderElementsOf(declared);
    assertThat(Settings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
  }

  @Test
  void everySettingIsDocumentedAndHasATitle() {
    assertThat(Settings.ALL)
        .allSatisfy(
            setting -> {
              assertThat(setting.doc()).endsWith(".");
              assertThat(setting.title()).isNotEqualTo(setting.name());
              assertThat(setting.defaultText()).isNotEmpty();
            });
  }

  @Test
  void defaultsAndOffersPassTheirOwnCheck() {
    for (ConfigKey key : SourceConfig.definition(Map.of()).configKeys().values()) {
      if (key.hasDefault() && key.validator != null) {
        assertThatCode(() -> key.validator.ensureValid(key.name, key.defaultValue))
            .doesNotThrowAnyException();
      }
      if (key.recommender == null) {
        continue;
      }
      for (Object offer : key.recommender.validValues(key.name, Map.of())) {
        Object value = key.type == ConfigDef.Type.LIST ? List.of(offer) : offer;
        assertThatCode(() -> key.validator.ensureValid(key.name, value)).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void secretsAndOnlySecretsArePasswords() {
    assertThat(Settings.ALL)
        .filteredOn(setting -> setting.type() == ConfigDef.Type.PASSWORD)
        .extracting(Setting::name)
        .containsExactlyInAnyOrder("api.key", "api.password");
  }

  @Test
  void definitionHasTheOverridesThatAreGivenWithTheTypeOfTheirSetting() {
    Map<String, ConfigKey> keys =
        SourceConfig.definition(
                Map.of(
                    "locations.airport.api.key", "x",
                    "locations.unheard-of.api.key", "x",
                    "resources.products.poll.interval.ms", "1",
                    "resources.products.no.such.setting", "1"))
            .configKeys();

    assertThat(keys.get("locations.airport.api.key").type).isEqualTo(ConfigDef.Type.PASSWORD);
    assertThat(keys.get("locations.airport.api.key").group).isEqualTo("Location airport");
    assertThat(keys.get("locations.unheard-of.api.key").type).isEqualTo(ConfigDef.Type.PASSWORD);
    assertThat(keys.get("resources.products.poll.interval.ms").type).isEqualTo(ConfigDef.Type.LONG);
    assertThat(keys.get("resources.products.poll.interval.ms").group)
        .isEqualTo("Resource products");
    assertThat(keys).doesNotContainKey("resources.products.no.such.setting");
  }

  @Test
  void dependentsAreSettingsThemselves() {
    List<String> general = Settings.of(Scope.GENERAL).stream().map(Setting::name).toList();
    assertThat(Settings.ALL)
        .allSatisfy(setting -> assertThat(general).containsAll(setting.dependents()));
  }

  @Test
  void resourcesOfferTheCatalogue() {
    assertThat(offers("resources"))
        .containsExactly(
            "products",
            "customers",
            "register-transactions",
            "inventory",
            "locations",
            "loyalty-transactions");
  }

  @Test
  void choicesOfferTheSpellingsOfTheirEnum() {
    assertThat(offers("event.format")).containsExactly("envelope", "flat");
    assertThat(offers("decimal.handling.mode")).containsExactly("precise", "string", "double");
    assertThat(offers("errors.rows")).containsExactly("dead-letter", "fail", "skip");
    assertThat(offers("errors.streams")).containsExactly("isolate", "fail");
    assertThat(offers("resources.x.retrieval"))
        .containsExactly("full", "modified-since", "date-range", "pages", "cursor");
    assertThat(offers("resources.x.snapshot")).containsExactly("list", "pages");
    assertThat(offers("allow.http")).containsExactly(true, false);
  }

  private static List<Object> offers(String name) {
    ConfigKey key = SourceConfig.definition(Map.of(name, "x")).configKeys().get(name);
    return key.recommender.validValues(name, Map.of());
  }

  @Test
  void settingsHideWhenAnotherLeavesThemNoMeaning() {
    assertThat(visible("tombstones.on.delete", Map.of("event.format", "envelope"))).isTrue();
    assertThat(visible("tombstones.on.delete", Map.of("event.format", "flat"))).isFalse();
    assertThat(visible("errors.fail.after.ms", Map.of("errors.streams", "isolate"))).isTrue();
    assertThat(visible("errors.fail.after.ms", Map.of("errors.streams", "fail"))).isFalse();
    assertThat(visible("api.key", Map.of("locations", List.of()))).isTrue();
    assertThat(visible("api.key", Map.of("locations", List.of("a")))).isFalse();
    assertThat(visible("location.name", Map.of("locations", List.of("a")))).isFalse();
  }

  private static boolean visible(String name, Map<String, Object> others) {
    ConfigKey key = SourceConfig.definition(Map.of()).configKeys().get(name);
    return key.recommender.visible(name, others);
  }
}
