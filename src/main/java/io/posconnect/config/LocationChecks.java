package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Stream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.types.Password;

/** Whether every location can be reached, and each is a store of its own. */
final class LocationChecks {

  private static final Pattern UNSENDABLE = Pattern.compile("\\p{Cntrl}");

  private final SourceConfig config;
  private final List<Fault> faults = new ArrayList<>();

  private LocationChecks(SourceConfig config) {
    this.config = config;
  }

  static List<Fault> faults(SourceConfig config) {
    LocationChecks checks = new LocationChecks(config);
    checks.names();
    checks.keys();
    checks.addresses();
    checks.twins();
    return checks.faults;
  }

  private void names() {
    String only = ServiceSettings.LOCATION_NAME.name();
    String several = ServiceSettings.LOCATIONS.name();
    if (config.given(only) && !config.value(ServiceSettings.LOCATIONS).isEmpty()) {
      faults.add(
          new Fault(only, "names the only location, but " + several + " is given; remove one"));
    }
    List<String> names = config.locations();
    config.givenNames().stream()
        .map(Scoped::parse)
        .flatMap(Optional::stream)
        .filter(name -> name.scope() == Scope.LOCATION && !names.contains(name.owner()))
        .forEach(
            name ->
                faults.add(
                    new Fault(
                        name.key(),
                        "there is no location %s; add it to %s, or correct the name (known: %s)"
                            .formatted(name.owner(), several, String.join(", ", names)))));
  }

  private void keys() {
    for (String location : config.locations()) {
      String setting = Blame.API_KEY.setting(config, new Stream(location, ""));
      String key = secret(ServiceSettings.API_KEY, location);
      if (key.isBlank()) {
        faults.add(
            new Fault(
                setting, "location " + location + " has no key; set it to the key of that store"));
      } else if (key.indexOf(':') >= 0
          || UNSENDABLE.matcher(key + secret(ServiceSettings.API_PASSWORD, location)).find()) {
        faults.add(
            new Fault(
                setting,
                "key of location %s holds a colon, or it or its password a control character,"
                        .formatted(location)
                    + " which cannot be sent; copy it again"));
      }
    }
  }

  private String secret(Setting<Password> setting, String location) {
    return config.ofLocation(setting, location).map(Password::value).orElse("");
  }

  private void addresses() {
    for (String location : config.locations()) {
      String setting = Blame.BASE_URL.setting(config, new Stream(location, ""));
      Optional<URI> url = config.ofLocation(ServiceSettings.BASE_URL, location);
      if (url.isEmpty()) {
        faults.add(
            new Fault(
                setting, "location " + location + " has no address; set it to the service's"));
      } else if (readable(url.get()) && !config.value(ServiceSettings.ALLOW_HTTP)) {
        faults.add(
            new Fault(
                setting,
                "would send the key of location %s unencrypted; use https, or set %s=true"
                    .formatted(location, ServiceSettings.ALLOW_HTTP.name())));
      }
    }
  }

  /** Whether others could read on the way what is sent there. */
  private static boolean readable(URI url) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    boolean loopback =
        host.equals("localhost")
            || host.equals("[::1]")
            || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    return "http".equalsIgnoreCase(url.getScheme()) && !loopback;
  }

  /** What makes two locations the same store; never to be shown. */
  private record LocationIdentity(String url, Password key) {}

  private void twins() {
    Map<LocationIdentity, String> firsts = new HashMap<>();
    for (String location : config.locations()) {
      Optional<Password> key = config.ofLocation(ServiceSettings.API_KEY, location);
      Optional<URI> url = config.ofLocation(ServiceSettings.BASE_URL, location);
      if (key.isEmpty() || url.isEmpty() || key.get().value().isBlank()) {
        continue;
      }
      String address = url.get().toString().toLowerCase(Locale.ROOT);
      String first = firsts.putIfAbsent(new LocationIdentity(address, key.get()), location);
      if (first != null) {
        String setting = Blame.API_KEY.setting(config, new Stream(location, ""));
        String other = Blame.API_KEY.setting(config, new Stream(first, ""));
        faults.add(
            new Fault(
                setting,
                "is the same key as %s at the same address, so locations %s and %s are one store;"
                        .formatted(other, first, location)
                    + " give each its own key, or remove one"));
      }
    }
  }
}
