package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Retrieval.Style;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;

final class SettingsTest {

  @Test
  void hasEachNameOnce() {
    assertThat(Settings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
  }

  @Test
  void documentsAndTitlesEverySetting() {
    assertThat(Settings.ALL)
        .allSatisfy(
            setting -> {
              assertThat(setting.key().documentation).endsWith(".");
              assertThat(setting.key().displayName).isNotEmpty().isNotEqualTo(setting.name());
              assertThat(setting.key().group).isNotEmpty();
            });
  }

  @Test
  void acceptsDefaultsAndRecommendedValues() {
    for (ConfigKey key : SourceConfig.definition(Map.of()).configKeys().values()) {
      if (key.validator == null) {
        continue;
      }
      if (key.hasDefault()) {
        assertThatCode(() -> key.validator.ensureValid(key.name, key.defaultValue))
            .doesNotThrowAnyException();
      }
      for (Object offer : key.recommender.validValues(key.name, Map.of())) {
        Object value = key.type == ConfigDef.Type.LIST ? List.of(offer) : offer;
        assertThatCode(() -> key.validator.ensureValid(key.name, value)).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void typesSecretsAndOnlySecretsAsPassword() {
    assertThat(Settings.ALL)
        .filteredOn(setting -> setting.key().type == ConfigDef.Type.PASSWORD)
        .extracting(Setting::name)
        .containsExactlyInAnyOrder(
            ("api.key api.password hash.salt request.headers. ssl.key.password"
                    + " ssl.keystore.certificate.chain ssl.keystore.key ssl.keystore.password"
                    + " ssl.truststore.certificates ssl.truststore.password")
                .split(" "));
  }

  @Test
  void definesGivenOverridesWithTypeOfTheirSetting() {
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
  void namesOnlySettingsAsDependents() {
    List<String> general = Settings.of(Scope.GENERAL).stream().map(Setting::name).toList();
    assertThat(Settings.ALL)
        .allSatisfy(setting -> assertThat(general).containsAll(setting.key().dependents));
  }

  @Test
  void recommendsCatalogForResources() {
    assertThat(offers("resources"))
        .containsExactly(
            (Object[])
                "products customers register-transactions inventory locations loyalty-transactions"
                    .split(" "));
  }

  @Test
  void recommendsSpellingsOfChoices() {
    assertThat(offers("errors.rows")).containsExactly("dead-letter", "fail", "skip");
    assertThat(offers("ssl.truststore.type")).containsExactly("JKS", "PKCS12", "PEM");
    assertThat(offers("resources.x.retrieval"))
        .containsExactlyElementsOf(Stream.of(Style.values()).map(Style::spelling).toList());
    assertThat(offers("allow.http")).containsExactly(true, false);
  }

  private static List<Object> offers(String name) {
    ConfigKey key = SourceConfig.definition(Map.of(name, "x")).configKeys().get(name);
    return key.recommender.validValues(name, Map.of());
  }

  @Test
  void hidesSettingsWithoutEffect() {
    assertThat(visible("tombstones.on.delete", Map.of("event.format", "envelope"))).isTrue();
    assertThat(visible("tombstones.on.delete", Map.of("event.format", "flat"))).isFalse();
    assertThat(visible("errors.fail.after.ms", Map.of("errors.streams", "isolate"))).isTrue();
    assertThat(visible("errors.fail.after.ms", Map.of("errors.streams", "fail"))).isFalse();
    assertThat(visible("ssl.truststore.password", Map.of())).isFalse();
    assertThat(visible("ssl.truststore.password", Map.of("ssl.truststore.location", "/x")))
        .isTrue();
    assertThat(visible("ssl.keystore.type", Map.of("ssl.keystore.location", "/x"))).isTrue();
    assertThat(visible("api.key", Map.of("locations", List.of()))).isTrue();
    assertThat(visible("api.key", Map.of("locations", List.of("a")))).isFalse();
    assertThat(visible("location.name", Map.of("locations", List.of("a")))).isFalse();
  }

  private static boolean visible(String name, Map<String, Object> others) {
    ConfigKey key = SourceConfig.definition(Map.of()).configKeys().get(name);
    return key.recommender.visible(name, others);
  }
}
