package io.posconnect.config;

import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * Reads the configuration of a connector or of one of its tasks: complete, consistent and typed, or
 * not there at all. Immutable.
 */
public final class SourceConfig extends LayeredConfig {

  // In longest back-offs: what a person must mend takes longer than what passes by itself.
  private static final int PROBE_BACKOFF = 2;

  /**
   * Reads a configuration and logs it, without its secrets.
   *
   * @throws ConfigException that names every setting at fault and what to do about it
   */
  public SourceConfig(Map<String, String> props) {
    this(withoutNulls(props), true);
    Validation.require(this);
  }

  /**
   * Reads a configuration again, whose secrets may have changed; logs nothing.
   *
   * @throws ConfigException that names every setting at fault and what to do about it
   */
  public static SourceConfig again(Map<String, String> props) {
    SourceConfig config = unchecked(props);
    Validation.require(config);
    return config;
  }

  private SourceConfig(Map<String, String> given, boolean log) {
    super(given, log);
  }

  /** Well-typed, but not yet known to be consistent; not logged. */
  static SourceConfig unchecked(Map<String, String> props) {
    return new SourceConfig(withoutNulls(props), false);
  }

  /** The definition of every general setting, and of the overrides that {@code props} has. */
  public static ConfigDef definition(Map<String, String> props) {
    return Settings.definition(withoutNulls(props).keySet());
  }

  /**
   * Finds what is wrong with a configuration, each fault at the setting that caused it. Never
   * throws for a wrong one.
   *
   * @param local what needs no service to be found
   * @param live what trying it finds; asked only if {@code validate.connection} is on
   */
  public static Config validate(
      Map<String, String> props,
      Function<SourceConfig, List<Fault>> local,
      Function<SourceConfig, List<Fault>> live) {
    return new Validation(withoutNulls(props)).run(local, live);
  }

  /** The connector's name. */
  public String connectorName() {
    return given().getOrDefault("name", "unnamed");
  }

  /**
   * Whether the worker is bound to write exactly once.
   *
   * <p>A task is not told how its records are delivered. Only {@code exactly.once.support=required}
   * tells: with it a worker that cannot write exactly once refuses the connector. Without it a
   * worker may or may not, and a task must expect the lesser.
   */
  public boolean exactlyOnce() {
    return "required".equalsIgnoreCase(given().getOrDefault("exactly.once.support", "").trim());
  }

  /** The locations' names, in the order in which they were given. */
  public List<String> locations() {
    List<String> names = value(ServiceSettings.LOCATIONS);
    return names.isEmpty() ? List.of(value(ServiceSettings.LOCATION_NAME)) : names;
  }

  /** How to reach a location of {@link #locations}. */
  public LocationSettings location(String name) {
    return new LocationSettings(
        name,
        ofLocation(ServiceSettings.BASE_URL, name).orElseThrow(),
        secret(ServiceSettings.API_KEY, name),
        secret(ServiceSettings.API_PASSWORD, name));
  }

  /** Every stream of the connector, sorted. */
  public List<Stream> streams() {
    return locations().stream()
        .flatMap(
            location ->
                ResourceSettings.names(this, location).stream()
                    .map(resource -> new Stream(location, resource)))
        .sorted()
        .toList();
  }

  /** The streams of this task, sorted; none in the configuration of a connector. */
  public List<Stream> taskStreams() {
    return given(RunningSettings.TASK_STREAMS.name())
        ? value(RunningSettings.TASK_STREAMS).stream().map(SourceConfig::stream).sorted().toList()
        : List.of();
  }

  /** The number of this task among the connector's. */
  public int taskNumber() {
    return value(RunningSettings.TASK_NUMBER);
  }

  /** The configuration of the task of that number, which is to own those streams. */
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

  /** The resource of a stream, with every override applied. */
  public Resource resource(Stream stream) {
    return ResourceSettings.resource(this, stream);
  }

  /** What of a resource's rows nobody is to see. */
  public Privacy privacy(String resource) {
    return PrivacySettings.privacy(this, resource);
  }

  /** What of its rows nobody is to see, by the name of each resource that a location may show. */
  public Map<String, Privacy> privacyAt(String location) {
    return java.util.stream.Stream.concat(
            java.util.stream.Stream.of(Catalog.IDENTITY),
            ResourceSettings.names(this, location).stream())
        .distinct()
        .collect(Collectors.toMap(Function.identity(), this::privacy));
  }

  /** How a resource is read, as a configuration spells it. */
  public String retrieval(Resource resource) {
    return RetrievalStyle.of(resource.retrieval()).spelling();
  }

  /** A stream as it is configured. */
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
        rowMaxBytes(),
        exactlyOnce(),
        retryBackoffMax().multipliedBy(PROBE_BACKOFF));
  }

  /**
   * The Avro schema that the configuration declares for a resource; empty when it declares none.
   *
   * @throws ConfigException when it is in a file that cannot be read
   */
  public Optional<String> schema(String resource) {
    return ResourceSettings.schema(this, resource);
  }

  /** The fields that the configuration types beside those of a resource's schema. */
  public List<String> fields(String resource) {
    return ofResource(ResourceSettings.TYPED_FIELDS, resource).orElse(List.of());
  }

  /** Where records go. */
  public Topics topics() {
    String prefix = value(RecordSettings.TOPIC_PREFIX);
    return new Topics(
        prefix,
        value(RecordSettings.TOPIC_TEMPLATE),
        find(RecordSettings.CHECKPOINTS_TOPIC).orElse(prefix + ".checkpoints"),
        find(RecordSettings.STATUS_TOPIC).orElse(prefix + ".status"),
        find(RecordSettings.DEAD_LETTERS_TOPIC).orElse(prefix + ".dead-letters"));
  }

  /** What the names of all resources' schemas begin with. */
  public String schemaNamespace() {
    return value(RecordSettings.SCHEMA_NAMESPACE);
  }

  public EventFormat eventFormat() {
    return value(RecordSettings.EVENT_FORMAT);
  }

  /** Whether a tombstone follows the delete event of an envelope. */
  public boolean tombstonesOnDelete() {
    return value(RecordSettings.TOMBSTONES);
  }

  public DecimalMode decimalMode() {
    return value(RecordSettings.DECIMALS);
  }

  /** Bytes of the largest row that becomes an event. */
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

  /** Whether the other streams of a task go on when one is suspended. */
  public boolean isolatesStreams() {
    return value(RunningSettings.ISOLATE_STREAMS);
  }

  /**
   * How long all streams of a task must have been suspended without a break before it fails; zero
   * for ever.
   */
  public Duration failAfter() {
    return value(RunningSettings.FAIL_AFTER);
  }

  /** More than 0, at most 1. */
  public double rateLimitShare() {
    return value(ServiceSettings.RATE_LIMIT_SHARE);
  }

  /** Longest wait for the headers of a response. */
  public Duration requestTimeout() {
    return value(ServiceSettings.REQUEST_TIMEOUT);
  }

  /** Longest wait for each KB of a body. */
  public Duration stallTimeout() {
    return value(ServiceSettings.STALL_TIMEOUT);
  }

  public Duration retryBackoff() {
    return value(ServiceSettings.RETRY_BACKOFF);
  }

  public Duration retryBackoffMax() {
    return value(ServiceSettings.RETRY_BACKOFF_MAX);
  }

  /** How the connector is to introduce itself; empty for its name and version. */
  public Optional<String> userAgent() {
    return find(ServiceSettings.USER_AGENT);
  }

  /** Whether a key may be sent in the clear to another machine. */
  public boolean allowHttp() {
    return value(ServiceSettings.ALLOW_HTTP);
  }

  /** An HTTP proxy. */
  public Optional<URI> proxy() {
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

  /** A fault that an answer to a stream brought to light; an observation never holds a secret. */
  public Fault fault(FaultySetting faulty, Stream stream, String observed) {
    return faulty.fault(this, stream, observed);
  }

  /**
   * One location: one key, which is the user name of Basic authentication.
   *
   * @param baseUrl absolute, without a trailing slash
   * @param apiPassword usually empty
   */
  public record LocationSettings(String name, URI baseUrl, Password apiKey, Password apiPassword) {}

  /**
   * Where records go.
   *
   * @param template the name of a stream's topic, with {@code {prefix}}, {@code {location}} and
   *     {@code {resource}} to be filled
   */
  public record Topics(
      String prefix, String template, String checkpoints, String status, String deadLetters) {

    /** The topic of that stream's events. */
    public String of(Stream stream) {
      return template
          .replace("{prefix}", prefix)
          .replace("{location}", stream.location())
          .replace("{resource}", stream.resource());
    }
  }
}
