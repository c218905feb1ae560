package io.posconnect.tool;

import com.fasterxml.jackson.databind.util.ClassUtil;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads topics of a cluster. The end of a topic is its last stable offset at the time of the call:
 * an open transaction does not delay it, and neither do the markers of ended ones, since positions
 * are compared and not records counted.
 */
final class KafkaTopics implements TopicSource {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String ANSWER_MS = "30000";

  /** The message of an invalid setting, which has its value. */
  private static final Pattern SETTING =
      Pattern.compile(".*( for configuration [a-z.]+).*", Pattern.DOTALL);

  private final String brokers;
  private final Map<String, Object> settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  /**
   * @param settings of a Kafka client; nothing is shown of them but the addresses
   */
  KafkaTopics(Map<String, String> settings) {
    this.settings = new HashMap<>(settings);
    this.brokers = settings.getOrDefault(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "");
    if (brokers.isEmpty()) {
      throw ExitCode.UNREADABLE.because(
          "Name the brokers with --bootstrap, or as bootstrap.servers in the file of --client.");
    }
    this.settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    this.settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    this.settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    this.settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    // The request behind the end of one topic must not keep that for the next topic waiting.
    this.settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
    this.settings.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
    this.settings.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS);
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    this.consumer = tried(() -> new KafkaConsumer<>(this.settings, bytes, bytes));
  }

  @Override
  public Optional<State> state(String topic) {
    List<TopicPartition> partitions = partitions(topic);
    if (partitions.isEmpty()) {
      return Optional.empty();
    }
    Set<Integer> trimmed = above0(tried(() -> consumer.beginningOffsets(partitions)));
    Set<Integer> compacted =
        isCompacted(topic) ? above0(tried(() -> consumer.endOffsets(partitions))) : Set.of();
    return Optional.of(new State(compacted, trimmed, openTransactions(partitions)));
  }

  private static Set<Integer> above0(Map<TopicPartition, Long> offsets) {
    return offsets.entrySet().stream()
        .filter(offset -> offset.getValue() > 0)
        .map(offset -> offset.getKey().partition())
        .collect(Collectors.toSet());
  }

  /** A topic whose settings may not be read could be compacted. */
  private boolean isCompacted(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return asked(admin -> admin.describeConfigs(List.of(resource)).all()).stream()
        .flatMap(configs -> configs.values().stream())
        .map(config -> config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value())
        .allMatch(policy -> policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT));
  }

  private Map<Integer, Instant> openTransactions(List<TopicPartition> partitions) {
    Map<Integer, Instant> open = new TreeMap<>();
    asked(admin -> admin.describeProducers(partitions).all())
        .orElse(Map.of())
        .forEach(
            (partition, state) ->
                state.activeProducers().stream()
                    .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                    .map(producer -> Instant.ofEpochMilli(producer.lastTimestamp()))
                    .min(Comparator.naturalOrder())
                    .ifPresent(time -> open.put(partition.partition(), time)));
    return open;
  }

  /** An answer of the brokers; empty where they refuse it. */
  private <T> Optional<T> asked(Function<Admin, KafkaFuture<T>> question) {
    try (Admin admin = tried(() -> Admin.create(settings))) {
      return Optional.of(question.apply(admin).toCompletionStage().toCompletableFuture().join());
    } catch (CompletionException e) {
      return Optional.empty();
    }
  }

  /** Asks for the one topic, since a list leaves out what may not be read. */
  private List<TopicPartition> partitions(String topic) {
    return tried(() -> consumer.partitionsFor(topic)).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  @Override
  public void read(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor) {
    List<TopicPartition> partitions = partitions(topic);
    consumer.assign(partitions);
    Map<TopicPartition, Long> beginnings = tried(() -> consumer.beginningOffsets(partitions));
    Map<TopicPartition, Long> ends = tried(() -> consumer.endOffsets(partitions));
    beginnings.forEach(
        (each, beginning) -> consumer.seek(each, positions.getOrDefault(each, beginning)));
    pollTo(ends, visitor);
    partitions.forEach(each -> positions.put(each, position(each)));
  }

  /** Shows records until the position in each partition is its end. */
  private void pollTo(
      Map<TopicPartition, Long> ends, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor) {
    long moved = System.nanoTime();
    long before = -1;
    while (ends.entrySet().stream().anyMatch(end -> position(end.getKey()) < end.getValue())) {
      tried(() -> consumer.poll(POLL)).forEach(visitor);
      long sum = ends.keySet().stream().mapToLong(this::position).sum();
      moved = sum == before ? moved : System.nanoTime();
      before = sum;
      if (System.nanoTime() - moved > STALL_NANOS) {
        throw ExitCode.BROKEN.because(
            "%s was not read to its end: no record came within 60 s"
                .formatted(ends.keySet().iterator().next().topic()));
      }
    }
  }

  private long position(TopicPartition partition) {
    return tried(() -> consumer.position(partition));
  }

  @Override
  public Optional<ConsumerRecord<byte[], byte[]>> record(String topic, int partition, long offset) {
    TopicPartition one = new TopicPartition(topic, partition);
    consumer.assign(List.of(one));
    consumer.seek(one, offset);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    pollTo(Map.of(one, offset + 1), records::add);
    return records.stream().filter(found -> found.offset() == offset).findFirst();
  }

  /** Without the message of a client, which may quote a setting. */
  private <T> T tried(Supplier<T> call) {
    try {
      return call.get();
    } catch (TopicAuthorizationException e) {
      throw UnreadableException.forbidden(String.join(", ", e.unauthorizedTopics()));
    } catch (KafkaException | LinkageError e) {
      // Below a handshake that failed is a class of the JVM's checks, of which there are many.
      Throwable cause = e instanceof SslAuthenticationException ? e : ClassUtil.getRootCause(e);
      throw ExitCode.BROKEN.because(
          "The topics at %s cannot be read: %s".formatted(brokers, reason(cause)));
    }
  }

  private static String reason(Throwable e) {
    String message = String.valueOf(e.getMessage());
    String name = e.getClass().getSimpleName();
    return switch (name) {
      case "TimeoutException" -> "no broker answers there, or another security.protocol is needed";
      case "SaslAuthenticationException" -> "the brokers refuse the user or the password";
      case "SslAuthenticationException" ->
          "a certificate is not trusted. Check security.protocol and the ssl settings.";
      case "NoSuchFileException" -> "there is no file " + message;
      case "IllegalArgumentException", "InvalidConfigurationException" ->
          "a setting has no valid form, such as sasl.jaas.config or one of ssl";
      case "ConfigException" -> invalid(message);
      case "ClassNotFoundException", "NoClassDefFoundError", "UnsatisfiedLinkError" ->
          codec(message)
              .map(
                  jar ->
                      "the topic is compressed with a codec that this tool does not have. Its jar is in"
                          + " the libs folder of a broker. "
                          + beside(jar + ".jar"))
              .orElseGet(() -> "there is no class " + message + ". " + beside("JAR"));
      default -> name;
    };
  }

  private static String invalid(String message) {
    if (message.endsWith(" in bootstrap.servers") || message.contains(" in bootstrap.servers: ")) {
      return "its host is unknown, or it is not HOST:PORT";
    }
    Matcher setting = SETTING.matcher(message);
    if (!setting.matches()) {
      return "a setting is missing, or contradicts another";
    }
    boolean lacksClass = message.contains("could not be found");
    return "the value is invalid"
        + setting.group(1)
        + (lacksClass ? ": there is no such class. " + beside("JAR") : "");
  }

  private static String beside(String jar) {
    return "Run the tool with that jar: java -cp kafka-connect-pos-tool.jar:%s io.posconnect.tool.Tool audit ..."
        .formatted(jar);
  }

  /** The library of the class that is missing, if it is a codec's. */
  private static Optional<String> codec(String type) {
    return Stream.of("zstd-jni", "lz4-java", "snappy-java")
        .filter(jar -> type.contains(jar.substring(0, jar.indexOf('-'))))
        .findFirst();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
