package io.posconnect.acceptance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit of the jar that users have, on a real cluster, of two stores after churn. */
@ExtendWith(SharedCluster.class)
class AuditIT {

  private static final String NORTH = "north-key-that-is-never-shown";
  private static final String SOUTH = "south-key-that-is-never-shown";
  private static final String PRODUCTS = SimulatedLocation.PRODUCTS;
  private static final String SALES = SimulatedLocation.REGISTER_TRANSACTIONS;
  private static final int EVENTS = 400;
  private static final String[] RESOURCES = ConsumedStore.RESOURCES.toArray(String[]::new);

  @TempDir private Path folder;
  @AutoClose private final Simulator service = Simulator.builder().unlimited().start();
  private final SimulatedLocation north = filled(NORTH);
  private final SimulatedLocation south = filled(SOUTH);

  @Test
  void reportsWhatSomebodyDidToTheTopic(Cluster cluster) throws Exception {
    reportsTampering("envelope", cluster);
  }

  @Test
  @Tag("practice")
  void reportsWhatSomebodyDidToFlatTopic(Cluster cluster) throws Exception {
    reportsTampering("flat", cluster);
  }

  private void reportsTampering(String format, Cluster cluster) throws Exception {
    try (Connector connector = connector(cluster, format)) {
      startAndRead(connector, RESOURCES);
      churn();

      Program equal = audit(connector, "--json").ending(0);
      for (String resource : ChaosRun.RESOURCES) {
        assertThat(stream(equal, "north", resource).at("/keys/equal").asLong())
            .isEqualTo(north.table(resource).ids().size());
        assertThat(stream(equal, "south", resource).at("/events/removed").asLong()).isZero();
      }

      tamper(cluster, connector, north.products().ids());
      Program found = audit(connector, "--resource", PRODUCTS, "--json").ending(1);
      JsonNode keys = stream(found, "north", PRODUCTS).path("keys");
      assertThat(keys.path("missing").asLong()).as(found.out()).isOne();
      assertThat(keys.path("different").asLong()).isOne();
      assertThat(keys.path("phantom").asLong()).isOne();
      assertThat(verdict(found, "south", PRODUCTS)).isEqualTo("equal");
      Program table = audit(connector, "--resource", PRODUCTS);
      assertThat(table.out())
          .contains("PATCH", "/connectors/" + connector.name() + "/config")
          .contains("\"resources.products.snapshot.id\": \"audit ");

      Program offline =
          audit(
                  connector,
                  "--resource",
                  PRODUCTS,
                  "--set",
                  "locations.south.base.url=http://127.0.0.1:1")
              .ending(1);
      assertThat(offline.out()).contains("south/products: not decided", "POS-302");

      try (var producer = cluster.producer(Map.of())) {
        byte[] ofLostSchema = {0, 0, 15, 66, 64, 1};
        send(producer, new ProducerRecord<>(connector.name() + "." + PRODUCTS, ofLostSchema, null));
      }
      Program lost = audit(connector, "--resource", PRODUCTS + "," + SALES, "--json").ending(4);
      assertThat(lost.out()).contains("The registry has no schema 1000000 of a record");
      assertThat(verdict(lost, "north", PRODUCTS)).isEqualTo("not decided");
      assertThat(verdict(lost, "north", SALES)).isEqualTo("equal");
    }
  }

  @Test
  void reportsAMissingEventNumber(Cluster cluster) throws Exception {
    try (Connector connector = named(cluster, "audit-whole")) {
      startAndRead(connector, PRODUCTS);
      churn();
      assertThat(audit(connector).code()).isZero();

      long missing = copyWithoutAnUpdatedRow(cluster, connector.name(), "hole");
      Program found = audit(connector, "--set", "topic.prefix=hole", "--json").ending(1);
      JsonNode lost = stream(found, "north", PRODUCTS).at("/events/lost");
      assertThat(lost.path("count").asLong()).as(found.out()).isOne();
      assertThat(lost.at("/ranges/0/from").asLong()).isEqualTo(missing);
      assertThat(stream(found, "north", PRODUCTS).at("/keys/different").asLong()).isZero();
    }
  }

  @Test
  void isRedOnlyWhenSomethingIsWrong(Cluster cluster) throws Exception {
    try (Connector connector =
        named(cluster, "audit-time")
            .set("lookback.ms", "600000") // rows come late, and no reconciliation finds them
            .set("reconcile.interval.ms", "86400000")) {
      startAndRead(connector, PRODUCTS, SALES);
      churn();
      // Churn deletes products, of which only a reconciliation tells.
      Program quiet = audit(connector, "--resource", SALES, "--json").ending(0);
      assertThat(verdict(quiet, "north", SALES)).isEqualTo("equal");

      north.products().delete(north.products().ids().get(0));
      Program gone = audit(connector, "--resource", PRODUCTS, "--json").ending(0);
      assertThat(verdict(gone, "north", PRODUCTS)).isEqualTo("not due yet");
      assertThat(gone.out()).contains("the rest is due by ");
      assertThat(audit(connector, "--resource", PRODUCTS, "--prometheus").out())
          .contains("location=\"north\",resource=\"products\",verdict=\"not due yet\"} 1");

      deleteHalf(cluster, "audit-time." + SALES);
      Program removed = audit(connector, "--resource", SALES, "--json").ending(4);
      assertThat(verdict(removed, "north", SALES)).isEqualTo("not decided");
      assertThat(removed.out()).contains("retention or DeleteRecords");

      try (var hanging = cluster.producer(Map.of("transactional.id", "hanging"))) {
        hanging.initTransactions();
        hanging.beginTransaction();
        long past = System.currentTimeMillis() - 300_000;
        var unused =
            hanging.send(
                new ProducerRecord<>(
                    "audit-time." + PRODUCTS, 1, past, new byte[] {1}, new byte[] {1}));
        hanging.flush();
        Program open = audit(connector, "--resource", PRODUCTS).ending(4);
        assertThat(open.out()).contains("Partition 1 has an open transaction since");
        hanging.abortTransaction();
      }
    }
  }

  @Test
  @Tag("practice")
  void staysGreenDuringBusyDayWithDailyReconciliation(Cluster cluster) throws Exception {
    try (Connector connector =
        named(cluster, "audit-busy")
            .set("lookback.ms", "600000") // rows come late, and no reconciliation finds them
            .set("reconcile.interval.ms", "86400000")) {
      startAndRead(connector, ChaosRun.RESOURCES);
      churn();
      try (Churn one = service.churn(north, 5).start(8);
          Churn other = service.churn(south, 6).start(8)) {
        for (int audits = 1; audits <= 2; audits++) {
          Program busy = audit(connector, "--json").ending(0);
          for (String location : List.of("north", "south")) {
            assertThat(verdict(busy, location, PRODUCTS)).isEqualTo("not due yet");
            for (String steady : List.of(SALES, SimulatedLocation.INVENTORY)) {
              assertThat(verdict(busy, location, steady)).as(busy.out()).isEqualTo("equal");
            }
          }
        }
      }
    }
  }

  /** Compaction is for each partition: the row before the change may stay for ever. */
  @Test
  void decidesNothingOfKeysThatMovedToAnotherPartition(Cluster cluster) throws Exception {
    String inventory = SimulatedLocation.INVENTORY;
    String topic = "audit-wider." + inventory;
    try (Connector connector = named(cluster, "audit-wider")) {
      startAndRead(connector, inventory);
      assertThat(audit(connector).code()).isZero();

      try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(6))).all().get();
      }
      cluster.connect().restart(connector.name());
      cluster.connect().awaitRunning(connector.name());
      assertThat(audit(connector).code()).isZero();

      List<Long> ids = north.inventory().ids();
      ids.forEach(north.inventory()::update);
      ids.subList(0, 20).forEach(north.inventory()::delete);
      Program moved = audit(connector, "--json").ending(4);
      assertThat(verdict(moved, "north", inventory)).isEqualTo("not decided");
      assertThat(verdict(moved, "south", inventory)).isEqualTo("equal");
      Program words = audit(connector);
      assertThat(words.out()).contains("keys in two partitions");

      connector.set("snapshot.id", "again").start();
      Connector.await(
          "each row again",
          () -> connector.events("south", inventory).size() == 2 * south.inventory().size());
      Program again = audit(connector, "--json").ending(4);
      for (String location : List.of("north", "south")) {
        assertThat(verdict(again, location, inventory)).isEqualTo("not decided");
      }
    }
  }

  @Test
  void takesWhatBaselineLearnedForEqualUntilAnEventIsRemoved(Cluster cluster) throws Exception {
    try (Connector connector = named(cluster, "audit-baseline").set("snapshot.mode", "baseline")) {
      startAndRead(connector, PRODUCTS);
      Program learned = audit(connector, "--json").ending(0);
      assertThat(keys(learned, "north", "baseline")).isEqualTo(north.products().size());
      assertThat(connector.events(PRODUCTS)).isEmpty();

      List<Long> ids = north.products().ids();
      north.products().update(ids.get(0));
      north.products().generate(2);
      north.products().delete(ids.get(1));
      Connector.await(
          "a checkpoint of the four changes",
          () ->
              connector.checkpoints("north", PRODUCTS).stream()
                  .anyMatch(checkpoint -> Long.valueOf(4).equals(checkpoint.at("seq"))));
      Program changed = audit(connector, "--json").ending(0);
      assertThat(verdict(changed, "north", PRODUCTS)).isEqualTo("equal");
      assertThat(keys(changed, "north", "equal")).isEqualTo(3);
      assertThat(keys(changed, "north", "baseline")).isEqualTo(north.products().size() - 3);
      assertThat(keys(changed, "south", "baseline")).isEqualTo(south.products().size());

      long missing = copyWithoutAnUpdatedRow(cluster, connector.name(), "audit-learned");
      Program found = audit(connector, "--set", "topic.prefix=audit-learned", "--json").ending(1);
      assertThat(verdict(found, "north", PRODUCTS)).isEqualTo("different");
      assertThat(stream(found, "north", PRODUCTS).at("/events/lost/ranges/0/from").asLong())
          .isEqualTo(missing);
      assertThat(verdict(found, "south", PRODUCTS)).isEqualTo("equal");
    }
  }

  @Test
  void readsCompressedTopicOnceItsCodecIsBesideTheTool(Cluster cluster) throws Exception {
    readsCompressedTopic("zstd-jni", cluster);
  }

  @ParameterizedTest
  @Tag("practice")
  @ValueSource(strings = {"lz4-java", "snappy-java"})
  void readsTopicOfOtherCodecOnceThatIsBesideTheTool(String library, Cluster cluster)
      throws Exception {
    readsCompressedTopic(library, cluster);
  }

  private void readsCompressedTopic(String library, Cluster cluster) throws Exception {
    String codec = library.substring(0, library.indexOf('-'));
    try (Connector connector =
        named(cluster, "audit-" + codec).set("producer.override.compression.type", codec)) {
      int rows = north.products().size() + south.products().size();
      connector.resources(PRODUCTS).start();
      Connector.await("all rows", () -> connector.events(PRODUCTS).size() == rows);

      Program bare = audit(connector).ending(3);
      assertThat(bare.err().replaceAll("\\s+", " "))
          .contains("compressed with a codec", library + ".jar io.posconnect.tool.Tool audit");
      connector.auditWith(library, folder).ending(0);
    }
  }

  private static long keys(Program run, String location, String outcome) {
    return stream(run, location, PRODUCTS).path("keys").path(outcome).asLong();
  }

  private static void deleteHalf(Cluster cluster, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
      Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
      var description = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
      for (var each : requireNonNull(description).partitions()) {
        partitions.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest());
      }
      Map<TopicPartition, RecordsToDelete> half = new HashMap<>();
      admin
          .listOffsets(partitions)
          .all()
          .get()
          .forEach((each, end) -> half.put(each, RecordsToDelete.beforeOffset(end.offset() / 2)));
      admin.deleteRecords(half).all().get();
    }
  }

  private Connector connector(Cluster cluster, String format) {
    return named(cluster, "audit-" + format).set("event.format", format);
  }

  private Connector named(Cluster cluster, String name) {
    return new Connector(cluster, name, service)
        .eager(RESOURCES)
        .location("north", NORTH)
        .location("south", SOUTH)
        .set("reconcile.interval.ms", "2000")
        .set("lookback.ms", "1000")
        .partitions(3);
  }

  private SimulatedLocation filled(String key) {
    SimulatedLocation location = service.location(key);
    service.fill(location, new InitialRows(120, 80, 60, Duration.ofDays(5), 90, 40));
    return location;
  }

  private static void startAndRead(Connector connector, String... resources) {
    connector.resources(resources).start();
    for (String resource : resources) {
      for (String location : List.of("north", "south")) {
        connector.awaitCheckpoint(location, resource);
      }
    }
  }

  private void churn() {
    for (SimulatedLocation location : List.of(north, south)) {
      Connector.churn(service, location, EVENTS);
    }
  }

  private Program audit(Connector connector, String... options) {
    List<String> all = new ArrayList<>(List.of("--wait", "20"));
    all.addAll(List.of(options));
    Program run = connector.audit(folder, all.toArray(String[]::new));
    assertThat(run.out() + run.err()).doesNotContain(NORTH, SOUTH, "Exception");
    return run;
  }

  private static String verdict(Program run, String location, String resource) {
    return stream(run, location, resource).path("verdict").asText();
  }

  private static JsonNode stream(Program run, String location, String resource) {
    for (JsonNode stream : CompactedTopic.parse(run.out()).path("streams")) {
      if (stream.path("location").asText().equals(location)
          && stream.path("resource").asText().equals(resource)) {
        return stream;
      }
    }
    throw new AssertionError("no " + location + "/" + resource + " in " + run);
  }

  /** Removes a row, replaces the content of another one, and adds a third. */
  private static void tamper(Cluster cluster, Connector connector, List<Long> ids)
      throws IOException {
    String topic = connector.name() + "." + PRODUCTS;
    Map<Long, ConsumerRecord<byte[], byte[]>> rows = new LinkedHashMap<>();
    Map<Long, GenericRecord> keys = new HashMap<>();
    for (var record : cluster.topics().raw(topic)) {
      GenericRecord key = key(cluster, record.key());
      if (record.value() != null && key.get("location").toString().equals("north")) {
        rows.put((Long) key.get("productId"), record);
        keys.put((Long) key.get("productId"), key);
      }
    }
    try (var producer = cluster.producer(Map.of())) {
      ConsumerRecord<byte[], byte[]> removed = rows.get(ids.get(0));
      send(producer, new ProducerRecord<>(topic, removed.partition(), removed.key(), null));
      ConsumerRecord<byte[], byte[]> changed = rows.get(ids.get(1));
      ConsumerRecord<byte[], byte[]> other = rows.get(ids.get(2));
      send(
          producer, new ProducerRecord<>(topic, changed.partition(), changed.key(), other.value()));
      GenericRecord added = keys.get(ids.get(2));
      added.put("productId", 987_654_321L);
      send(producer, new ProducerRecord<>(topic, encoded(added, other.key()), other.value()));
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    var unused = producer.send(record); // flush waits for it
    producer.flush();
  }

  private static GenericRecord key(Cluster cluster, byte[] key) throws IOException {
    Schema schema = cluster.registry().byId(ByteBuffer.wrap(key).getInt(1));
    return new GenericDatumReader<GenericRecord>(schema)
        .read(null, DecoderFactory.get().binaryDecoder(key, 5, key.length - 5, null));
  }

  private static byte[] encoded(GenericRecord key, byte[] like) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(like, 0, 5);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(key.getSchema()).write(key, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  /** Copies products and checkpoints but for one event whose key has a later one. */
  private static long copyWithoutAnUpdatedRow(Cluster cluster, String from, String to) {
    var events =
        cluster.topics().read(from + "." + PRODUCTS).stream()
            .filter(event -> !event.tombstone() && "north".equals(event.keyAt("location")))
            .toList();
    var updated =
        events.stream().filter(event -> "u".equals(event.at("op"))).findFirst().orElseThrow();
    var dropped =
        events.stream()
            .filter(event -> updated.key() != null && updated.key().equals(event.key()))
            .findFirst()
            .orElseThrow();
    try (var producer = cluster.producer(Map.of())) {
      for (String topic : List.of(PRODUCTS, "checkpoints")) {
        for (var event : cluster.topics().raw(from + "." + topic)) {
          if (!dropped.isOf(event)) {
            var copy = new ProducerRecord<>(to + "." + topic, event.key(), event.value());
            var unused = producer.send(copy); // flush waits for it
          }
        }
      }
      producer.flush();
    }
    return (Long) requireNonNull(dropped.at("source.seq"));
  }
}
