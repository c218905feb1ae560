package io.posconnect.config;

import io.posconnect.client.Connection;
import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.client.Connection.Timeouts;
import io.posconnect.client.Credentials;
import io.posconnect.client.RetryPolicy;
import io.posconnect.config.Setting.Scope;
import io.posconnect.config.Settings.ScopedName;
import io.posconnect.json.BodyLimits;
import io.posconnect.problem.Incident;
import io.posconnect.problem.IncidentException;
import io.posconnect.problem.Problem;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.Destination;
import io.posconnect.record.FieldList;
import io.posconnect.record.RowSchema;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.record.Topics;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * Reads the configuration of a connector or of one of its tasks: complete, consistent and typed.
 * Immutable.
 */
public final class SourceConfig extends Overrides {

  /** The key of a resource whose key is to be found: a field of no service. */
  public static final String KEY_TO_FIND = "the_key_to_find";

  // In longest back-offs, since a person takes longer to repair something than an outage lasts.
  private static final int PROBE_BACKOFF = 2;

  private static final String NOWHERE = "https://service.invalid";

  /** A setting that Connect reads. */
  private static final String TOLERANCE = "errors.tolerance";

  // None where faults of keys are refused like any other.
  private Set<Incident> faultsOfKeys = Set.of();

  // The schema of each resource, which is read once: it may have thousands of fields.
  private final Map<String, Schema> declared = new ConcurrentHashMap<>();

  /**
   * Reads and logs a configuration that was accepted when it was posted, without its secrets. A key
   * that has become unusable since then costs its own location: it has a {@link #faultOfKey}.
   *
   * @throws ConfigException with every other fault, its setting and its remedy
   */
  public static SourceConfig started(Map<String, String> props) {
    SourceConfig config = new SourceConfig(withoutNulls(props), true);
    config.faultsOfKeys = ConfigRules.faultsOfKeys(config);
    List<Incident> faults = ConfigRules.faults(config);
    faults.removeAll(config.faultsOfKeys);
    Validation.refuse(faults);
    return config;
  }

  /** Why the key of a location cannot be used; empty where it can. */
  public Optional<Incident> faultOfKey(String location) {
    return ofKey(faultsOfKeys, location);
  }

  /** The first fault of the setting that gives a location its key. */
  Optional<Incident> ofKey(Set<Incident> faults, String location) {
    String setting = keyOf(location);
    return faults.stream().filter(fault -> fault.subject().equals(setting)).findFirst();
  }

  /**
   * Reads a configuration; logs nothing.
   *
   * @throws ConfigException with every fault, its setting and its remedy
   */
  public static SourceConfig checked(Map<String, String> props) {
    SourceConfig config = unchecked(props);
    Validation.refuse(ConfigRules.faults(config));
    return config;
  }

  private SourceConfig(Map<String, String> given, boolean log) {
    super(given, log);
  }

  /** Reads a well-typed configuration without its rules, and logs nothing. */
  public static SourceConfig unchecked(Map<String, String> props) {
    return new SourceConfig(withoutNulls(props), false);
  }

  /** Defines every general setting, and the overrides of {@code props}. */
  public static ConfigDef definition(Map<String, String> props) {
    return Settings.definition(withoutNulls(props).keySet());
  }

  /**
   * The same settings for what sends no request: others stand in for addresses, keys and the rate.
   */
  public static Map<String, String> withoutService(Map<String, String> props) {
    Map<String, String> settings = new TreeMap<>();
    settings.put(ServiceSettings.BASE_URL.name(), NOWHERE);
    // No window that is long enough at the share that is given is too short at this one.
    settings.put(ServiceSettings.RATE_LIMIT_SHARE.name(), "1");
    props.forEach(
        (key, value) -> {
          String name = ScopedName.parse(key).map(ScopedName::setting).orElse(key);
          if (name.equals(ServiceSettings.API_KEY.name())) {
            settings.put(key, "key-of-" + key); // No two locations may have the same one.
          } else if (ServiceSettings.connection().noneMatch(each -> each.isNamed(name))) {
            settings.put(key, value);
          }
        });
    return settings;
  }

  /**
   * The changes by which each resource that is described without a key has one, {@link
   * #KEY_TO_FIND}: no configuration is whole without.
   */
  public static Map<String, String> keysToFind(Map<String, String> props) {
    Map<String, String> changes = new TreeMap<>();
    for (ScopedName override : Settings.overrides(props.keySet(), Scope.RESOURCE)) {
      String key = ResourceSettings.KEY_FIELDS.forResource(override.owner());
      if (Catalog.find(override.owner()).isEmpty() && !props.containsKey(key)) {
        String fields = ResourceSettings.TYPED_FIELDS.forResource(override.owner());
        String before = props.getOrDefault(fields, "");
        String separator = before.isBlank() ? "" : ",";
        changes.put(fields, before + separator + KEY_TO_FIND + ":string");
        changes.put(key, KEY_TO_FIND);
      }
    }
    return changes;
  }

  /** The changes that give a resource this schema, and nothing besides; empty removes a setting. */
  public static Map<String, String> declaring(String resource, String schema) {
    return Map.of(
        ResourceSettings.SCHEMA.forResource(resource), schema,
        ResourceSettings.SCHEMA_FILE.forResource(resource), "",
        ResourceSettings.TYPED_FIELDS.forResource(resource), "");
  }

  /**
   * Finds what a worker accepts without a word: names that neither it nor the connector reads, and
   * a tolerance that loses events.
   */
  public static List<Incident> overlooked(Map<String, String> props) {
    List<Incident> found = new ArrayList<>(Settings.unknown(props.keySet()));
    if ("all".equalsIgnoreCase(String.valueOf(props.get(TOLERANCE)).trim())) {
      found.add(Problem.LOSS_TOLERATED.incident(TOLERANCE));
    }
    return found;
  }

  /**
   * Finds the groups of {@code topic.creation} that no topic of the connector is in. A worker
   * accepts them, but their patterns may be mistaken.
   */
  public List<Incident> idleTopicGroups() {
    return TopicGroups.idle(this);
  }

  /**
   * Finds what is wrong with a configuration, each fault at the setting that caused it. Never
   * throws for a wrong one.
   *
   * @param local finds faults without the service
   * @param live finds faults with the service; called only if {@code validate.connection} is on
   */
  public static Config validate(
      Map<String, String> props,
      Function<SourceConfig, List<Incident>> local,
      Function<SourceConfig, List<Incident>> live) {
    Validation validation = new Validation(withoutNulls(props));
    props.keySet().stream()
        .filter(name -> props.get(name) == null)
        .map(name -> Problem.INVALID_VALUE.incident(name, "is null: leave it out"))
        .forEach(validation::report);
    return validation.run(local, live);
  }

  public String connectorName() {
    return given().getOrDefault("name", "unnamed");
  }

  /**
   * Returns whether the worker must write exactly once.
   *
   * <p>Connect does not inform a task of its delivery mode. With {@code
   * exactly.once.support=required} a worker that cannot write exactly once refuses the connector;
   * without it, a task must expect at-least-once.
   */
  public boolean exactlyOnce() {
    return "required".equalsIgnoreCase(given().getOrDefault("exactly.once.support", "").trim());
  }

  /** The locations' names, in the order in which they were given. */
  public List<String> locations() {
    List<String> names = value(ServiceSettings.LOCATIONS);
    return names.isEmpty() ? List.of(value(ServiceSettings.LOCATION_NAME)) : names;
  }

  /**
   * How to reach a location of {@link #locations}.
   *
   * @throws IllegalArgumentException when the settings cannot work; without any secret
   */
  public Connection connection(String location) {
    return new Connection(
        location,
        baseUrl(location),
        find(ServiceSettings.USER_AGENT).orElse(Connection.USER_AGENT),
        new Timeouts(
            Timeouts.DEFAULT.connect(),
            value(ServiceSettings.REQUEST_TIMEOUT),
            value(ServiceSettings.STALL_TIMEOUT)),
        proxy().orElse(ProxyServer.NONE),
        ssl(),
        BodyLimits.DEFAULT.withRowBytes(rowMaxBytes()),
        privacyAt(location));
  }

  /** The address of a location's service: absolute, without a trailing slash. */
  public URI baseUrl(String location) {
    return ofLocation(ServiceSettings.BASE_URL, location).orElseThrow();
  }

  /**
   * The credentials of a location.
   *
   * @throws IllegalArgumentException when they cannot be sent
   */
  public Credentials credentials(String location) {
    return new Credentials(
        secret(ServiceSettings.API_KEY, location),
        secret(ServiceSettings.API_PASSWORD, location),
        headers(location));
  }

  /**
   * The credentials of a location in a configuration that was read while others are used. What else
   * is wrong by now, such as a file that is gone, bears upon the next start and not upon them.
   *
   * @param used are returned unchecked where they are still the same
   * @throws IncidentException when the key is absent, cannot be sent, or is another location's
   */
  public Credentials checkedCredentials(String location, Credentials used) {
    try {
      if (credentials(location).equals(used)) {
        return used;
      }
    } catch (IllegalArgumentException e) {
      // It is the fault of a setting, which the rules name.
    }
    Optional<Incident> fault = ConfigRules.faultOfKey(this, location);
    if (fault.isPresent()) {
      throw new IncidentException(fault.get());
    }
    return credentials(location);
  }

  /** Every stream of the connector, sorted. */
  public List<Stream> streams() {
    return locations().stream().map(this::streams).flatMap(List::stream).sorted().toList();
  }

  /** The streams of one location. */
  public List<Stream> streams(String location) {
    return ResourceSettings.names(this, location).stream()
        .map(resource -> new Stream(location, resource))
        .toList();
  }

  /** The streams of this task, sorted; none in the configuration of a connector. */
  public List<Stream> taskStreams() {
    return given(RunningSettings.TASK_STREAMS.name())
        ? value(RunningSettings.TASK_STREAMS).stream().map(SourceConfig::stream).sorted().toList()
        : List.of();
  }

  public int taskNumber() {
    return value(RunningSettings.TASK_NUMBER);
  }

  /** The configuration of the task with that number, which owns those streams. */
  public Map<String, String> taskConfig(int number, List<Stream> streams) {
    Map<String, String> task = new TreeMap<>(given());
    task.put(RunningSettings.TASK_NUMBER.name(), Integer.toString(number));
    task.put(
        RunningSettings.TASK_STREAMS.name(),
        streams.stream().map(Stream::id).sorted().collect(Collectors.joining(",")));
    return task;
  }

  private static Stream stream(String id) {
    String[] names = id.split("/", 2);
    return new Stream(names[0], names[1]);
  }

  public Resource resource(Stream stream) {
    return resource(stream, ResourceSettings.parameters(this, stream));
  }

  /** The resource of a stream, read with other fixed parameters. */
  public Resource resource(Stream stream, List<Parameter> fixed) {
    String name = stream.resource();
    return new Resource(
        name,
        ResourceSettings.path(this, name),
        ResourceSettings.retrieval(this, stream),
        keyFields(name),
        value(ResourceSettings.OCCURRENCES, stream),
        Set.copyOf(value(ResourceSettings.IGNORE_FIELDS, stream)),
        value(ResourceSettings.REQUESTS_PER_MINUTE, stream),
        value(ReadingSettings.POLL_INTERVAL, stream),
        value(ReadingSettings.LOOKBACK, stream),
        fixed);
  }

  public Privacy privacy(String resource) {
    return new Privacy(
        ofResource(ResourceSettings.INCLUDE_FIELDS, resource).orElseThrow(),
        ofResource(ResourceSettings.EXCLUDE_FIELDS, resource).orElseThrow(),
        ofResource(ResourceSettings.HASH_FIELDS, resource).orElseThrow(),
        find(ResourceSettings.HASH_SALT).map(Password::value).orElse(""),
        path -> spellings(resource, path));
  }

  /** The path under every name that the key or the declared fields give a field on its way. */
  private java.util.stream.Stream<String> spellings(String resource, String path) {
    return java.util.stream.Stream.concat(
            FieldList.spellings(declared(resource), path),
            key(resource).stream()
                .filter(part -> part.isNamed(path))
                .flatMap(part -> part.names().stream()))
        .distinct();
  }

  /** The private fields of each resource that the connector may read at a location. */
  private Map<String, Privacy> privacyAt(String location) {
    return java.util.stream.Stream.concat(
            java.util.stream.Stream.of(Catalog.IDENTITY),
            ResourceSettings.names(this, location).stream())
        .distinct()
        .collect(Collectors.toMap(Function.identity(), this::privacy));
  }

  /** Returns whether the first read of a stream emits nothing. */
  public boolean baseline(Stream stream) {
    return value(ReadingSettings.BASELINE, stream);
  }

  public StreamSettings settings(Stream stream) {
    return new StreamSettings(
        stream,
        resource(stream),
        value(ReadingSettings.START_FROM, stream),
        value(ReadingSettings.WINDOW_MAX, stream),
        value(ReadingSettings.RECONCILE_INTERVAL, stream),
        value(ReadingSettings.RECONCILE_WINDOW, stream),
        value(ReadingSettings.SNAPSHOT_ID, stream),
        value(RecordSettings.DELETES_MAX_RATIO, stream),
        value(RecordSettings.DELETES_CONFIRM, stream),
        value(RecordSettings.DIGEST_MAX_KEYS, stream),
        value(RecordSettings.CHECKPOINT_INTERVAL, stream),
        value(RecordSettings.ROW_ERRORS, stream),
        rowMaxBytes() + RowSchema.MOST_GROWTH,
        exactlyOnce(),
        retryPolicy().max().multipliedBy(PROBE_BACKOFF));
  }

  /**
   * The Avro schema that the configuration declares for a resource, if any.
   *
   * @throws ConfigException when its file cannot be read
   */
  Optional<String> schema(String resource) {
    Optional<Path> file = ofResource(ResourceSettings.SCHEMA_FILE, resource);
    if (file.isEmpty()) {
      return ofResource(ResourceSettings.SCHEMA, resource);
    }
    Optional<String> text = ResourceSettings.read(file.get());
    if (text.isEmpty()) {
      throw new ConfigException(ResourceSettings.unreadable(file.get(), resource).toString());
    }
    return text;
  }

  /** The Avro schema of the typed fields of a stream's rows. */
  public Schema declared(Stream stream) {
    return declared(stream.resource());
  }

  private Schema declared(String resource) {
    return declared.computeIfAbsent(resource, this::declare);
  }

  private Schema declare(String resource) {
    Schema schema =
        schema(resource)
            .map(DeclaredSchemas::parse)
            .or(() -> DeclaredSchemas.builtIn(resource))
            .orElseGet(() -> FieldList.keysOnly(schemaNames(resource).base(), keyFields(resource)));
    return FieldList.added(
        schema, ofResource(ResourceSettings.TYPED_FIELDS, resource).orElseThrow());
  }

  /**
   * The parts of the key of a stream's rows, each with every name under which a row may have it.
   */
  public List<KeyPart> key(Stream stream) {
    return key(stream.resource());
  }

  private List<KeyPart> key(String resource) {
    return FieldList.key(keyFields(resource), declared(resource));
  }

  private List<String> keyFields(String resource) {
    return ofResource(ResourceSettings.KEY_FIELDS, resource).orElseThrow();
  }

  public Topics topics() {
    String prefix = value(RecordSettings.TOPIC_PREFIX);
    return new Topics(
        prefix,
        value(RecordSettings.TOPIC_TEMPLATE),
        find(RecordSettings.CHECKPOINTS_TOPIC).orElse(prefix + ".checkpoints"),
        find(RecordSettings.STATUS_TOPIC).orElse(prefix + ".status"),
        find(RecordSettings.DEAD_LETTERS_TOPIC).orElse(prefix + ".dead-letters"));
  }

  public SchemaNames schemaNames(String resource) {
    return SchemaNames.of(value(RecordSettings.SCHEMA_NAMESPACE), resource);
  }

  public Destination destination(Stream stream) {
    return new Destination(
        stream, topics(), value(RecordSettings.EVENT_FORMAT), value(RecordSettings.TOMBSTONES));
  }

  public DecimalMode decimalMode() {
    return value(RecordSettings.DECIMALS);
  }

  public int rowMaxBytes() {
    return value(RecordSettings.ROW_MAX_BYTES);
  }

  /** Most records that one poll returns; at least two, for a delete and its tombstone. */
  public int batchMaxRecords() {
    return value(RunningSettings.BATCH_MAX_RECORDS);
  }

  public long bufferMaxBytes() {
    return value(RunningSettings.BUFFER_MAX_BYTES);
  }

  public boolean isolatesStreams() {
    return value(RunningSettings.ISOLATE_STREAMS);
  }

  /**
   * How long all streams of a task must be suspended without a break before the task fails; zero
   * for never.
   */
  public Duration failAfter() {
    return value(RunningSettings.FAIL_AFTER);
  }

  /** More than 0, at most 1. */
  public double rateLimitShare() {
    return value(ServiceSettings.RATE_LIMIT_SHARE);
  }

  /**
   * The waits after failures.
   *
   * @throws IllegalArgumentException when the first one is longer than the longest
   */
  public RetryPolicy retryPolicy() {
    return new RetryPolicy(
        value(ServiceSettings.RETRY_BACKOFF), value(ServiceSettings.RETRY_BACKOFF_MAX));
  }

  public Optional<ProxyServer> proxy() {
    return find(ServiceSettings.PROXY_URL);
  }

  /** Kafka's own settings of a client's TLS that have a value, as Kafka parses them. */
  public Map<String, Object> ssl() {
    Map<String, Object> ssl = new TreeMap<>();
    for (Setting<?> setting : ServiceSettings.TLS.settings()) {
      find(setting).ifPresent(value -> ssl.put(setting.name(), value));
    }
    return ssl;
  }

  /**
   * A fault that an attempt to use a stream revealed, at the setting that caused it.
   *
   * @param detail what is wrong, without a secret
   */
  public Incident fault(Problem problem, Stream stream, String detail) {
    return problem.incident(settingOf(problem, stream), detail);
  }

  /** The fault that a refused connection has revealed, at its setting. */
  public Incident connectionFault(IllegalArgumentException refusal) {
    return refusal instanceof IncidentException known
        ? known.incident()
        : Problem.UNREADABLE_FILE.incident(tlsSetting(), String.valueOf(refusal.getMessage()));
  }
}
