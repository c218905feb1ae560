package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterIT {

  private static final Duration SOON = Duration.ofMinutes(1);
  private static final String COUNTING = CountingConnector.class.getName();

  @TempDir private static Path folder;
  private static Cluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Path jar =
        Artefacts.write(
            folder.resolve("counting.jar"),
            Map.of(),
            Map.of("META-INF/services/org.apache.kafka.connect.source.SourceConnector", COUNTING),
            CountingConnector.class,
            CountingConnector.CountingTask.class);
    cluster = Cluster.start(ClusterOptions.of("cluster").withPlugins(jar));
    cluster.registry().compatibility("FULL_TRANSITIVE");
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void workersFindTheirPluginsByServiceFilesAlone() {
    assertThat(cluster.connect().plugins())
        .contains("io.apicurio.registry.utils.converter.AvroConverter", COUNTING);
  }

  @Test
  void decodesWhatIsEncodedByHandWithHeadersAndTombstones() throws Exception {
    ConfluentAvro avro = new ConfluentAvro(cluster.registry());
    Schema schema = SchemaBuilder.record("Till").fields().requiredString("name").endRecord();
    GenericData.Record till = new GenericRecordBuilder(schema).set("name", "front").build();
    byte[] key = avro.encode("by-hand-key", schema, till);
    byte[] value = avro.encode("by-hand-value", schema, till);
    var sent = new ProducerRecord<>("by-hand", 0, 1_700_000_000_000L, key, value);
    sent.headers().add("lane", "3".getBytes(UTF_8));

    produce(List.of(sent, new ProducerRecord<>("by-hand", key, null)));

    List<TopicRecord> records = cluster.topics().read("by-hand");
    assertThat(records).hasSize(2);
    assertThat(records.get(0).at("name")).isEqualTo("front");
    assertThat(records.get(0).keyAt("name")).isEqualTo("front");
    assertThat(records.get(0).headers()).containsEntry("lane", "3");
    assertThat(records.get(0).timestamp()).hasToString("2023-11-14T22:13:20Z");
    assertThat(records.get(1).tombstone()).isTrue();
    assertThat(cluster.registry().versions("by-hand-value")).containsExactly(1);
  }

  @Test
  void readsNothingFromATopicThatDoesNotExist() {
    assertThat(cluster.topics().read("never-was")).isEmpty();
    assertThat(cluster.topics().topics()).doesNotContain("never-was");
  }

  @Test
  void countsWithoutGapOrRepeatWhileWorkersAreKilled() {
    cluster.connect().put("counter", counting("numbers", 2_000));
    cluster.connect().awaitRunning("counter");
    for (int count : new int[] {100, 500}) {
      cluster.topics().awaitCount("numbers", count, SOON);
      cluster.worker(0).kill9();
      cluster.worker(0).restart();
    }

    cluster.topics().awaitCount("numbers", 2_000, SOON);

    assertThat(cluster.topics().read("numbers"))
        .extracting(record -> record.keyAt("number"))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 2_000).boxed().toList());
    assertThat(cluster.registry().subjects()).contains("numbers-key", "numbers-value");
    assertThat(cluster.worker(0).heap().peakLiveBytes()).isBetween(10_000_000L, 384_000_000L);
    cluster.connect().delete("counter");
  }

  @Test
  void keepsTopicsAndSchemasWhenBrokerAndRegistryRestart() {
    cluster.connect().put("before", counting("lasting", 5));
    cluster.topics().awaitCount("lasting", 5, SOON);

    cluster.registry().stop();
    cluster.broker(0).restart();
    cluster.registry().start();

    assertThat(cluster.topics().read("lasting")).hasSize(5);
    assertThat(cluster.registry().versions("lasting-value")).containsExactly(1);
    cluster.connect().delete("before");
  }

  @Test
  void stoppedConnectorsLetTheirOffsetsBeReadAndRewound() {
    ConnectClient connect = cluster.connect();
    connect.put("rewound", counting("again", 3));
    cluster.topics().awaitCount("again", 3, SOON);
    connect.stop("rewound");
    assertThat(connect.offsets("rewound").at("/0/offset/sent").longValue()).isEqualTo(3);

    connect.alterOffset("rewound", Map.of("counter", "only"), Map.of("sent", 1));
    connect.resume("rewound");

    assertThat(cluster.topics().awaitCount("again", 5, SOON))
        .extracting(record -> record.keyAt("number"))
        .containsExactly(1L, 2L, 3L, 2L, 3L);
    connect.delete("rewound");
  }

  @Test
  void showsTheTraceOfAConnectorThatFails() {
    ConnectClient connect = cluster.connect();
    assertThat(connect.validate(COUNTING, Map.of("topic", "t", "last", "many")))
        .containsOnlyKeys("last");
    connect.put("failing", counting("not a topic", 3));
    connect.awaitFailed("failing");

    assertThatThrownBy(() -> connect.awaitRunning("failing"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("task 0 FAILED")
        .hasMessageContaining("InvalidTopicException");
    connect.delete("failing");
  }

  @Test
  void logsEveryProcess() {
    assertThat(cluster.logs()).isDirectoryContaining(path -> path.endsWith("broker-0.log"));
    assertThat(cluster.worker(0).log()).content().contains("Kafka Connect");
    assertThat(Files.exists(cluster.logs().resolve("registry.log"))).isTrue();
  }

  private static Map<String, String> counting(String topic, int last) {
    return Map.of(
        "connector.class",
        COUNTING,
        "topic",
        topic,
        "last",
        Integer.toString(last),
        "exactly.once.support",
        "required");
  }

  private static void produce(List<ProducerRecord<byte[], byte[]>> records)
      throws ExecutionException, InterruptedException {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", cluster.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (ProducerRecord<byte[], byte[]> record : records) {
        producer.send(record).get();
      }
    }
  }
}
