package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.config.Settings.ScopedName;
import io.posconnect.problem.Problem;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.resource.ServiceAddress;
import io.posconnect.resource.Stream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;

/** Finds what no setting can know of itself: what is missing, and what contradicts. */
final class ConfigRules {

  private static final Pattern UNSENDABLE = Pattern.compile("\\p{Cntrl}");
  private static final long MOST_STORE_BYTES = 16 << 20;
  private static final String NO_STORE =
      " cannot be read on this worker as a file of at most 16 MiB";

  private final SourceConfig config;
  private final List<Fault> faults = new ArrayList<>();

  private ConfigRules(SourceConfig config) {
    this.config = config;
  }

  /** Every fault of a configuration whose settings are well-typed and well-named. */
  static List<Fault> faults(SourceConfig config) {
    ConfigRules rules = new ConfigRules(config);
    rules.onlyListedLocations();
    config.locations().forEach(rules::keyCanBeSent);
    config.locations().forEach(rules::addressIsSafe);
    rules.noKeyTwice();
    rules.faults.addAll(ResourceRules.faults(config));
    rules.faults.addAll(PrivacyRules.faults(config));
    if (rules.faults.isEmpty()) {
      rules.faults.addAll(TopicRules.faults(config));
    }
    rules.backOffsGrow();
    rules.deletesAreTold();
    rules.storesAreThere();
    return rules.faults;
  }

  private void add(Problem problem, String setting, String detail) {
    faults.add(Fault.of(problem, setting, detail));
  }

  private void missing(String setting, String detail) {
    add(Problem.MISSING_SETTING, setting, detail);
  }

  private void contradiction(String setting, String detail) {
    add(Problem.CONTRADICTION, setting, detail);
  }

  private void onlyListedLocations() {
    String only = ServiceSettings.LOCATION_NAME.name();
    if (config.given(only) && !config.value(ServiceSettings.LOCATIONS).isEmpty()) {
      contradiction(only, "names the only location, but locations is given");
    }
    List<String> names = config.locations();
    for (ScopedName name : Settings.overrides(config.given().keySet(), Scope.LOCATION)) {
      if (!names.contains(name.owner())) {
        add(
            Problem.UNKNOWN_NAME,
            name.key(),
            "there is no location %s (known: %s)"
                .formatted(name.owner(), String.join(", ", names)));
      }
    }
  }

  private void keyCanBeSent(String location) {
    String setting = FaultySetting.keyOf(config, location);
    String key = config.secret(ServiceSettings.API_KEY, location).value();
    String password = config.secret(ServiceSettings.API_PASSWORD, location).value();
    if (key.isBlank()) {
      missing(setting, "location " + location + " has no key");
    } else if (key.indexOf(':') >= 0
        || !key.equals(key.strip())
        || UNSENDABLE.matcher(key + password).find()) {
      add(
          Problem.UNSENDABLE_KEY,
          setting,
          ("key of location %s holds a colon or begins or ends with white space, or it or its"
                  + " password holds a control character")
              .formatted(location));
    }
  }

  private void addressIsSafe(String location) {
    String setting = FaultySetting.BASE_URL.name(config, new Stream(location, ""));
    Optional<URI> url = config.ofLocation(ServiceSettings.BASE_URL, location);
    if (url.isEmpty()) {
      missing(setting, "location " + location + " has no address");
    } else if (!config.allowHttp()
        && ServiceAddress.isReadable(url.get(), config.proxy().isPresent())) {
      String detail = "would send the key of location " + location + " unencrypted";
      add(Problem.UNENCRYPTED, setting, detail);
    }
  }

  private void noKeyTwice() {
    Map<List<Object>, String> firsts = new HashMap<>();
    for (String location : config.locations()) {
      Password key = config.secret(ServiceSettings.API_KEY, location);
      String address =
          config
              .ofLocation(ServiceSettings.BASE_URL, location)
              .map(url -> url.toString().toLowerCase(Locale.ROOT))
              .orElse("");
      String first = firsts.putIfAbsent(List.of(address, key), location);
      if (first != null && !key.value().isBlank()) {
        add(
            Problem.SAME_LOCATION,
            FaultySetting.keyOf(config, location),
            "is the same key as %s at the same address, so locations %s and %s are one"
                .formatted(FaultySetting.keyOf(config, first), first, location));
      }
    }
  }

  private void backOffsGrow() {
    if (config.retryBackoff().compareTo(config.retryBackoffMax()) > 0) {
      contradiction(
          ServiceSettings.RETRY_BACKOFF.name(),
          "is longer than retry.backoff.max.ms, which is " + config.retryBackoffMax().toMillis());
    }
  }

  private void deletesAreTold() {
    if (config.eventFormat() == EventFormat.FLAT && !config.tombstonesOnDelete()) {
      contradiction(
          RecordSettings.TOMBSTONES.name(),
          "cannot be false with event.format=flat, where a tombstone is the delete");
    }
  }

  /** Whether they can be opened is known only once a connection is made of them. */
  private void storesAreThere() {
    if (config.given(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG)) {
      contradiction(
          SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, "has no effect: Kafka's own factory is used");
    }
    for (String location : List.of(ServiceSettings.TRUST_STORE, ServiceSettings.KEY_STORE)) {
      String password = ServiceSettings.passwordOf(location);
      Object file = config.ssl().get(location);
      if (file == null && config.given(password)) {
        contradiction(password, "has no effect without " + location);
      } else if (file != null && !isStore(Path.of(String.valueOf(file)))) {
        add(Problem.UNREADABLE_FILE, location, file + NO_STORE);
      }
    }
  }

  /** A device or a pipe could go on for ever. */
  private static boolean isStore(Path file) {
    try {
      return Files.isRegularFile(file)
          && Files.isReadable(file)
          && Files.size(file) <= MOST_STORE_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
