package io.posconnect.fetch;

import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.State;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.fetch.EmittedRecord.Kind;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Table.Version;
import io.posconnect.fetch.Wiring.WatchedPlan;
import io.posconnect.fetch.Wiring.Wired;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.DigestCodec.DamagedException;
import io.posconnect.offset.StreamPartition;
import io.posconnect.problem.Problem;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.StreamSettings.RowErrors;
import io.posconnect.task.OffsetLoader;
import io.posconnect.task.OffsetLoader.StreamToResume;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** One task from its start to its end: the real fetcher, and what it has emitted since. */
final class SimulatedTask {

  private final World world;
  private final int maxKeys;
  private final Wired wired;
  private final PolledRecords polled;
  private final WatchedPlan plan;
  private final Deque<EmittedRecord> queue = new ArrayDeque<>();

  /** The latest version of each key that this task must know to be emitted. */
  private final Map<Integer, Version> published;

  private final Set<Integer> unsure;
  private final boolean repeatsAll;
  private final boolean skips;

  /** Repeats of rows, whose slot holds no entry of them. */
  private final Set<EmittedRecord> repeats = new HashSet<>();

  private final Map<Integer, Long> savedUntil = new HashMap<>();
  private final Map<Map<String, ?>, Deque<EmittedRecord>> unsaved = new HashMap<>();

  /** What each record of a baseline stores, and how much of each segment was stored before. */
  private final Map<EmittedRecord, Map<Integer, Version>> learned = new HashMap<>();

  private final Map<Long, Integer> stored = new HashMap<>();

  /** What the service has shown of each key. */
  private final Map<Integer, Set<Version>> shown = new HashMap<>();

  private final ContentHash contentHash = new ContentHash(Set.of(SimulatedService.IGNORED));

  private long emitted;
  private long latestNumber;
  private long completeSince;
  private long passSince;
  private long snapshottedSince = Long.MIN_VALUE;
  private int increments;

  // Increments may repeat each key once: those that they did.
  private final Set<Integer> repeated = new HashSet<>();

  SimulatedTask(World world, int maxKeys, Set<Integer> unsure) {
    this.world = world;
    this.maxKeys = maxKeys;
    this.unsure = new HashSet<>(unsure);
    Setup setup = world.setup();
    published = new HashMap<>(world.offsets().saved());
    SimulatedTime time = world.time();
    StreamSettings settings = world.settings();
    skips = settings.rowErrors() == RowErrors.SKIP;
    wired =
        Wiring.wire(
            settings,
            new StreamToResume(
                Things.STREAM,
                world.snapshotId(),
                setup.exactlyOnce,
                world.scope(),
                settings.beginning(),
                setup.baseline),
            new OffsetLoader(
                world.offsets().reader(),
                () -> Instant.ofEpochMilli(time.milliseconds()),
                setup.segments,
                world.random()),
            new SimulatedLocation(
                world.service(),
                time,
                setup.requestsPerMinute,
                new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5)),
                new LocationIdentity(Setup.WHOAMI),
                new SharedRateLimits(),
                () -> 0),
            setup.destination,
            time);
    wired.resumed().digest().knownBytes().limit(setup.knownRows);
    plan = wired.plan();
    polled = new PolledRecords();
    world.resumes(wired.resumed().offset());
    world.trace(() -> "start from " + wired.resumed().offset() + ", published " + published);
    repeatsAll = !published.isEmpty() && wired.resumed().offset().watermark().equals(Instant.MIN);
  }

  /** Returns whether it emits everything once more. */
  boolean repeatsAll() {
    return repeatsAll;
  }

  /** One request, and what follows from it at once; returns when the next step is due. */
  long step() {
    SimulatedService service = world.service();
    int requests = service.requests();
    int completions = plan.completions();
    boolean wasFull = isFull();
    long due;
    try {
      do {
        wired.fetcher().step();
        due = wired.fetcher().dueNanos();
        take();
      } while (plan.isUnfinished() && due - world.time().nanoseconds() <= 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the model was interrupted", e);
    }
    boolean completed = plan.completions() > completions;
    if (completed) {
      noteCompletion();
    }
    if (service.requests() > requests) {
      if (!plan.reads(FetchKind.RECONCILIATION)) {
        checkServed(wasFull);
      }
      if (completed && plan.reads(FetchKind.INCREMENT)) {
        increments++;
      }
    }
    return due;
  }

  private void noteCompletion() {
    if (plan.reads(FetchKind.SNAPSHOT)) {
      snapshottedSince = world.time().server();
    }
    boolean reconciliation = plan.reads(FetchKind.RECONCILIATION) && world.setup().style.filtered();
    long began = world.time().server(plan.startedNanos());
    if (plan.reaches(world.time().dated(began)) && !reconciliation) {
      completeSince = began;
    }
    if (!plan.isBounded() && plan.reads(FetchKind.RECONCILIATION)) {
      passSince = began;
    }
    if (plan.reads(FetchKind.SNAPSHOT) || plan.reads(FetchKind.RECONCILIATION)) {
      world.service().listed();
    }
  }

  /** Takes what stands in the buffer. */
  void take() {
    world
        .service()
        .served()
        .forEach(
            version ->
                shown.computeIfAbsent(version.key(), key -> new LinkedHashSet<>()).add(version));
    Version deleted = null;
    for (SourceRecord record : wired.drained()) {
      Kind kind = kind(record);
      Version version = null;
      if (kind == Kind.DEAD_LETTER
          && String.valueOf(record.value()).contains(SimulatedService.DAMAGED_ONCE)) {
        throw new Violation("a dead letter of a row that was damaged on its way");
      }
      if (kind == Kind.DEAD_LETTER && skips) {
        throw new Violation("a dead letter of a row that is skipped");
      }
      if (kind == Kind.EVENT || kind == Kind.DEAD_LETTER) {
        world.news();
      }
      if (kind == Kind.EVENT) {
        version = event(record);
        latestNumber = (long) Things.source(record, "seq");
        deleted = version;
        published.put(version.key(), version);
      } else if (kind == Kind.TOMBSTONE) {
        version = deleted;
      }
      boolean mayRepeat =
          increments == 0
              || (kind == Kind.EVENT
                  && plan.reads(FetchKind.INCREMENT)
                  && repeated.add(version.key()));
      EmittedRecord sent = new EmittedRecord(record, kind, version, emitted++, mayRepeat, this);
      if (kind == Kind.EVENT && !world.setup().exactlyOnce && !holds(record, version)) {
        repeats.add(sent);
      }
      // A dead letter carries what was learned before it.
      if (kind == Kind.BASELINE || (kind == Kind.DEAD_LETTER && isSilent())) {
        learned.put(sent, learned(record));
        published.putAll(learned.get(sent));
        world.oracle().learns(sent);
      }
      queue.add(sent);
      unsaved.computeIfAbsent(record.sourcePartition(), slot -> new ArrayDeque<>()).add(sent);
      world.trace(() -> "  emits " + sent);
    }
  }

  private static Kind kind(SourceRecord record) {
    return switch (record.topic()) {
      case "pos.things" -> Things.isEvent(record) ? Kind.EVENT : Kind.TOMBSTONE;
      case "pos.checkpoints" -> Kind.CHECKPOINT;
      case "pos.status" ->
          StreamPartition.parse(record.sourcePartition()).isPosition()
              ? Kind.STATUS
              : Kind.BASELINE;
      case "pos.dead-letters" -> Kind.DEAD_LETTER;
      default -> throw new Violation("a record for " + record.topic());
    };
  }

  private static Stored segment(SourceRecord record) {
    try {
      return DigestCodec.decode(
              StreamPartition.parse(record.sourcePartition()), record.sourceOffset())
          .stored();
    } catch (DamagedException e) {
      throw new Violation("what is emitted is damaged: " + e.getMessage());
    }
  }

  private static int key(StoredEntry entry) {
    return (int) (KeyKind.number(entry.key()) / SimulatedService.KEY_STEP);
  }

  /** Whether the slot of an event holds its row: that of a repeat may be another one. */
  private static boolean holds(SourceRecord record, Version version) {
    return segment(record).entries().stream()
        .anyMatch(entry -> !entry.key().isDeadLetter() && key(entry) == version.key());
  }

  /** The versions that a record of a baseline stores, as if they had been emitted. */
  private Map<Integer, Version> learned(SourceRecord record) {
    Stored segment = segment(record);
    long sequence = segment.header().sequence();
    Map<Integer, Version> versions = new HashMap<>();
    for (StoredEntry entry :
        segment.entries().subList(stored.getOrDefault(sequence, 0), segment.entries().size())) {
      if (!entry.key().isDeadLetter()) {
        int key = key(entry);
        // A removal reaches no consumer, and is stored with what is learned later, so it may be of
        // a pass before the latest.
        versions.put(key, entry.state() == State.REMOVED ? gone(key) : shown(key, entry.hash()));
      }
    }
    stored.put(sequence, segment.entries().size());
    return versions;
  }

  /** The latest version with that content; of a page that was read before, none is as late. */
  private Version shown(int key, long hash) {
    return shown.getOrDefault(key, Set.of()).stream()
        .filter(version -> contentHash.of(world.service().row(version)) == hash)
        .max(Comparator.comparingInt(Version::number))
        .orElseGet(() -> published.getOrDefault(key, Version.none(key)));
  }

  Map<Integer, Version> learned(EmittedRecord sent) {
    return learned.get(sent);
  }

  /** Whether it reads a baseline that is not complete yet. */
  boolean isSilent() {
    boolean first = plan.reads(FetchKind.SNAPSHOT) || plan.reads(FetchKind.BACKFILL);
    return world.readsBaseline() && first;
  }

  private Version event(SourceRecord record) {
    int key = (int) (KeyKind.number((Struct) record.key()) / SimulatedService.KEY_STEP);
    if (world.readsBaseline() && Things.source(record, "snapshot").equals("true")) {
      throw new Violation("a baseline emits " + record.value());
    }
    Struct after = Things.after(record);
    if (after == null) {
      return deleted(key);
    }
    String content = after.getString("c");
    return Stream.concat(world.service().served().stream(), world.service().servedInPass().stream())
        .filter(version -> version.key() == key && version.content().equals(content))
        .max(Comparator.comparingInt(Version::number))
        .orElseThrow(
            () ->
                new Violation(
                    "phantom: " + after + ", but served was " + world.service().served()));
  }

  private Version deleted(int key) {
    Version before = published.getOrDefault(key, Version.none(key));
    Version gone = gone(key);
    // A list may be older than what the one before it has shown.
    boolean lags = world.setup().lag > 0;
    boolean explained =
        gone.number() > before.number()
            || (world.setup().shifting()
                && world.table().lastShift(world.setup().order) + world.setup().stale
                    >= world.service().listedSince());
    boolean mayComeAgain = world.setup().dropsEvent(key) || world.oracle().hasFailed(key);
    if (!explained && !lags && !mayComeAgain) {
      throw new Violation("deleted a row that never went: " + before);
    }
    return gone;
  }

  /** The deletion of the row; of one that never went, its latest version without a content. */
  private Version gone(int key) {
    Version before = published.getOrDefault(key, Version.none(key));
    Version deletion =
        world.table().deletionAfter(key, before.number(), world.service().passAsOf());
    return deletion == null
        ? new Version(key, before.number(), null, before.modified(), before.visible())
        : deletion;
  }

  /**
   * Every served row must be emitted, unless a newer version was. A reconciliation may leave a row
   * to the next increment.
   */
  private void checkServed(boolean wasFull) {
    if (isSilent()) {
      return;
    }
    List<Version> served = world.service().served();
    Map<Integer, Version> last = new HashMap<>();
    for (Version version : served) {
      last.put(version.key(), version);
    }
    for (Version version : last.values()) {
      Version known = published.get(version.key());
      boolean isSame = known != null && known.sameContent(version);
      boolean isPublished = isSame || (known != null && known.number() > version.number());
      boolean mayWait =
          wasFull || isSuspendedForCeiling() || isFull() || world.service().doubts(version.key());
      if (!isPublished && !mayWait && !world.setup().dropsEvent(version.key())) {
        throw new Violation("missed: " + version + " was served, but last published is " + known);
      }
    }
  }

  /** Whether the digest may have no room for a new row. */
  private boolean isFull() {
    return maxKeys <= world.setup().keys;
  }

  private boolean isSuspendedForCeiling() {
    return wired
        .fetcher()
        .suspension()
        .filter(suspension -> suspension.incident().problem() == Problem.CEILING_REACHED)
        .isPresent();
  }

  Deque<EmittedRecord> queue() {
    return queue;
  }

  /** What the worker has of it and has not acknowledged. */
  PolledRecords polled() {
    return polled;
  }

  /** A record's offset has been committed: whatever its slot was to hold until then is saved. */
  void saved(EmittedRecord sent, Map<Integer, Version> saved) {
    Deque<EmittedRecord> waiting = unsaved.get(sent.partition());
    while (!waiting.isEmpty() && waiting.getFirst().number() <= sent.number()) {
      EmittedRecord each = waiting.remove();
      if (learned.containsKey(each)) {
        learned(each)
            .forEach(
                (key, version) -> {
                  if (savedUntil.merge(key, each.number(), Math::max) == each.number()) {
                    saved.put(key, version);
                  }
                });
      }
      // Slots are committed in any order; the latest version counts.
      if (each.kind() == Kind.EVENT
          && !repeats.contains(each)
          && savedUntil.merge(each.version().key(), each.number(), Math::max) == each.number()) {
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

  /** The number of its latest event; 0 without one. */
  long latestNumber() {
    return latestNumber;
  }

  /** When the latest reconciliation began that was read to its end. */
  long passSince() {
    return passSince;
  }

  /** How many rows it must know to be emitted, and not deleted: a dropped event stores none. */
  long knownRows() {
    return published.values().stream()
        .filter(row -> row.exists() && !world.setup().drops(row))
        .count();
  }

  /** Whether the latest request belongs to a reconciliation. */
  boolean isReconciling() {
    return plan.reads(FetchKind.RECONCILIATION);
  }

  /** When the latest pass of a snapshot ended; before all time when this task made none. */
  long snapshottedSince() {
    return snapshottedSince;
  }

  /** The key may have been written after the offsets that this task began with. */
  boolean unsure(int key) {
    return unsure.contains(key);
  }

  void sure(int key) {
    unsure.remove(key);
  }
}
