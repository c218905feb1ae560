package io.posconnect;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Incident;
import io.posconnect.resource.Stream;
import io.posconnect.task.MovedMemory;
import io.posconnect.task.RecordContracts;
import io.posconnect.task.StreamAssignment;
import io.posconnect.validation.ConnectionValidator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a point-of-sale data service into topics: tries a configuration before it is accepted, and
 * hands each stream of it to exactly one task.
 */
public final class PosSourceConnector extends SourceConnector {

  private static final Logger log = LoggerFactory.getLogger(PosSourceConnector.class);

  // The worker answers within ten, and has work of its own around it.
  private static final Duration VALIDATION_BUDGET = Duration.ofSeconds(8);

  private final Supplier<ConnectionValidator> validators;
  private @Nullable SourceConfig config;

  /** For the worker. */
  public PosSourceConnector() {
    this(
        () ->
            new ConnectionValidator(
                ClientFactory.sharing(),
                SharedRateLimits.OF_THIS_PROCESS,
                VALIDATION_BUDGET,
                InstantSource.system()));
  }

  /**
   * @param validators makes one for each configuration, whose stores may be new
   */
  PosSourceConnector(Supplier<ConnectionValidator> validators) {
    this.validators = validators;
  }

  @Override
  public String version() {
    return Version.TEXT;
  }

  @Override
  public ConfigDef config() {
    return SourceConfig.definition(Map.of());
  }

  /**
   * Checks every setting, then all together, what can be made of the schemas and stores, and last,
   * unless that is switched off, what the service makes of them; within ten seconds in all.
   */
  @Override
  public Config validate(Map<String, String> connectorConfigs) {
    ConnectionValidator validator = validators.get();
    return SourceConfig.validate(
        connectorConfigs, given -> localFaults(given, validator), validator::faults);
  }

  /**
   * Checks the same, and reports each request that failed for a reason that may pass by itself: the
   * configuration is accepted, but that part of it was not tried.
   */
  public Config validate(Map<String, String> connectorConfigs, Consumer<Incident> untried) {
    ConnectionValidator validator = validators.get();
    return SourceConfig.validate(
        connectorConfigs,
        given -> localFaults(given, validator),
        given -> validator.faults(given, untried));
  }

  private static List<Incident> localFaults(SourceConfig given, ConnectionValidator validator) {
    List<Incident> faults = RecordContracts.faults(given);
    return faults.isEmpty() ? validator.transportFaults(given) : faults;
  }

  @Override
  public void start(Map<String, String> props) {
    SourceConfig started = SourceConfig.started(props);
    config = started;
    SourceConfig.overlooked(props).forEach(fault -> log.warn("{}", fault));
    started.idleTopicGroups().forEach(fault -> log.warn("{}", fault));
  }

  @Override
  public Class<? extends Task> taskClass() {
    return PosSourceTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    SourceConfig started = config;
    if (started == null) {
      throw new IllegalStateException("the connector is not started");
    }
    List<List<Stream>> assigned = StreamAssignment.of(started, maxTasks);
    return IntStream.range(0, assigned.size())
        .mapToObj(number -> started.taskConfig(number, assigned.get(number)))
        .toList();
  }

  /** Nothing runs here. */
  @Override
  public void stop() {}

  /** Supported, because each stream has one owner and its position is its records' own. */
  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /** A poll is a transaction; there is no better boundary. */
  @Override
  public ConnectorTransactionBoundaries canDefineTransactionBoundaries(
      Map<String, String> connectorConfig) {
    return ConnectorTransactionBoundaries.UNSUPPORTED;
  }

  /**
   * Accepts a reset of anything, a new watermark for the position of a stream that is configured,
   * and the whole memory of such a stream; the worker then stores it. No key needs to be usable.
   *
   * @throws org.apache.kafka.connect.errors.ConnectException for anything else, saying what is
   *     allowed
   */
  @Override
  public boolean alterOffsets(
      Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets) {
    if (!offsets.values().stream().allMatch(Objects::isNull)) {
      Map<String, String> withoutService = SourceConfig.withoutService(connectorConfig);
      MovedMemory.validate(SourceConfig.checked(withoutService), offsets, Instant.now());
    }
    return true;
  }
}
