package io.posconnect.fetch;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ClientClosedException;
import io.posconnect.fetch.Baton.Turn;
import io.posconnect.fetch.LivenessWorld.Item;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Incident;
import io.posconnect.resource.StreamSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** One stream of the law of liveness: what its topic shows, and how the service treats it. */
final class LivenessStream extends DrivenStream {

  /** How requests of a stream fail, for as long as nobody acts. */
  enum Trouble {
    KEY_REFUSED,
    FORBIDDEN,
    FAILING,
    /** Once only. */
    THROTTLED
  }

  // Fewer keys than that may vanish at once.
  private static final int ENOUGH_TO_LIE = 26;

  // Dates are cut to seconds.
  private static final long MOST_WRONG = 2_000;

  // Within one step nothing changes at the service: so many statuses of a kind are no flapping.
  private static final int MOST_STATUSES = 3;

  private final LivenessWorld world;
  private final LivenessSetup setup;
  private final int number;
  private final Map<Object, Item> topic = new HashMap<>();
  private final Map<String, Integer> rejected = new HashMap<>();
  private SimulatedLocation location;
  private final Turn turn;
  private boolean runs;
  private long wakesNanos;
  private long restMillis;
  private int rowsUntilRest = -1;
  private boolean held;
  private int refusedKey = -1;
  private long suspendedNanos;
  private int resumptions;
  private int resumptionsBefore;
  private int requestsBefore;
  private int sent;
  private int news;
  private Trouble trouble;
  private boolean listsOnly;

  // Lists that lack rows.
  private int liesLeft;
  private boolean halves;
  private boolean lies;
  private boolean liedLast;
  private boolean toldTruth = true;
  private long lieSeed;
  private long firstLie;
  private long passes;
  private long pass;
  private long previousPass;

  LivenessStream(LivenessWorld world, int number) {
    super(world.setup().retrieval(number), world.service(number), world.time());
    this.world = world;
    this.setup = world.setup();
    this.number = number;
    turn = world.baton().new Turn();
  }

  @Override
  StreamSettings settings() {
    return setup.settings(number);
  }

  @Override
  Location newLocation(ApiClient client) {
    location =
        new SimulatedLocation(
            client,
            time,
            setup.limit,
            setup.retries(),
            new LocationIdentity(Setup.WHOAMI),
            world.limits(),
            world::configuredKey);
    return location;
  }

  /** The key that its requests carry now. */
  int key() {
    return location.keyInUse();
  }

  /** Has the key of the configuration be used, as if another stream had looked for it. */
  @Override
  void newKey() {
    location.renewCredentials(time.nanoseconds());
  }

  /** Begins in the process of that stream, as one of its location. */
  void joins(LivenessStream other) {
    location = other.location;
    startBeside(other);
  }

  @Override
  long work() {
    runs = true;
    try {
      return super.work();
    } catch (ClientClosedException e) {
      turn.closed();
      throw e;
    } finally {
      runs = false;
    }
  }

  @Override
  long workIfDue(long now) {
    if (turn.waits() && wakesNanos - now <= 0) {
      throw turn.goOn();
    }
    return turn.waits() ? wakesNanos : super.workIfDue(now);
  }

  @Override
  long dueNanos(long now) {
    return turn.waits() ? wakesNanos : super.dueNanos(now);
  }

  /** Whether its step runs now. */
  boolean runs() {
    return runs;
  }

  /** Whether it waits for an answer, and others go on. */
  boolean waits() {
    return turn.waits();
  }

  /** Waits for an answer until then, while others go on. */
  void awaits(long untilNanos) {
    if (!world.passesUntil(untilNanos, this)) {
      wakesNanos = untilNanos;
      runs = false;
      turn.await();
      runs = true;
    }
  }

  /** Has the rest of its answer come in so many milliseconds, behind that many rows. */
  void restComes(int rows, long millis) {
    rowsUntilRest = rows;
    restMillis = millis;
  }

  /** A row of its answer follows, or the end. */
  void rowFollows() {
    if (rowsUntilRest >= 0 && rowsUntilRest-- == 0) {
      world.run(restMillis);
    }
  }

  @Override
  void stop(int most) {
    end();
    super.stop(most);
  }

  /** Ends a step that waits. */
  void end() {
    turn.end();
    rowsUntilRest = -1;
  }

  // What the service does.

  void meet(Trouble begins, boolean onlyLists) {
    trouble = begins;
    listsOnly = onlyLists;
    liesLeft = begins == null ? liesLeft : 0;
  }

  boolean isInTrouble() {
    return trouble != null;
  }

  /** Has the next lists lack all rows, or half of them. */
  void lieNext(int times, boolean half, long seed) {
    liesLeft = times;
    halves = half;
    lieSeed = seed;
  }

  /** Counts a request; returns how it fails while the stream is in trouble, or null. */
  Trouble requested(boolean list) {
    sent++;
    Trouble met = trouble;
    trouble = met == Trouble.THROTTLED ? null : met;
    return list || !listsOnly ? met : null;
  }

  /**
   * Begins to show a list. It lies only where the ratio must see it, and again only at once or
   * after a whole list, so that it never looks like rows that are really gone.
   */
  void passBegins(boolean isElsewhere) {
    passes++;
    previousPass = pass;
    pass = time.server();
    lies = liesLeft > 0 && !isElsewhere && mayLie();
    liesLeft = lies ? liesLeft - 1 : liedLast ? 0 : liesLeft;
    firstLie = lies && !liedLast ? time.server() : firstLie;
    toldTruth &= !lies;
    if (lies) {
      world.trace(() -> "a list lacks " + (halves ? "half" : "all") + " of its rows");
    }
    // Another store's list is no whole one of this store.
    liedLast = lies || (liedLast && isElsewhere);
  }

  /** How many lists it has begun to show. */
  long passes() {
    return passes;
  }

  /** What a list shows of these rows. */
  List<Item> shown(List<Item> list) {
    if (!lies) {
      return list;
    }
    if (!halves) {
      return List.of();
    }
    List<Item> drawn = new ArrayList<>(list);
    drawn.sort(
        Comparator.comparingLong(item -> new SplittableRandom(lieSeed + item.id()).nextLong()));
    Set<Item> kept = new HashSet<>(drawn.subList(0, drawn.size() / 2));
    return list.stream().filter(kept::contains).toList();
  }

  private boolean mayLie() {
    boolean isSeen =
        topic.size() >= ENOUGH_TO_LIE
            && (!halves || (10 * topic.size() >= 8 * world.items().size() && world.readable()));
    long confirmed = firstLie + setup.confirm - 2 * setup.pass(topic.size());
    return isSeen && (liedLast ? time.server() < confirmed : toldTruth);
  }

  /** The last page of a list was shown. */
  void listEnds(boolean isElsewhere) {
    toldTruth |= !lies && !isElsewhere;
  }

  // What the topics show.

  @Override
  void note(SourceRecord sent) {
    switch (sent.topic()) {
      case "pos.things" -> {
        if (sent.value() != null) {
          event(sent);
        }
      }
      case "pos.dead-letters" -> deadLetter(((Struct) sent.value()).getString("row_json"));
      case "pos.status" -> status((Struct) sent.value());
      default -> {
        // A checkpoint is read as a position.
      }
    }
  }

  private void event(SourceRecord sent) {
    news++;
    Struct value = (Struct) sent.value();
    int id = (int) (long) ((Struct) sent.key()).getInt64("id");
    world.trace(() -> "  stream " + number + " emits " + value.getString("op") + " " + sent.key());
    if (!value.getString("op").equals("d")) {
      String content = value.getStruct("after").getString("c");
      Item before = topic.put(sent.key(), new Item(id, content, 0, 0));
      boolean repeats = before != null && before.content().equals(content);
      if (setup.exactlyOnce && repeats && !world.isEvictable(id)) {
        throw new Violation("emitted twice: " + sent.key() + " " + content);
      }
      return;
    }
    topic.remove(sent.key());
    long shown = topic.values().stream().filter(item -> item.id() == id).count();
    if (world.neverWent(id, previousPass) && shown < world.count(id)) {
      throw new Violation("deleted a row that never went: " + id);
    }
  }

  private void deadLetter(String row) {
    news++;
    world.trace(() -> "  stream " + number + " rejects " + row);
    int times = rejected.merge(row, 1, Integer::sum);
    if (setup.deletes() && !setup.twins && times > world.spells()) {
      throw new Violation("a dead letter " + times + " times: " + row);
    }
  }

  private void status(Struct status) {
    String type = status.getString("type");
    world.trace(
        () ->
            "  stream %d: %s %s"
                .formatted(
                    number,
                    type,
                    suspended().map(Suspension::incident).map(Incident::code).orElse("")));
    // Which comes late for several rows together.
    news += type.equals("ROWS_REJECTED") ? 0 : 1;
    switch (type) {
      case "RESUMED" -> {
        resumptions++;
        if (refusedKey == key() && world.hasRefused(refusedKey, suspendedNanos)) {
          throw new Violation("stream " + number + " resumes with a key that is refused");
        }
      }
      case "SUSPENDED" -> {
        boolean isRefused = status.getString("additional_data").contains("POS-201");
        refusedKey = isRefused ? key() : -1;
        suspendedNanos = time.nanoseconds();
      }
      case "DELETES_HELD" -> held = true;
      case "DELETES_RELEASED" -> held = false;
      default -> {
        // Nothing that must end.
      }
    }
  }

  /** Begins a span in which nothing changes at the service. */
  void spanBegins() {
    resumptionsBefore = resumptions;
    requestsBefore = sent;
  }

  /**
   * Ends it.
   *
   * @param millis how long it was; 0 when the stream had a fault of its own
   * @param happened how often something did change
   */
  void spanEnds(long millis, int happened) {
    // A stream with two faults reports whichever it meets, at most once a probe.
    int flaps = resumptions - resumptionsBefore;
    if (flaps > MOST_STATUSES + happened) {
      throw new Violation("stream " + number + " flaps: resumed " + flaps + " times");
    }
    long expected = millis * 6 / 10 / Math.max(setup.poll, setup.slot()) - 4;
    if (sent - requestsBefore < expected) {
      throw new Violation(
          "stream %d is read %d times instead of %d, for another's fault"
              .formatted(number, sent - requestsBefore, expected));
    }
  }

  int news() {
    return news;
  }

  /** Returns whether the topic shows the row as it is. */
  boolean shows(Item item) {
    return topic.values().stream()
        .anyMatch(each -> each.id() == item.id() && each.content().equals(item.content()));
  }

  int keys() {
    return topic.size();
  }

  /** Begins again in a new process; what was held is forgotten. */
  void restarted() {
    held = false;
    liedLast = false;
    refusedKey = -1;
  }

  /** What is not as it must be since that time; null when everything is. */
  String complaint(Instant calm) {
    if (suspended().isPresent()) {
      return "suspended: " + suspended().get().incident();
    }
    StreamOffset position = position().orElse(null);
    if (position == null || !position.watermark().isAfter(calm)) {
      return "the position stands still: " + position;
    }
    if (setup.interval > 0 && !position.lastReconciliation().isAfter(calm)) {
      return "no reconciliation since " + position.lastReconciliation();
    }
    for (String metric : List.of("deletes-pending", "deletes-uncertain", "suspended")) {
      if (metric(metric) != 0) {
        return metric + " is " + metric(metric);
      }
    }
    long lag = time.server() - metric("watermark-epoch-ms");
    if (Math.abs(metric("watermark-lag-ms") - lag) > MOST_WRONG) {
      return "the lag is " + lag + " and not " + metric("watermark-lag-ms");
    }
    String difference = difference();
    return difference != null ? difference : held ? "deletes are held" : null;
  }

  private String difference() {
    Map<Integer, List<String>> shown = contents(List.copyOf(topic.values()));
    Map<Integer, List<String>> rows = contents(world.items());
    for (Item item : world.items()) {
      // Of twins any one.
      boolean right =
          setup.twins
              ? world.items().stream().anyMatch(each -> each.id() == item.id() && shows(each))
              : rows.get(item.id()).equals(shown.get(item.id()));
      if (!right && !world.isOutOfReach(item)) {
        return "the topic shows " + shown.get(item.id()) + " of " + item;
      }
    }
    if (setup.deletes()) {
      shown.keySet().removeAll(rows.keySet());
      return shown.isEmpty() ? null : "no delete of " + shown.keySet();
    }
    return null;
  }

  private static Map<Integer, List<String>> contents(List<Item> items) {
    Map<Integer, List<String>> contents = new TreeMap<>();
    for (Item item : items) {
      contents.computeIfAbsent(item.id(), id -> new ArrayList<>()).add(item.content());
    }
    contents.values().forEach(each -> each.sort(String::compareTo));
    return contents;
  }
}
