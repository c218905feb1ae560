package io.posconnect.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.benchmark.Measurement.Bytes;
import io.posconnect.benchmark.Results.Setting;
import io.posconnect.benchmark.WorkerProbe.Times;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.TopicRecord;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.jspecify.annotations.Nullable;

/** Lets connectors read a list, one after the other, and measures each. */
final class Trial {

  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final String OFFSETS = "connect-pos-offsets";
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Cluster cluster;
  private final ListServer service;
  private final Setting setting;
  private final Plan plan;
  private final @Nullable Preregistration preregistration;

  Trial(Cluster cluster, ListServer service, Setting setting, Plan plan) {
    this.cluster = cluster;
    this.service = service;
    this.setting = setting;
    this.plan = plan;
    preregistration = plan.findLatest() ? new Preregistration(cluster) : null;
  }

  /** The first read of the list by a new connector, and for ours a second one. */
  List<Measurement> run(Contestant contestant) throws Exception {
    int rows = setting.list().rows();
    URI list = service.url(setting.list().path());
    String name = contestant.id() + "-" + NUMBER.incrementAndGet();
    List<Measurement> reads = new ArrayList<>();
    Map<String, String> settings = contestant.settings(name, list, rows, setting.exactlyOnce());
    if (contestant.isOurs()) {
      plan.settings().forEach(line -> Contestant.set(settings, line));
    }
    if (preregistration != null) {
      settings.putAll(preregistration.prepare(contestant, name));
    }
    try (WorkerProbe probe = new WorkerProbe(cluster.worker(0).pid())) {
      Instant order = Instant.now();
      cluster.connect().put(name, settings);
      reads.add(read(probe, name, 1, order));
      assertThat(reads.get(0).bytes().events() > 0).isEqualTo(contestant != Contestant.PARSER);
      if (contestant.isOurs()) {
        reads.add(read(probe, name, 2, Instant.now()));
      }
    } finally {
      cluster.connect().stop(name);
      service.dismiss();
      deleteTopic(name + ".products");
    }
    // At-least-once may write them as late as at the connector's end.
    long offsets = offsets(name);
    // A worker would keep them in memory for ever.
    cluster.connect().deleteOffsets(name);
    cluster.connect().delete(name);
    return reads.stream().map(read -> read.withOffsets(offsets)).toList();
  }

  /** One read, from its request until the mark that it is complete. */
  private Measurement read(WorkerProbe probe, String name, int number, Instant order)
      throws Exception {
    Duration start = Duration.between(order, service.awaitRequest());
    probe.collect();
    probe.resetPeak();
    Times before = probe.times();
    Instant begin = service.release();
    TopicRecord mark = mark(name, number);
    Times times = probe.times().since(before);
    long peak = probe.peak();
    Duration time = Duration.between(begin, mark.timestamp());
    int rows = setting.list().rows();
    return new Measurement(rows, start, time, times, peak, probe.collect(), bytes(name));
  }

  /** A checkpoint of ours, or the reference's mark; its timestamp is the end. */
  private TopicRecord mark(String name, int number) {
    return cluster
        .topics()
        .await(name + ".checkpoints", "the mark", all -> all.size() >= number, LIMIT)
        .get(number - 1);
  }

  private Bytes bytes(String name) throws Exception {
    String topic = name + ".products";
    AtomicInteger events = new AtomicInteger();
    AtomicLong size = new AtomicLong();
    cluster
        .topics()
        .readRaw(
            topic,
            IsolationLevel.READ_COMMITTED,
            event -> {
              events.incrementAndGet();
              size.addAndGet(size(event));
            });
    if (events.get() > 0) {
      assertThat(events).as("events of %s", name).hasValue(setting.list().rows());
    }
    return new Bytes(size.get(), events.get() == 0 ? 0 : logSize(topic), 0);
  }

  private static int size(ConsumerRecord<byte[], byte[]> event) {
    int headers = 0;
    for (var header : event.headers()) {
      headers += header.key().length() + header.value().length;
    }
    return event.serializedKeySize() + event.serializedValueSize() + headers;
  }

  private long offsets(String name) {
    AtomicLong size = new AtomicLong();
    cluster
        .topics()
        .readRaw(
            OFFSETS,
            IsolationLevel.READ_COMMITTED,
            offset -> {
              if (new String(offset.key(), UTF_8).contains('"' + name + '"')) {
                size.addAndGet(size(offset));
              }
            });
    return size.get();
  }

  private long logSize(String topic) throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      List<Integer> brokers =
          admin.describeCluster().nodes().get().stream().map(node -> node.id()).toList();
      return admin.describeLogDirs(brokers).allDescriptions().get().values().stream()
          .flatMap(folders -> folders.values().stream())
          .flatMap(folder -> folder.replicaInfos().entrySet().stream())
          .filter(replica -> replica.getKey().topic().equals(topic))
          .mapToLong(replica -> replica.getValue().size())
          .sum();
    }
  }

  /** What was measured needs no room on the disk any more. */
  private void deleteTopic(String topic) throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      if (admin.listTopics().names().get().contains(topic)) {
        admin.deleteTopics(List.of(topic)).all().get();
      }
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
  }
}
