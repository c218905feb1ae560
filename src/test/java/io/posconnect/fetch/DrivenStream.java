package io.posconnect.fetch;

import io.posconnect.OffsetMap;
import io.posconnect.change.Digest.Segments;
import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.Rows;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.fetch.Wiring.Wired;
import io.posconnect.json.BodyNotes;
import io.posconnect.json.KnownRows;
import io.posconnect.json.Row;
import io.posconnect.metrics.Readings;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.problem.Problem;
import io.posconnect.record.TrackedRecord;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Shape;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.StreamSettings.RowErrors;
import io.posconnect.task.OffsetLoader;
import io.posconnect.task.OffsetLoader.StreamToResume;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Drives one stream whose service is a function and whose clock the test moves. Every record is
 * written, committed and acknowledged at once.
 */
class DrivenStream {

  /** Answers requests for rows. */
  interface Service {
    Answer answer(Request request) throws ApiException;

    /** Answers {@code /whoami} of a store with that name, with a row. */
    default String whoami(String storeName) throws ApiException {
      String named = "{\"lspName\":\"Pos\",\"locationName\":\"" + storeName + "\"}";
      return storeName.isEmpty() ? "{}" : named;
    }

    /** Happens before each row of an answer is read, and before its end. */
    default void rowFollows() {}
  }

  /** Rows as JSON, and what follows them; {@code broken} when the body then breaks off. */
  record Answer(List<String> rows, PageEnd end, boolean broken) {

    static Answer of(List<String> rows) {
      return new Answer(rows, PageEnd.of(rows.size()), false);
    }

    static Answer of(List<String> rows, String nextPageKey) {
      return new Answer(rows, new PageEnd(rows.size(), nextPageKey), false);
    }

    /** Returns whether the request asks for a list from its beginning. */
    static boolean beginsList(Request request) {
      return request.parameter("page", "1").equals("1") && request.parameter("key", "").isEmpty();
    }

    /** As much of the list as was asked for, by number or by key. */
    static Answer page(Request request, List<String> list) {
      String size = request.parameter("size", "");
      if (size.isEmpty()) {
        return of(list);
      }
      int rows = Integer.parseInt(size);
      String key = request.parameter("key", "");
      int number = Integer.parseInt(request.parameter("page", "1"));
      int from = Math.min(list.size(), key.isEmpty() ? (number - 1) * rows : Integer.parseInt(key));
      int to = Math.min(list.size(), from + rows);
      List<String> page = List.copyOf(list.subList(from, to));
      return request.parameter("page", "").isEmpty()
          ? of(page, to < list.size() ? Integer.toString(to) : "")
          : of(page);
    }

    Answer breakingOff() {
      return new Answer(rows, end, true);
    }
  }

  final SimulatedTime time;
  // Each is made when it is read: most are replaced before.
  private final Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
  private final List<String> events = new ArrayList<>();
  private final List<String> deadLetters = new ArrayList<>();
  private final List<Struct> statuses = new ArrayList<>();

  // Every event and checkpoint, in their order.
  private final List<String> timeline = new ArrayList<>();
  private final Retrieval retrieval;
  private final Service service;
  private String path = "/things";
  private String comparison = "";
  private String storeName = "Downtown";
  private Set<String> ignoreFields = Set.of();
  private Set<String> privateFields = Set.of();
  private boolean occurrences;
  private boolean baseline;
  private long eventMaxBytes = 1_000_000;
  private Duration reconcileInterval = Duration.ZERO;
  private Duration reconcileWindow = Duration.ofDays(7);
  private Duration lookback = Duration.ofMinutes(15);
  private Duration pollInterval = Duration.ofMinutes(1);
  private StartFrom startFrom =
      new StartFrom.Fixed(Instant.ofEpochMilli(SimulatedTime.START).minus(Duration.ofDays(3)));
  private int maxKeys = 10_000;
  private double maxRatio = 0.3;
  private RowErrors rowErrors = RowErrors.DEAD_LETTER;
  private Duration confirm = Duration.ofMinutes(10);
  private int requests;
  private int checkpoints;
  private ApiException whoamiFails;
  private Duration datesAhead = Duration.ZERO;
  private Duration checkpointInterval = Duration.ZERO;
  private Wired wired;
  private boolean isHeld;
  private Location location;

  /** Of its process. */
  SharedRateLimits limits = new SharedRateLimits();

  DrivenStream(Retrieval retrieval, Service service) {
    this(retrieval, service, new SimulatedTime(0));
  }

  DrivenStream(Retrieval retrieval, Service service, SimulatedTime time) {
    this.retrieval = retrieval;
    this.service = service;
    this.time = time;
  }

  /** Reads a list as a whole, as it is at each request. */
  static DrivenStream list(Supplier<List<String>> rows) {
    return list(new Full(false), rows);
  }

  /** Reads a list in that way, as it is at each request. */
  static DrivenStream list(Retrieval retrieval, Supplier<List<String>> rows) {
    return new DrivenStream(retrieval, request -> Answer.page(request, rows.get()));
  }

  /** Starts another stream of the same location. */
  DrivenStream neighbour() {
    return neighbour(path);
  }

  /** Starts another stream of the same location, with a path of its own. */
  DrivenStream neighbour(String itsPath) {
    DrivenStream neighbour = new DrivenStream(retrieval, service, time);
    neighbour.path = itsPath;
    neighbour.pollInterval = pollInterval;
    neighbour.location = location;
    return neighbour.start();
  }

  /** Restarts the stream in another process, from the committed offsets. */
  DrivenStream restart() {
    location = null;
    return start();
  }

  /** Compares other fields from the next start on, so that all entries of the digest are stale. */
  DrivenStream comparesAs(String fields) {
    comparison = fields;
    return this;
  }

  DrivenStream polls(Duration interval) {
    pollInterval = interval;
    return this;
  }

  DrivenStream ignores(String field) {
    ignoreFields = Set.of(field);
    return this;
  }

  /** Has private fields, which rows lack or not. */
  DrivenStream hides(String... fields) {
    privateFields = Set.of(fields);
    return this;
  }

  DrivenStream withOccurrences() {
    occurrences = true;
    return this;
  }

  DrivenStream eventsOfAtMost(long bytes) {
    eventMaxBytes = bytes;
    return this;
  }

  /** Emits nothing of the first read. */
  DrivenStream withBaseline() {
    baseline = true;
    return this;
  }

  DrivenStream reconciles(Duration interval) {
    reconcileInterval = interval;
    return this;
  }

  DrivenStream startsFrom(String start) {
    startFrom = StartFrom.of(start);
    return this;
  }

  DrivenStream maxKeys(int keys) {
    maxKeys = keys;
    return this;
  }

  DrivenStream rowErrors(RowErrors reaction) {
    rowErrors = reaction;
    return this;
  }

  /** Sets {@code checkpoint.interval.ms}. */
  DrivenStream checkpointsAtMostEvery(Duration interval) {
    checkpointInterval = interval;
    return this;
  }

  /** Answers {@code /whoami} from now on, as at first. */
  void whoamiAnswers() {
    whoamiFails = null;
  }

  /** Fails {@code /whoami} from now on. */
  void whoamiFails(ApiException e) {
    whoamiFails = e;
  }

  /** Gives the location that name from now on; {@code Downtown} at first. */
  void storeIsNamed(String name) {
    storeName = name;
  }

  /** Replaces the location's key. */
  void newKey() {
    location.identity().replaceKey(() -> {});
  }

  /** Dates responses so far ahead of the truth from now on; negative: behind. */
  void datesAhead(Duration wrong) {
    datesAhead = wrong;
  }

  static String row(int id, String content) {
    return "{\"id\":" + id + ",\"c\":\"" + content + "\"}";
  }

  /** Rows with these ids, the last excluded. */
  static List<String> rows(int from, int to) {
    return IntStream.range(from, to).mapToObj(id -> row(id, "a")).toList();
  }

  /** Starts the stream, or restarts it from the committed offsets. */
  DrivenStream start() {
    StreamSettings settings = settings();
    if (location == null) {
      location = newLocation(new Answers());
    }
    DigestScope scope =
        new DigestScope(
            "pos.things",
            Things.contract(settings.resource()).keyLayout(),
            comparison,
            "things",
            "");
    wired =
        Wiring.wire(
            settings,
            new StreamToResume(
                Things.STREAM, "", settings.exactlyOnce(), scope, settings.beginning(), baseline),
            new OffsetLoader(
                new OffsetMap(committed()),
                () -> Instant.ofEpochMilli(time.milliseconds()),
                Segments.DEFAULT,
                new SplittableRandom(1)),
            location,
            Things.DESTINATION,
            time);
    return this;
  }

  /** The location of a new process. */
  Location newLocation(ApiClient client) {
    RetryPolicy retries = new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5));
    LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);
    int most = Setup.REQUESTS_PER_MINUTE;
    return new SimulatedLocation(client, time, most, retries, identity, limits, () -> 0);
  }

  /** Starts this stream again in the process of another one of its location. */
  DrivenStream startBeside(DrivenStream other) {
    location = other.location;
    return start();
  }

  /** The committed position; empty before the first checkpoint. */
  Optional<StreamOffset> position() {
    Map<String, ?> offset = offsets.get(StreamPartition.position(Things.STREAM).toMap());
    return StreamOffset.fromMap(Things.STREAM, offset == null ? null : new HashMap<>(offset));
  }

  private Map<Map<String, ?>, Map<String, Object>> committed() {
    Map<Map<String, ?>, Map<String, Object>> committed = new HashMap<>();
    offsets.forEach((partition, offset) -> committed.put(partition, new HashMap<>(offset)));
    return committed;
  }

  /** Returns settings for a test of deletes. */
  static StreamSettings settings(Retrieval retrieval, double maxRatio, Duration confirm) {
    DrivenStream stream = list(retrieval, List::of);
    stream.maxRatio = maxRatio;
    stream.confirm = confirm;
    return stream.settings();
  }

  StreamSettings settings() {
    Resource resource =
        new Resource(
            "things",
            path,
            retrieval,
            List.of("id"),
            occurrences,
            ignoreFields,
            600,
            pollInterval,
            lookback,
            List.of());
    return new StreamSettings(
        Things.STREAM,
        resource,
        startFrom,
        Duration.ofDays(365),
        reconcileInterval,
        reconcileWindow,
        "",
        maxRatio,
        confirm,
        maxKeys,
        checkpointInterval,
        rowErrors,
        eventMaxBytes,
        true,
        Duration.ofMinutes(10));
  }

  /** Makes that many requests for rows; time passes as the stream requires. */
  DrivenStream requests(int count) {
    int wanted = requests + count;
    for (int turn = 0; requests < wanted; turn++) {
      if (turn > 20 * count + 100) {
        throw new AssertionError("makes no request: " + suspended());
      }
      step();
    }
    return this;
  }

  /** Runs until that much time has passed. */
  DrivenStream passes(Duration passing) {
    long end = time.nanoseconds() + passing.toNanos();
    while (time.nanoseconds() - end < 0) {
      step();
    }
    return this;
  }

  /** Runs until that many more fetches are complete, or that many requests are made. */
  DrivenStream fetches(int count, int most) {
    int wanted = checkpoints + count;
    int limit = requests + most;
    while (checkpoints < wanted && requests < limit) {
      step();
    }
    return this;
  }

  /** Runs this stream and a neighbour, each when it is due, until that much time has passed. */
  void passes(Duration passing, DrivenStream neighbour) {
    long end = time.nanoseconds() + passing.toNanos();
    while (time.nanoseconds() - end < 0) {
      long now = time.nanoseconds();
      sleepUntil(Math.min(workIfDue(now), neighbour.workIfDue(now)));
    }
  }

  /** Makes the next step if it is due, as the scheduler does; returns when the next one is due. */
  long workIfDue(long now) {
    long due = dueNanos(now);
    return due - now <= 0 ? work() : due;
  }

  /** Returns when the next step is due. */
  long dueNanos(long now) {
    return wired.fetcher().isDue(now) ? now : wired.fetcher().dueNanos();
  }

  private void step() {
    sleepUntil(work());
  }

  void sleepUntil(long due) {
    long wait = due - time.nanoseconds();
    if (wait > 0) {
      time.sleep(TimeUnit.NANOSECONDS.toMillis(wait) + 1);
    }
  }

  /** Makes the next step; returns when the one after it is due. */
  long work() {
    try {
      wired.fetcher().step();
      if (!isHeld) {
        take();
      }
      return wired.fetcher().dueNanos();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }

  /** Leaves records unwritten, until {@link #write}. */
  void hold() {
    isHeld = true;
  }

  void write() {
    isHeld = false;
    take();
  }

  private void take() {
    for (List<SourceRecord> batch = wired.drained(); !batch.isEmpty(); batch = wired.drained()) {
      commit(batch);
    }
  }

  private void commit(List<SourceRecord> batch) {
    for (SourceRecord sent : batch) {
      note(sent);
      offsets.put(sent.sourcePartition(), sent.sourceOffset());
      ((TrackedRecord) sent).acknowledged(true);
    }
  }

  /** Commits so many of the records of a step that a stop has ended; the others are lost. */
  void stop(int most) {
    isHeld = false;
    commit(most == 0 ? List.of() : wired.drained(most));
  }

  /** Notes a record that was written. */
  void note(SourceRecord sent) {
    switch (sent.topic()) {
      case "pos.things" -> {
        if (sent.value() != null) {
          Struct value = (Struct) sent.value();
          Struct after = value.getStruct("after");
          events.add(
              value.getString("op")
                  + ((Struct) sent.key()).getInt64("id")
                  + (after == null ? "" : after.getString("c")));
          timeline.add(events.get(events.size() - 1));
        }
      }
      case "pos.dead-letters" -> deadLetters.add(String.valueOf(sent.value()));
      case "pos.checkpoints" -> {
        checkpoints++;
        timeline.add("checkpoint");
      }
      case "pos.status" -> statuses.add((Struct) sent.value());
      default -> throw new AssertionError("a record for " + sent.topic());
    }
  }

  /** Operation, key and content of every event so far, such as {@code u7b}. */
  List<String> events() {
    return events;
  }

  List<String> deadLetters() {
    return deadLetters;
  }

  /** Returns every event so far, and {@code checkpoint} for each checkpoint, in their order. */
  List<String> timeline() {
    return timeline;
  }

  /** Loses what is stored in a slot of the digest; an error if there is nothing. */
  DrivenStream loses(int slot) {
    if (offsets.remove(StreamPartition.slot(Things.STREAM, slot).toMap()) == null) {
      throw new AssertionError("nothing is stored in slot " + slot);
    }
    return this;
  }

  /** Returns how many segments of the digest were begun so far, as far as they are stored. */
  long segments() {
    return committed().entrySet().stream()
        .filter(each -> !StreamPartition.parse(each.getKey()).isPosition())
        .mapToLong(each -> sequence(StreamPartition.parse(each.getKey()), each.getValue()))
        .max()
        .orElse(0);
  }

  private static long sequence(StreamPartition slot, Map<String, Object> offset) {
    try {
      return DigestCodec.decode(slot, offset).stored().header().sequence();
    } catch (DigestCodec.DamagedException e) {
      throw new AssertionError("a stored segment is damaged", e);
    }
  }

  /** Returns the types of the status events so far. */
  List<String> statuses() {
    return statuses.stream().map(status -> status.getString("type")).toList();
  }

  /** Returns each suspension and resumption so far, as the type of its status. */
  List<String> turns() {
    return statuses().stream().filter(List.of("SUSPENDED", "RESUMED")::contains).toList();
  }

  Struct latestStatus() {
    return statuses.get(statuses.size() - 1);
  }

  /** Returns the value of a metric since the start. */
  long metric(String name) {
    return Readings.number(wired.metrics(), name);
  }

  /** Returns the number of checkpoints so far. */
  int checkpoints() {
    return checkpoints;
  }

  /** Returns the number of requests for rows. */
  int requests() {
    return requests;
  }

  Optional<Suspension> suspended() {
    return wired.fetcher().suspension();
  }

  private final class Response extends EmptyRows {
    private final Answer answer;
    private final Iterator<String> rows;

    // The next row, once it was looked at.
    private final Deque<String> seen = new ArrayDeque<>();
    private final Set<String> unmetPaths = new HashSet<>(privateFields);
    private long replaced;

    Response(Answer answer) {
      this.answer = answer;
      rows = answer.rows().iterator();
    }

    @Override
    public Optional<Row> next() throws ApiException {
      if (hasNext()) {
        Row row = RowText.cached(seen.remove());
        replaced += row.isDamaged() ? 1 : 0;
        if (!unmetPaths.isEmpty()) {
          unmetPaths.removeAll(row.names().list());
        }
        return Optional.of(row);
      }
      if (answer.broken()) {
        throw new ApiException.Malformed(Problem.BODY_MALFORMED, "GET", "the body breaks off");
      }
      return Optional.empty();
    }

    @Override
    public boolean skip(KnownRows known) {
      int expected = known.expected();
      if (!hasNext() || !unmetPaths.isEmpty()) {
        return false;
      }
      byte[] bytes = seen.element().getBytes(StandardCharsets.ISO_8859_1);
      boolean passes =
          (expected == bytes.length && known.passes(bytes, 0, expected))
              || known.passes(bytes, 0, bytes.length);
      if (passes) {
        seen.remove();
      }
      return passes;
    }

    private boolean hasNext() {
      if (seen.isEmpty()) {
        service.rowFollows();
        if (rows.hasNext()) {
          seen.add(rows.next());
        }
      }
      return !seen.isEmpty();
    }

    @Override
    public BodyNotes notes() {
      return new BodyNotes(0, replaced, unmetPaths, Set.of());
    }

    @Override
    public PageEnd end() {
      return answer.end();
    }

    @Override
    public Optional<Instant> date() {
      return Optional.of(Instant.ofEpochMilli(time.server() / 1000 * 1000).plus(datesAhead));
    }
  }

  /** The service: rows and {@code /whoami}. */
  private final class Answers implements ApiClient {
    @Override
    public Rows open(String resource, Request request, Shape shape, Runnable onRedirect)
        throws ApiException {
      if (request.path().equals(Setup.WHOAMI.path())) {
        if (whoamiFails != null) {
          throw whoamiFails;
        }
        return new Response(Answer.of(List.of(service.whoami(storeName))));
      }
      requests++;
      return new Response(service.answer(request));
    }

    @Override
    public void close() {
      // Nothing is open between two steps.
    }
  }
}
