package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.resource.Privacy;
import java.util.List;
import org.apache.kafka.common.config.types.Password;

/** Lists the settings of what nobody is to see of a row. */
final class PrivacySettings {

  static final SettingTable TABLE = new SettingTable("Privacy", GENERAL);

  /** A shorter salt can be found by trying. */
  static final int SHORTEST_SALT = 16;

  static final Setting<List<String>> EXCLUDE_FIELDS =
      TABLE
          .list("exclude.fields", Validators.FIELD_PATHS)
          .onlyForResources()
          .named(MEDIUM, "Excluded fields")
          .by(List.of())
          .byText("none")
          .doc(
              "Fields that are left out before anything else is done with a row. customer.email is"
                  + " a field within a field; arrays on the way do not count. A change brings one"
                  + " more snapshot.");

  static final Setting<List<String>> HASH_FIELDS =
      TABLE
          .list("hash.fields", Validators.FIELD_PATHS)
          .onlyForResources()
          .named(MEDIUM, "Hashed fields")
          .by(List.of())
          .byText("none")
          .doc(
              "Fields, named in the same way, whose values are replaced by a hash before anything"
                  + " else is done with a row; they are strings then. A change brings one more"
                  + " snapshot; of a key field, it needs a new snapshot.id.");

  static final Setting<Password> HASH_SALT =
      TABLE
          .secret("hash.salt")
          .byText("required with hash.fields")
          .named(MEDIUM, "Salt of the hashes")
          .doc(
              "Secret of at least "
                  + SHORTEST_SALT
                  + " characters under which values are hashed; who knows it can find a value by"
                  + " trying. Equal values have equal hashes under one salt, so connectors whose"
                  + " topics are joined share it. A change is one of hash.fields.");

  private PrivacySettings() {}

  /** What of a resource's rows nobody is to see, in a configuration that is consistent. */
  static Privacy privacy(LayeredConfig config, String resource) {
    return new Privacy(
        config.ofResource(EXCLUDE_FIELDS, resource).orElseThrow(),
        config.ofResource(HASH_FIELDS, resource).orElseThrow(),
        config.find(HASH_SALT).map(Password::value).orElse(""));
  }
}
