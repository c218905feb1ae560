package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells which setting an answer of the service speaks against. */
@SuppressWarnings("ImmutableEnumChecker") // Its functions have no state.
public enum FaultySetting {
  /** Nobody there, or somebody else. */
  BASE_URL(Problem.WRONG_ADDRESS, ofLocation(ServiceSettings.BASE_URL)),
  /** The key is unknown. */
  API_KEY(Problem.KEY_REFUSED, (config, stream) -> keyOf(config, stream.location())),
  /** The key is known, but may not read that. */
  PERMISSION(Problem.PERMISSION_MISSING, (config, stream) -> keyOf(config, stream.location())),
  /** Nothing at that path. */
  PATH(Problem.PATH_UNKNOWN, ofResource(ResourceSettings.PATH)),
  /** Something at that path, but not what the retrieval expects. */
  RETRIEVAL(Problem.WRONG_RETRIEVAL, ofResource(ResourceSettings.RETRIEVAL)),
  /** The numbered pages of a snapshot are not where they should be. */
  SNAPSHOT(Problem.WRONG_SNAPSHOT, ofResource(ResourceSettings.SNAPSHOT_IN_PAGES)),
  /** The rows do not have those fields. */
  KEY_FIELDS(Problem.ROWS_UNUSABLE, ofResource(ResourceSettings.KEY_FIELDS)),
  /** No record can be made of the declared schema and key. */
  SCHEMA(Problem.UNUSABLE_SCHEMA, FaultySetting::schemaOf),
  /** No connection can be made of the settings of TLS. */
  STORES(Problem.UNREADABLE_FILE, (config, stream) -> tls(config)),
  /** The proxy refuses. */
  PROXY(Problem.PROXY_REFUSES, (config, stream) -> ServiceSettings.PROXY_URL.name());

  private static final Pattern CODED =
      Pattern.compile("POS-\\d{3} (?<subject>[^: ]*).*", Pattern.DOTALL);

  private final Problem problem;
  private final BiFunction<SourceConfig, Stream, String> name;

  FaultySetting(Problem problem, BiFunction<SourceConfig, Stream, String> name) {
    this.problem = problem;
    this.name = name;
  }

  /**
   * An observation that has a code is the whole message; the setting that it begins with, if it
   * begins with one, is at fault.
   */
  Fault fault(SourceConfig config, Stream stream, String observed) {
    String setting = name(config, stream);
    Matcher coded = CODED.matcher(observed);
    if (!coded.matches()) {
      return Fault.of(problem, setting, observed);
    }
    boolean known = config.values().containsKey(coded.group("subject"));
    return new Fault(known ? coded.group("subject") : setting, observed);
  }

  /** Where the value stands, or where it should stand when it is missing. */
  String name(SourceConfig config, Stream stream) {
    return name.apply(config, stream);
  }

  private static BiFunction<SourceConfig, Stream, String> ofResource(Setting<?> setting) {
    return (config, stream) -> Scope.RESOURCE.key(stream.resource(), setting.name());
  }

  private static BiFunction<SourceConfig, Stream, String> ofLocation(Setting<?> setting) {
    return (config, stream) -> {
      String own = Scope.LOCATION.key(stream.location(), setting.name());
      return config.given(own) ? own : setting.name();
    };
  }

  /** A location of its own address, or one of several, needs a key of its own. */
  static String keyOf(SourceConfig config, String location) {
    String general = ServiceSettings.API_KEY.name();
    String own = Scope.LOCATION.key(location, general);
    boolean several = !config.value(ServiceSettings.LOCATIONS).isEmpty();
    return config.given(own)
            || config.given(Scope.LOCATION.key(location, ServiceSettings.BASE_URL.name()))
            || (several && !config.given(general))
        ? own
        : general;
  }

  private static String schemaOf(SourceConfig config, Stream stream) {
    return java.util.stream.Stream.of(
            ResourceSettings.TYPED_FIELDS, ResourceSettings.SCHEMA, ResourceSettings.SCHEMA_FILE)
        .map(setting -> Scope.RESOURCE.key(stream.resource(), setting.name()))
        .filter(config::given)
        .findFirst()
        .orElseGet(() -> KEY_FIELDS.name(config, stream));
  }

  /** The first that is given of the trust store, of the key store, or of the rest. */
  private static String tls(SourceConfig config) {
    return java.util.stream.Stream.of("ssl.truststore.", "ssl.keystore.", "ssl.")
        .flatMap(
            prefix -> config.given().keySet().stream().sorted().filter(n -> n.startsWith(prefix)))
        .findFirst()
        .orElse(ServiceSettings.TRUST_STORE);
  }
}
