package io.posconnect.config;

import static io.posconnect.config.RefusalTest.refusals;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Privacy.Action;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Private fields as configured, and the refusal of rules that cannot be applied. */
class PrivacySettingsTest {

  private static final String SALT = "salt-of-the-earth";

  private static Props customers(String setting, String fields) {
    return Props.one().with("resources.customers." + setting, fields);
  }

  private static void refuses(Props props, String setting, String detail) {
    Map<String, String> refusals = refusals(props.with("validate.connection", "false"));
    assertThat(refusals).containsOnlyKeys(setting);
    assertThat(refusals.get(setting)).contains(detail);
  }

  @Test
  void readsFieldsOfEachResourceAndOneSalt() {
    SourceConfig config =
        customers("exclude.fields", "email,address.street")
            .with("resources.inventory.hash.fields", "sku")
            .with("hash.salt", SALT)
            .config();

    assertThat(config.privacy("customers").fields().find("EMAIL").action())
        .isEqualTo(Action.EXCLUDE);
    assertThat(config.privacy("customers").fields().find("address").action())
        .isEqualTo(Action.KEEP);
    assertThat(config.privacy("inventory").fields().find("sku").action()).isEqualTo(Action.HASH);
    assertThat(config.privacy("products").isEmpty()).isTrue();
    assertThat(config.connection("default").privacy())
        .containsOnlyKeys(
            "products", "customers", "register-transactions", "inventory", "locations");
    assertThat(config.privacy("inventory").text())
        .doesNotContain(SALT)
        .contains("hashed sku (salt ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a..b",
        ".a",
        "a.",
        "a.*",
        "*",
        "a. .b",
        "a. b",
        "\u00a0a",
        "a\u200b",
        "${x:/y:z}"
      })
  void refusesPathThatNamesNoField(String fields) {
    refuses(
        customers("exclude.fields", fields),
        "resources.customers.exclude.fields",
        "such as email or customer.email");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "fifteen-letters"})
  void refusesShortSaltWithoutRepeatingIt(String salt) {
    Props props = customers("hash.fields", "email").with("hash.salt", salt);

    refuses(props, "hash.salt", "must have at least 16 characters");
    assertThat(salt.isEmpty() || !refusals(props).toString().contains(salt)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "card; CARD.number; hash.fields; card and CARD.number",
        "card.number; Card; hash.fields; Card and card.number",
        "a.b; A.B; hash.fields; a.b and A.B",
        "c; c; hash.fields; 'c and c, one of which is or contains the other (exclude.fields and hash.fields count together): name only one of them'",
        "a,A.b; c; exclude.fields; a and A.b",
        "c; a,a; hash.fields; a and a",
        "d; a,A; hash.fields; a and A"
      })
  void refusesFieldWithinAnother(String excluded, String hashed, String setting, String detail) {
    refuses(
        customers("exclude.fields", excluded)
            .with("resources.customers.hash.fields", hashed)
            .with("hash.salt", SALT),
        "resources.customers." + setting,
        "names " + detail);
  }

  @Test
  void acceptsNamesThatOnlyBeginAlike() {
    assertThat(
            refusals(
                customers("exclude.fields", "card,cardNumber,card2.number")
                    .with("validate.connection", "false")))
        .isEmpty();
  }
}
