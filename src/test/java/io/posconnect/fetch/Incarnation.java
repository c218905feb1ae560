package io.posconnect.fetch;

import io.posconnect.client.Credentials;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.ServerClock;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.fetch.Sent.Kind;
import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoaderBridge;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** One life of a task: the real fetcher, and what it has said since it began. */
final class Incarnation implements FetchListener {

  static final Stream STREAM = new Stream("downtown", "things");
  private static final int ALL = 1_000_000;
  private static final RowSchema ROW_SCHEMA =
      RowSchema.of(
          "{\"type\":\"record\",\"name\":\"Row\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
              + "{\"name\":\"c\",\"type\":\"string\"}]}",
          List.of("id"),
          false,
          DecimalMode.PRECISE,
          SchemaNames.of("pos", "things"));

  private final World world;
  private final AckTracker ackTracker;
  private final Buffer buffer = new Buffer(ALL, Long.MAX_VALUE / 2, false);
  private final WatchedPlan plan;
  private final StreamFetcher fetcher;
  private final Deque<Version> upserts = new ArrayDeque<>();
  private final Deque<Sent> queue = new ArrayDeque<>();
  private final Map<Map<String, ?>, Sent> latest = new HashMap<>();

  /** What this incarnation must believe to have been said of each key. */
  private final Map<Integer, Version> said;

  private final Set<Integer> unsure;
  private final List<Deque<Sent>> unsaved = new ArrayList<>();
  private long emitted;
  private long completeSince;
  private long incrementedSince = Long.MAX_VALUE;
  private boolean firstWindow = true;
  private boolean windowRetention;
  private boolean ceilingMet;
  private boolean problem;
  private boolean completed;

  Incarnation(World world, int maxKeys, Set<Integer> unsure) {
    this.world = world;
    this.unsure = new HashSet<>(unsure);
    Setup setup = world.setup();
    for (int bucket = 0; bucket < setup.buckets; bucket++) {
      unsaved.add(new ArrayDeque<>());
    }
    said = new HashMap<>(world.offsets().saved());
    ModelTime time = world.time();
    OffsetLoaderBridge restart =
        OffsetLoaderBridge.restore(
            world.wiring().reader(world.offsets()),
            STREAM,
            world.snapshotId(),
            setup.buckets,
            maxKeys);
    world.trace(() -> "start from " + restart.offset() + ", said " + said);
    ackTracker = world.wiring().ackTracker(restart.offset().acknowledged());
    long start = time.nanoseconds();
    RateLimit limiter =
        new SharedRateLimits()
            .limiter(
                new SharedRateLimits.Limit(
                    URI.create("https://model.example"),
                    new Credentials("key", ""),
                    setup.resource().path(),
                    setup.resource().requestsPerMinute(),
                    1),
                start);
    Destination destination =
        new Destination(
            STREAM,
            "1",
            "pos",
            "pos.things",
            "pos.checkpoints",
            "pos.dead-letters",
            EventFormat.ENVELOPE,
            true);
    StreamParts parts =
        new StreamParts(
            STREAM,
            setup.resource(),
            setup.settings(maxKeys),
            restart.offset(),
            restart.digest(),
            ackTracker,
            ROW_SCHEMA,
            new RecordBuilder(
                ROW_SCHEMA, destination, () -> Instant.ofEpochMilli(time.milliseconds())),
            world.service(),
            path -> limiter,
            new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5)),
            new SplittableRandom(start),
            new ServerClock(start),
            sent -> false,
            buffer,
            this,
            time);
    plan =
        world
            .wiring()
            .plan(StreamFetcher.plan(parts, FetchCompletion.resumed(parts), start), parts);
    fetcher = new StreamFetcher(parts, plan);
  }

  /** One step of the fetcher; returns when the next one is due. */
  long step() {
    int requests = world.service().requests();
    problem = false;
    ceilingMet = false;
    completed = false;
    long due;
    try {
      due = fetcher.step();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("nobody interrupts the model", e);
    }
    take();
    if (world.service().requests() > requests) {
      if (!plan.reads(FetchKind.RECONCILIATION)) {
        checkServed();
      }
      if (problem) {
        world.wiring().broken(ackTracker);
      }
      if (completed && plan.reads(FetchKind.INCREMENT)) {
        incrementedSince = Math.min(incrementedSince, world.time().server());
        firstWindow &= plan.isBounded();
      }
    }
    return due;
  }

  /** Takes what stands in the buffer. */
  void take() {
    List<SourceRecord> records;
    try {
      records = buffer.drain(ALL, Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("nobody interrupts the model", e);
    }
    Version deleted = null;
    for (SourceRecord record : records) {
      Kind kind = kind(record);
      Version version = null;
      if (kind == Kind.EVENT) {
        version = event(record);
        deleted = version;
        said.put(version.key(), version);
      } else if (kind == Kind.TOMBSTONE) {
        version = deleted;
      }
      int bucket = bucket(record);
      Sent sent = new Sent(record, kind, version, bucket, emitted++, firstWindow, this);
      sent.follows(latest.put(record.sourcePartition(), sent));
      queue.add(sent);
      if (bucket >= 0) {
        unsaved.get(bucket).add(sent);
      }
      world.trace(() -> "  emits " + sent);
    }
  }

  private static Kind kind(SourceRecord record) {
    return switch (record.topic()) {
      case "pos.things" -> record.value() == null ? Kind.TOMBSTONE : Kind.EVENT;
      case "pos.checkpoints" -> Kind.CHECKPOINT;
      case "pos.dead-letters" -> Kind.DEAD_LETTER;
      default -> throw new Violation("a record for " + record.topic());
    };
  }

  private static int bucket(SourceRecord record) {
    String[] parts = String.valueOf(record.sourcePartition().get("stream")).split("/", -1);
    return parts.length == 2 ? -1 : Integer.parseInt(parts[3]);
  }

  private Version event(SourceRecord record) {
    int key = (int) (((Struct) record.key()).getInt64("id") / ModelService.KEY_STEP);
    Struct value = (Struct) record.value();
    if (value.getString("op").equals("d")) {
      return deleted(key);
    }
    Version version = upserts.remove();
    String content = value.getStruct("after").getString("c");
    if (version.key() != key || !version.content().equals(content)) {
      throw new Violation(
          "phantom: " + record.value() + " for a row that was served as " + version);
    }
    return version;
  }

  /** The deletion that a delete tells of. */
  private Version deleted(int key) {
    Version before = said.getOrDefault(key, Version.none(key));
    Table table = world.table();
    Version deletion = table.deletionAfter(key, before.number(), world.time().server());
    if (deletion != null) {
      return deletion;
    }
    boolean explained =
        world.setup().style.shifting()
            && table.lastArrivalOrDeparture() + world.setup().stale
                >= world.service().previousPass();
    if (!explained && !world.setup().dropsEvent(key)) {
      throw new Violation("deleted a row that never went: " + before);
    }
    return new Version(key, before.number(), null, before.modified(), before.visible());
  }

  /**
   * Whatever was served is said, unless something newer was. What a reconciliation serves may be
   * left to the next increment.
   */
  private void checkServed() {
    List<Version> served = world.service().served();
    Map<Integer, Version> last = new HashMap<>();
    for (Version version : served) {
      last.put(version.key(), version);
    }
    if (ceilingMet) {
      last.remove(served.get(served.size() - 1).key());
    }
    for (Version version : last.values()) {
      Version known = said.get(version.key());
      boolean told = known != null && (known.says(version) || known.number() > version.number());
      if (!told && !world.setup().dropsEvent(version.key())) {
        throw new Violation("missed: " + version + " was served, but last said is " + known);
      }
    }
  }

  Deque<Sent> queue() {
    return queue;
  }

  /** A record's offset has been committed: whatever its bucket said until then is saved. */
  void saved(Sent sent, Map<Integer, Version> saved) {
    if (sent.bucket() < 0) {
      return;
    }
    Deque<Sent> waiting = unsaved.get(sent.bucket());
    while (!waiting.isEmpty() && waiting.getFirst().number() <= sent.number()) {
      Sent each = waiting.remove();
      if (each.kind() == Kind.EVENT) {
        saved.put(each.version().key(), each.version());
      }
    }
  }

  /**
   * When the latest fetch began that was read to its end, and to the present; reconciliations
   * aside.
   */
  long completeSince() {
    return completeSince;
  }

  /** Whether the latest request belongs to a reconciliation. */
  boolean isReconciling() {
    return plan.reads(FetchKind.RECONCILIATION);
  }

  /** When the first increment was answered. */
  long incrementedSince() {
    return incrementedSince;
  }

  boolean windowRetention() {
    return windowRetention;
  }

  /** The key may have been written after the offsets that this incarnation began with. */
  boolean unsure(int key) {
    return unsure.contains(key);
  }

  void sure(int key) {
    unsure.remove(key);
  }

  @Override
  public void emitted(Stream stream, Operation operation) {
    if (operation != Operation.DELETE) {
      List<Version> served = world.service().served();
      upserts.add(served.get(served.size() - 1));
    }
  }

  @Override
  public void retried(Stream stream) {
    problem = true;
  }

  @Override
  public void watermark(Stream stream, Instant newWatermark) {
    completed = true;
    boolean reconciliations =
        plan.reads(FetchKind.RECONCILIATION) && world.setup().style.filtered();
    if (!plan.isBounded() && !reconciliations) {
      completeSince = world.time().server(plan.startedNanos());
    }
  }

  @Override
  public void retention(Stream stream, boolean full) {
    windowRetention = !full;
    ceilingMet = true;
  }

  @Override
  public void suspended(Stream stream, String reason) {
    ceilingMet |= reason.contains("digest.max.keys");
  }
}
