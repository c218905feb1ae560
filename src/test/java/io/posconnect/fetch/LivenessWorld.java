package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.client.ClientClosedException;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.fetch.LivenessStream.Trouble;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Setup.Style;
import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Joins the parts of the law of liveness: the service's rows, its faults, and its streams. */
final class LivenessWorld implements History.Life {

  /** A row of the service. */
  static final class Item {
    private final int id;
    private final int place;
    private final long created;
    private String content;
    private long modified;
    private boolean unreadable;
    private boolean broke;

    // Whether reads of its time may have shown it otherwise.
    private boolean touched;

    /**
     * @param place by which the rows of one key are ordered
     */
    Item(int id, String content, long created, int place) {
      this.id = id;
      this.place = place;
      this.content = content;
      this.created = created;
      this.modified = created;
    }

    int id() {
      return id;
    }

    String content() {
      return content;
    }

    private String text() {
      String key = unreadable ? "\"" + id + "\"" : Integer.toString(id);
      return "{\"id\":" + key + ",\"c\":\"" + content + "\"}";
    }

    @Override
    public String toString() {
      return text();
    }
  }

  /** What changes at the service at that monotonic time. */
  private record Happening(long nanos, Runnable change) {}

  private static final int NONE = -1;
  private static final int ANOTHER_STORE = 11;
  private static final int CONVINCING = 3;

  // Moments of answers after which a process is stopped, and records that are committed then.
  private static final int MOST_MOMENTS = 120;
  private static final int MOST_COMMITTED = 30;

  // Part of the rows that a renamed store keeps, by which it can be recognized.
  private static final double KEPT = 0.7;

  // The ids of another store's rows begin here.
  private static final int STRANGERS = 1_000_000;

  private final LivenessSetup setup;
  private final List<String> trace;
  private final SimulatedTime time = new SimulatedTime(0);
  private final List<Item> items = new ArrayList<>();
  private static final long ASKED_AGAIN = 100 * Setup.SECOND;

  private final List<Item> junk = new ArrayList<>();
  private final Set<Integer> gone = new HashSet<>();
  private final Set<Integer> kept = new HashSet<>();
  private final List<LivenessStream> streams = new ArrayList<>();
  private SplittableRandom random;
  private int nextId;
  private int nextPlace;
  private int mostItems;
  private long shifted = Long.MIN_VALUE;
  private String name = "Downtown";

  // Keys are numbered: those up to one are refused, or open another store.
  private int configuredKey;
  private int refusedKeys = NONE;
  private int strangeKeys = NONE;
  private Trouble ofLocation;

  // How the location fails to say who it is, while its rows are read.
  private Trouble ofIdentity;
  private final SplittableRandom mutes;

  // Since when.
  private long ofLocationNanos;
  private long refusedNanos;
  private SharedRateLimits limits = new SharedRateLimits();

  // What happens while requests may be answered, at its time.
  private final Deque<Happening> happenings = new ArrayDeque<>();
  private int happened;
  private boolean wasThrottled;

  // When a request was answered with 429: its stream may wait for a minute.
  private long throttled;

  // What happens next while the location is asked who it is.
  private Runnable amidWhoami;
  private boolean isStormy;
  private boolean isSure;

  // Of streams whose answers cross, and until when they go on.
  private final Baton baton = new Baton(this::goOn);
  private long endNanos;

  // At which moments of an answer others go on, and which one comes first.
  private SplittableRandom crossing;

  // After how many rows and requests the process is stopped.
  private final SplittableRandom stops;
  private int momentsUntilStop = NONE;

  private boolean readable = true;
  private int spells = 1;

  // Of the process: true dates, and a wrong one that is to come.
  private int dates;
  private long datedAt;
  private long wrongDate;

  LivenessWorld(LivenessSetup setup, long seed, List<String> trace) {
    this.setup = setup;
    this.trace = trace;
    random = new SplittableRandom(seed);
    crossing = new SplittableRandom(~seed);
    stops = new SplittableRandom(~(seed ^ LivenessSetup.STOPS));
    mutes = new SplittableRandom(~(seed ^ LivenessSetup.MUTES));
    insert(setup.rows, 10 * setup.period);
    for (int i = 0; i < setup.streams; i++) {
      streams.add(new LivenessStream(this, i));
    }
    try {
      begin();
      advance(periods(1, 12));
    } catch (RuntimeException e) {
      end();
      throw e;
    }
  }

  private void begin() {
    dates = 0;
    limits = new SharedRateLimits();
    streams.get(0).restart();
    for (int i = 1; i < streams.size(); i++) {
      if (setup.isElsewhere(i)) {
        streams.get(i).restart();
      } else {
        streams.get(i).joins(streams.get(0));
      }
    }
    streams.forEach(LivenessStream::restarted);
  }

  @Override
  public void end() {
    streams.forEach(LivenessStream::end);
  }

  // What happens to the service.

  /** One step of a history: something changes, and then nothing for a while. */
  @Override
  public void step(SplittableRandom choices) {
    random = choices;
    crossing = setup.two ? choices.split() : crossing;
    endTroubles();
    if (setup.stops) {
      momentsUntilStop = stops.nextInt(MOST_MOMENTS);
    }
    int usual = random.nextInt(13);
    int choice = setup.stormy && crossing.nextInt(6) == 0 ? ANOTHER_STORE : usual;
    long span = periods(1, 14);
    switch (choice) {
      case 0 -> insert(1 + random.nextInt(items.size() + 1), 1);
      case 1, 2 -> rush();
      case 3 -> lie();
      case 4, 10 -> breakRows();
      case 5 -> {
        beSure();
        if (setup.stormy) {
          amidWhoami = this::rename;
          span = Math.max(span, ASKED_AGAIN);
        } else {
          rename();
        }
      }
      case 6 -> restart();
      case 7, 8 -> span = Math.max(span, trouble());
      case 9 -> misdate();
      case ANOTHER_STORE -> span = Math.max(span, openAnotherStore());
      default -> change(1 + random.nextInt(3));
    }
    if (setup.twins && random.nextBoolean()) {
      twin();
    }
    if (setup.limited && setup.style == Style.DATE_RANGE) {
      junk();
      insert(setup.fills ? random.nextInt(setup.rows) : 0, 1);
      span *= setup.fills ? 1 + random.nextInt(3) : 3;
    }
    if (setup.stormy && crossing.nextBoolean()) {
      storm(span);
    }
    if (setup.jumps > 0 && random.nextBoolean()) {
      happensAfter(random.nextLong(span), this::setClock);
    }
    if (setup.mutes && mutes.nextBoolean()) {
      mute(span);
    }
    advance(span);
    isStormy = false;
    amidWhoami = null;
  }

  private long periods(int least, int most) {
    return (long) ((least + random.nextDouble() * (most - least)) * setup.period);
  }

  private void change(int rows) {
    for (int i = 0; i < rows; i++) {
      double one = 1.0 / Math.max(1, items.size());
      switch (random.nextInt(4)) {
        case 0 -> remove(one);
        case 1, 2 -> edit(2 * one);
        default -> insert(1, 1);
      }
    }
  }

  private void insert(int rows, long age) {
    int most = Math.min(rows, room());
    for (int i = 0; i < most; i++) {
      int id = setup.occurrences ? nextId++ % Math.max(1, setup.rows * 2 / 3) : nextId++;
      boolean isLate = setup.fills && random.nextInt(3) == 0;
      long oldest =
          isLate
              ? Math.min(setup.window / 2, time.server() - SimulatedTime.START) + 15 * setup.period
              : age;
      Item item = new Item(id, content(), time.server() - random.nextLong(oldest), nextPlace++);
      item.touched = isLate;
      items.add(item);
    }
    mostItems = Math.max(mostItems, items.size());
    shifted = time.server();
    trace(() -> "up to " + rows + " new rows: " + items.size());
  }

  /** How many rows may come. A date range forgets no key that it may still find. */
  private int room() {
    if (!setup.limited) {
      return Integer.MAX_VALUE;
    }
    int most = setup.fills ? 2 * setup.maxKeys : setup.maxKeys - 2;
    return setup.deletes() ? setup.maxKeys + 5 - items.size() : most - nextPlace;
  }

  private String content() {
    return Character.toString('a' + random.nextInt(12));
  }

  /** Changes about that part of the rows; returns them. */
  private List<Item> edit(double part) {
    List<Item> edited = new ArrayList<>();
    for (Item item : items) {
      if (random.nextDouble() < part && !kept.contains(item.id)) {
        String before = item.content;
        while (item.content.equals(before)) {
          item.content = content();
        }
        item.modified = time.server();
        item.touched = true;
        edited.add(item);
        shifted = setup.newestFirst ? time.server() : shifted;
      }
    }
    trace(() -> "edits " + edited);
    return edited;
  }

  private void remove(double part) {
    removeAll(items.stream().filter(item -> random.nextDouble() < part).toList());
  }

  private void removeAll(List<Item> removed) {
    List<Item> allowed = removed.stream().filter(item -> !kept.contains(item.id)).toList();
    allowed.forEach(item -> gone.add(item.id));
    items.removeAll(allowed);
    shifted = allowed.isEmpty() ? shifted : time.server();
    trace(() -> "removes " + allowed);
  }

  /** Many rows change and go just before a reconciliation, and some of the former afterwards. */
  private void rush() {
    if (!setup.rushes) {
      change(2);
      return;
    }
    long last =
        streams
            .get(0)
            .position()
            .map(StreamOffset::lastReconciliation)
            .filter(at -> at.isAfter(Instant.EPOCH))
            .map(Instant::toEpochMilli)
            .orElse(time.server());
    long left = last + setup.interval - time.server();
    advance(Math.min(left - periods(0, 3), setup.interval));
    List<Item> edited = random.nextInt(4) == 0 ? List.of() : edit(random.nextDouble() * 0.6);
    List<Item> others = new ArrayList<>(items);
    others.removeAll(edited);
    double part = random.nextDouble();
    removeAll(others.stream().filter(item -> random.nextDouble() < part).toList());
    advance(periods(1, 4) + setup.pass(items.size()));
    if (random.nextBoolean()) {
      removeAll(edited);
    }
  }

  private void lie() {
    if (setup.lies) {
      streams.get(0).lieNext(1 + random.nextInt(2), random.nextInt(3) == 0, random.nextLong());
    } else {
      change(1);
    }
  }

  /** Another row has the key of one, and was modified now or with it. */
  private void twin() {
    if (!items.isEmpty()) {
      Item item = items.get(random.nextInt(items.size()));
      long at = random.nextBoolean() ? time.server() : item.modified;
      items.add(new Item(item.id, content(), at, nextPlace++));
      mostItems = Math.max(mostItems, items.size());
      shifted = time.server();
      trace(() -> "a twin of " + item + ": " + items.get(items.size() - 1));
    }
  }

  /** Ids arrive as text for a while, of some rows or of all. */
  private void breakRows() {
    if (!setup.unreadable) {
      change(1);
      return;
    }
    spells++;
    double part = random.nextInt(4) == 0 ? 1 : random.nextDouble();
    for (Item item : items) {
      item.unreadable = random.nextDouble() < part;
      item.broke |= item.unreadable;
      item.touched |= item.unreadable;
    }
    readable = false;
    trace(() -> "rows cannot be read: " + items);
    advance(random.nextInt(3) == 0 ? periods(1, 4) : setup.confirm + periods(1, 20));
    int ends = random.nextInt(4);
    if (ends < 2 && setup.lies) {
      streams.get(0).lieNext(1, false, 1);
      advance((setup.filtered() ? setup.interval : 2 * setup.poll) + 2 * setup.pass(items.size()));
    }
    if (ends % 2 == 0) {
      mend();
    }
  }

  private void mend() {
    items.forEach(item -> item.unreadable = false);
    readable = true;
  }

  /**
   * The location is asked once a minute who it is: what was read before the last time is its own,
   * after another store's rows once a pass has shown it. A stream that is suspended does not ask.
   */
  private void beSure() {
    ofIdentity = null;
    advance(ASKED_AGAIN + setup.longestAge() + setup.pass(items.size()));
    isSure = streams.stream().allMatch(stream -> stream.suspended().isEmpty());
  }

  private void rename() {
    // With most of its rows gone or changed at once, a store is another one until a person acts.
    if (!setup.renames
        || !isSure
        || !kept.isEmpty()
        || streams.stream().anyMatch(this::isOutdated)) {
      change(1);
      return;
    }
    items.stream()
        .filter(item -> random.nextDouble() < KEPT || kept.isEmpty())
        .forEach(item -> kept.add(item.id));
    items.stream()
        .filter(item -> 2 * kept.size() < items.size())
        .forEach(item -> kept.add(item.id));
    name = "Uptown";
    trace(() -> "the store is renamed; it keeps " + kept);
  }

  /** Returns whether a third of what the topic shows, or of the rows, is not the same in both. */
  private boolean isOutdated(LivenessStream stream) {
    long alike = items.stream().filter(item -> !item.unreadable && stream.shows(item)).count();
    return 3 * alike <= 2L * Math.max(stream.keys(), items.size());
  }

  /** A new process begins after a time without any. */
  private void restart() {
    boolean renames = random.nextBoolean();
    if (renames) {
      beSure();
    }
    long down = random.nextBoolean() ? 0 : periods(0, 20);
    if (streams.stream().anyMatch(LivenessStream::waits)) {
      streams.forEach(stream -> stream.stop(stops.nextInt(MOST_COMMITTED)));
    }
    time.sleep(down);
    if (random.nextBoolean()) {
      change(random.nextInt(5));
    }
    if (renames) {
      rename();
      insert(random.nextInt(1 + 2 * items.size()), 1 + down);
    }
    setup.retune(random);
    trace(() -> "a new process after " + down + ": " + setup);
    begin();
  }

  /** Requests fail until somebody acts; returns how long at least. */
  private long trouble() {
    if (!setup.troubles) {
      change(1);
      return 0;
    }
    Trouble trouble = List.of(Trouble.values()).get(random.nextInt(3));
    int place = random.nextInt(4);
    long least = 8 * setup.firstProbe();
    if (setup.two && random.nextBoolean()) {
      planTroubles(random.nextInt(2), least);
    } else {
      begin(trouble, place);
    }
    return least;
  }

  private void begin(Trouble trouble, int place) {
    if (place == 0) {
      ofLocationNanos = ofLocation == trouble ? ofLocationNanos : time.nanoseconds();
      ofLocation = trouble;
    } else {
      streams.get(streams.size() - 1).meet(trouble, place == 1);
    }
    trace(() -> trouble + " at " + place);
  }

  /** Has troubles end and others begin at times that no stream knows. */
  private void planTroubles(int place, long within) {
    becomeStormy();
    List<Trouble> troubles = List.of(Trouble.values());
    for (int i = 1 + crossing.nextInt(5); i > 0; i--) {
      int drawn = crossing.nextInt(troubles.size() + 2);
      long after = crossing.nextLong(within);
      if (drawn < 3) {
        happensAfter(after, () -> begin(troubles.get(drawn), place));
      } else if (drawn == 3 && setup.throttles && !wasThrottled) {
        wasThrottled = true;
        happensAfter(after, this::throttle);
      } else if (drawn == 4 && place == 0 && crossing.nextBoolean()) {
        happensAfter(after, this::replaceKey);
      } else {
        happensAfter(after, () -> begin(null, place));
      }
    }
  }

  private void becomeStormy() {
    isStormy = true;
    // What lies must not come later than it knows.
    streams.get(0).lieNext(0, false, 0);
  }

  private void throttle() {
    streams.get(crossing.nextInt(streams.size())).meet(Trouble.THROTTLED, false);
  }

  /** Has several things happen at any time of an answer, whatever else the step does. */
  private void storm(long within) {
    becomeStormy();
    boolean isStrange = strangeKeys == configuredKey || amidWhoami != null;
    for (int i = crossing.nextInt(5); i > 0; i--) {
      int drawn = crossing.nextInt(10);
      Trouble trouble = List.of(Trouble.values()).get(crossing.nextInt(3));
      int place = crossing.nextInt(4);
      Runnable change =
          switch (drawn) {
            case 0, 1 -> () -> begin(trouble, place);
            case 2, 3 -> () -> begin(null, place);
            case 4 -> this::replaceKey;
            case 5 -> this::throttleOnce;
            case 6, 7 -> () -> change(isStrange ? 0 : 3);
            default -> () -> begin(trouble, 0);
          };
      if (drawn > 7 && amidWhoami == null) {
        amidWhoami = change;
      } else {
        happensAfter(crossing.nextLong(within), change);
      }
    }
  }

  private void throttleOnce() {
    if (setup.throttles && !wasThrottled) {
      wasThrottled = true;
      throttle();
    }
  }

  /** Sets the worker's wall clock. */
  private void setClock() {
    long ahead = random.nextInt(3) == 0 ? 0 : random.nextLong(-setup.jumps, setup.jumps);
    trace(() -> "the worker's clock is " + ahead + " ahead");
    time.setWall(ahead);
  }

  /** Has the location not say who it is for a while. */
  private void mute(long span) {
    Trouble trouble = mutes.nextBoolean() ? Trouble.FAILING : Trouble.FORBIDDEN;
    long begins = mutes.nextLong(span);
    happensAfter(begins, () -> ofIdentity = trouble);
    happensAfter(begins + mutes.nextLong(3 * span), () -> ofIdentity = null);
  }

  private void happensAfter(long millis, Runnable change) {
    happenings.add(
        new Happening(time.nanoseconds() + TimeUnit.MILLISECONDS.toNanos(millis), change));
  }

  /** Has the service refuse the key before, and the configuration hold another one. */
  private void replaceKey() {
    refusedKeys = configuredKey;
    refusedNanos = time.nanoseconds();
    configuredKey++;
    trace(() -> "another key: " + configuredKey);
  }

  /** The key opens another store for a while; returns how long at least. */
  private long openAnotherStore() {
    if (!setup.strangers || isUnprotected()) {
      change(1);
      return 0;
    }
    beSure();
    long least = 8 * setup.firstProbe();
    if (setup.stormy) {
      amidWhoami = () -> moveKey(least);
      return least + ASKED_AGAIN + setup.longestAge();
    }
    moveKey(least);
    return least;
  }

  /** Where there is no key there is nothing to protect. */
  private boolean isUnprotected() {
    return streams.stream().anyMatch(stream -> stream.keys() == 0);
  }

  private void moveKey(long within) {
    if (isUnprotected()) { // since it was planned
      return;
    }
    strangeKeys = configuredKey;
    trace(() -> "the key opens another store");
    if (setup.two && crossing.nextBoolean()) {
      // At times an answer of the other store arrives behind it, and that one is opened again soon.
      long until = crossing.nextLong(crossing.nextBoolean() ? setup.slot() : within);
      happensAfter(until, () -> configuredKey++);
      if (until < within && crossing.nextBoolean()) {
        happensAfter(until + crossing.nextLong(within - until), () -> moveKey(within));
      }
    }
  }

  private void returnToStore() {
    if (strangeKeys == configuredKey) {
      configuredKey++;
    }
    streams.forEach(LivenessStream::newKey);
  }

  private boolean isElsewhere(int key) {
    return key <= strangeKeys;
  }

  private void endTroubles() {
    returnToStore();
    if (random.nextBoolean()) {
      ofLocation = null;
      streams.forEach(stream -> stream.meet(null, false));
    }
  }

  /** One wrong date, where the process can detect it. */
  private void misdate() {
    boolean detects = dates > CONVINCING && datedAt > time.server() - 50 * Setup.MINUTE;
    if (setup.misdates && detects) {
      boolean behind = random.nextBoolean();
      long off = 31 * Setup.MINUTE + random.nextLong(10 * 24 * Setup.HOUR);
      wrongDate = behind ? -off : off;
      trace(() -> "a wrong date: " + wrongDate);
    }
  }

  /** Rows that never become events, each another one. */
  private void junk() {
    long reached = time.server() - setup.window - setup.interval;
    // What a stream has not read comes at once, and more than a digest holds is not to be read.
    long recent =
        junk.stream()
            .filter(
                item -> item.created > reached || !streams.stream().allMatch(s -> hasRead(s, item)))
            .count();
    for (long i = recent; i < setup.maxKeys / 2; i++) {
      Item item = new Item(nextId++, "junk", time.server(), 0);
      item.unreadable = true;
      junk.add(item);
    }
    trace(() -> "junk up to " + junk.size());
  }

  private static boolean hasRead(DrivenStream stream, Item item) {
    return stream.position().stream()
        .anyMatch(position -> !position.watermark().isBefore(Instant.ofEpochMilli(item.created)));
  }

  // Time.

  /** Lets time pass in which nothing changes at the service. */
  private void advance(long millis) {
    if (millis <= 0) {
      return;
    }
    streams.forEach(LivenessStream::spanBegins);
    happened = 0;
    boolean mustGoOn = isOnlyOtherInTrouble() && momentsUntilStop < 0;
    run(millis);
    streams.get(0).spanEnds(mustGoOn ? millis : 0, happened);
    streams.stream().skip(1).forEach(stream -> stream.spanEnds(0, happened));
    trace(() -> "it is " + time.server());
  }

  private boolean isOnlyOtherInTrouble() {
    return setup.two
        && streams.get(streams.size() - 1).isInTrouble()
        && !isStormy
        && amidWhoami == null
        && ofLocation == null
        && happenings.isEmpty()
        && !isElsewhere(streams.get(0).key())
        && !setup.limited
        && time.server() - throttled > Setup.MINUTE
        && streams.get(0).suspended().isEmpty();
  }

  /** Lets time pass; of a step that waits for its answer, while others go on. */
  void run(long millis) {
    long end = time.nanoseconds() + TimeUnit.MILLISECONDS.toNanos(millis);
    Optional<LivenessStream> waiting = streams.stream().filter(LivenessStream::runs).findAny();
    if (waiting.isPresent()) {
      waiting.get().awaits(end);
      return;
    }
    endNanos = end;
    if (setup.two) {
      baton.run();
    } else {
      goOn();
    }
  }

  private void goOn() {
    while (time.nanoseconds() - endNanos < 0) {
      try {
        takeTurns();
      } catch (ClientClosedException e) {
        stop();
      }
    }
  }

  /** A process was stopped amid its answers; another one goes on where it has committed. */
  private void stop() {
    streams.forEach(stream -> stream.stop(stops.nextInt(MOST_COMMITTED)));
    trace(() -> "stopped amid an answer at " + time.server());
    happened++;
    wrongDate = 0;
    begin();
  }

  /** A moment at which the process may be stopped. */
  private void passMoment() {
    if (momentsUntilStop >= 0 && momentsUntilStop-- == 0) {
      throw new ClientClosedException("GET");
    }
  }

  private void takeTurns() {
    while (time.nanoseconds() - endNanos < 0) {
      long next = Math.min(endNanos, letHappen());
      int first = crossing.nextInt(streams.size());
      for (int i = 0; i < streams.size(); i++) {
        LivenessStream stream = streams.get((first + i) % streams.size());
        long due = stream.workIfDue(time.nanoseconds());
        next = due - next < 0 ? due : next;
      }
      streams.get(0).sleepUntil(next);
    }
  }

  /** Lets time pass for a step that waits; returns false as soon as another stream has its turn. */
  boolean passesUntil(long nanos, LivenessStream waiting) {
    if (setup.two && nanos - endNanos > 0) {
      return false;
    }
    for (long now = time.nanoseconds(); now - nanos < 0; now = time.nanoseconds()) {
      long next = Math.min(nanos, letHappen());
      for (LivenessStream stream : streams) {
        long due = stream == waiting ? next : stream.dueNanos(now);
        if (due - now <= 0) {
          return false;
        }
        next = Math.min(next, due);
      }
      waiting.sleepUntil(next);
    }
    return true;
  }

  /** Lets happen what is due; returns when something else is. */
  private long letHappen() {
    long now = time.nanoseconds();
    List<Happening> due = happenings.stream().filter(each -> each.nanos - now <= 0).toList();
    happenings.removeAll(due);
    due.forEach(each -> each.change.run());
    happened += due.size();
    return happenings.stream().mapToLong(Happening::nanos).min().orElse(Long.MAX_VALUE);
  }

  /** Ends all faults: within the bound everything must be as it should, and then stay so. */
  @Override
  public void settle() {
    trace(() -> "all is calm at " + time.server());
    happenings.clear();
    amidWhoami = null;
    momentsUntilStop = NONE;
    ofLocation = null;
    ofIdentity = null;
    returnToStore();
    streams.forEach(stream -> stream.meet(null, false));
    streams.get(0).lieNext(0, false, 0);
    mend();
    makeRoom();
    if (setup.twins && random.nextBoolean()) {
      Set<Integer> ids = new HashSet<>();
      removeAll(items.stream().filter(item -> !ids.add(item.id)).toList());
    }
    wrongDate = 0;
    Instant calm = Instant.ofEpochMilli(time.server());
    long bound = setup.bound(mostItems);
    long end = time.server() + bound;
    while (complaint(calm) != null && time.server() < end) {
      run(setup.period);
    }
    if (complaint(calm) != null) {
      throw new Violation("not within " + bound + " ms: " + complaint(calm));
    }
    beQuiet();
  }

  private void makeRoom() {
    if (setup.limited && (setup.deletes() || setup.fills)) {
      List<Item> surplus = new ArrayList<>(items);
      surplus.removeIf(item -> kept.contains(item.id) || (setup.fills && isBeyondReads(item)));
      Collections.shuffle(surplus, new Random(1));
      int most = setup.maxKeys - (setup.fills ? 0 : 1);
      removeAll(surplus.subList(0, Math.max(0, surplus.size() - most)));
    }
  }

  private void beQuiet() {
    long quiet = setup.quiet(mostItems);
    run(quiet);
    int before = streams.stream().mapToInt(LivenessStream::news).sum();
    run(quiet);
    int after = streams.stream().mapToInt(LivenessStream::news).sum();
    if (after > before) {
      throw new Violation("not quiet after calm: " + (after - before) + " more");
    }
  }

  private String complaint(Instant calm) {
    for (LivenessStream stream : streams) {
      String complaint = stream.complaint(calm);
      if (complaint != null) {
        return "stream " + streams.indexOf(stream) + ": " + complaint;
      }
    }
    return null;
  }

  // The service.

  /** The service as the streams of a location see it. */
  DrivenStream.Service service(int location) {
    return new DrivenStream.Service() {
      @Override
      public String whoami(String storeName) throws ApiException {
        return LivenessWorld.this.whoami(streams.get(location).key());
      }

      @Override
      public Answer answer(Request request) throws ApiException {
        int number = request.path().charAt(request.path().length() - 1) - '0';
        return LivenessWorld.this.answer(streams.get(number == 0 ? location : number), request);
      }

      @Override
      public void rowFollows() {
        passMoment();
        streams.stream().filter(LivenessStream::runs).forEach(LivenessStream::rowFollows);
      }
    };
  }

  private String whoami(int key) throws ApiException {
    if (amidWhoami != null) {
      happensAfter(crossing.nextLong(setup.whoami + 1), amidWhoami);
      amidWhoami = null;
    }
    // What it says is decided at any moment on the way.
    long way = runPart(setup.whoami);
    Trouble trouble = ofIdentity == null ? troubleOf(key) : ofIdentity;
    String answers = isElsewhere(key) ? "Elsewhere" : name;
    run(setup.whoami - way);
    passMoment();
    date();
    if (trouble != null) {
      throw failure(trouble);
    }
    trace(() -> "  " + time.server() + " the location answers " + answers);
    return "{\"lspName\":\"Pos\",\"locationName\":\"" + answers + "\"}";
  }

  /** Lets a part of that time pass; returns how much. */
  private long runPart(long millis) {
    long part = crossing.nextLong(millis + 1);
    run(part);
    return part;
  }

  /** How a request with that key fails while the whole location is in trouble; or null. */
  private Trouble troubleOf(int key) {
    return key <= refusedKeys ? Trouble.KEY_REFUSED : ofLocation;
  }

  private ApiException failure(Trouble trouble) {
    return switch (trouble) {
      case KEY_REFUSED -> new Refused(Problem.KEY_REFUSED, "GET", "401", 401);
      case FORBIDDEN -> new Refused(Problem.PERMISSION_MISSING, "GET", "403", 403);
      case FAILING -> new Unavailable(Problem.SERVICE_FAILED, "GET", "503");
      case THROTTLED -> throttled();
    };
  }

  /** A 429, at times with a pause or with the limit. */
  private ApiException throttled() {
    throttled = time.server();
    boolean isLong = crossing.nextInt(4) == 0;
    Duration pause = isLong ? Duration.ofDays(1) : Duration.ofMillis(periods(0, 3));
    int stated = setup.limit - crossing.nextInt(setup.limit / 2 + 1);
    return new Throttled(
        "GET",
        crossing.nextBoolean() ? pause : null,
        crossing.nextBoolean() ? OptionalInt.of(stated) : OptionalInt.empty());
  }

  private Answer answer(LivenessStream stream, Request request) throws ApiException {
    boolean list = request.parameter("from", "").isEmpty();
    int key = stream.key();
    boolean isSlow = isStormy && crossing.nextInt(4) == 0;
    long most = isSlow ? 3 * setup.slot() : setup.answer;
    long left = crossing.nextBoolean() ? most : crossing.nextLong(most + 1);
    // Its status, its rows and where they stop for a while are decided at moments of their own.
    left -= runPart(left);
    passMoment();
    Trouble ofStream = stream.requested(list);
    Trouble trouble = ofStream == null ? troubleOf(key) : ofStream;
    if (trouble != null) {
      runPart(left);
      throw failure(trouble);
    }
    boolean isElsewhere = isElsewhere(key);
    left -= runPart(left);
    if (list && Answer.beginsList(request)) {
      stream.passBegins(isElsewhere);
    }
    List<Item> rows = select(request, isElsewhere ? strangers() : items, stream.passes());
    rows = list ? stream.shown(rows) : rows;
    Answer answer = Answer.page(request, rows.stream().map(Item::text).toList());
    if (list && answer.rows().size() < setup.pageSize && answer.end().nextPageKey().isEmpty()) {
      stream.listEnds(isElsewhere);
    }
    stream.restComes(crossing.nextInt(answer.rows().size() + 1), left);
    date();
    trace(
        () ->
            "  %d stream %d reads %s: %d rows"
                .formatted(time.server(), streams.indexOf(stream), request, answer.rows().size()));
    return answer;
  }

  private void date() {
    streams.get(0).datesAhead(Duration.ofMillis(wrongDate));
    if (wrongDate == 0) {
      dates++;
      datedAt = time.server();
    }
    wrongDate = 0;
  }

  private List<Item> select(Request request, List<Item> all, long order) {
    boolean byDate = setup.style == Style.DATE_RANGE;
    long from = bound(request, "from", Long.MIN_VALUE);
    long to = bound(request, "to", Long.MAX_VALUE);
    List<Item> rows = new ArrayList<>();
    for (Item item : all) {
      long at = byDate ? item.created : item.modified;
      if (at >= from && at <= to) {
        rows.add(item);
      }
    }
    for (Item item : junk) {
      if (item.created >= from && item.created <= to) {
        rows.add(item);
      }
    }
    if (setup.newestFirst) {
      rows.sort(
          Comparator.comparingLong((Item item) -> byDate ? item.created : item.modified)
              .reversed());
    }
    if (setup.occurrences) {
      // In the same order on every page of a pass.
      rows.sort(
          Comparator.comparingLong(
              item -> new SplittableRandom(order * 1_000_003 + item.place).nextLong()));
    }
    return rows;
  }

  private List<Item> strangers() {
    return items.stream()
        .map(item -> new Item(STRANGERS + item.id, item.content, item.created, item.place))
        .toList();
  }

  private static long bound(Request request, String name, long none) {
    String value = request.parameter(name, "");
    return value.isEmpty() ? none : Instant.parse(value).toEpochMilli();
  }

  // For the streams.

  Baton baton() {
    return baton;
  }

  /**
   * Whether the location has refused that key all the time since then, and so long before that no
   * answer was on its way which accepts it.
   */
  boolean hasRefused(int key, long sinceNanos) {
    long before = sinceNanos - TimeUnit.MILLISECONDS.toNanos(setup.whoami);
    boolean isRefused = key <= refusedKeys && refusedNanos - before <= 0;
    boolean isOfLocation = ofLocation == Trouble.KEY_REFUSED && ofLocationNanos - before <= 0;
    return isRefused || isOfLocation;
  }

  LivenessSetup setup() {
    return setup;
  }

  SimulatedTime time() {
    return time;
  }

  /** What streams of the same process share, whatever their locations. */
  SharedRateLimits limits() {
    return limits;
  }

  /** The key that the configuration holds. */
  int configuredKey() {
    return configuredKey;
  }

  List<Item> items() {
    return items;
  }

  /** Whether every row can be read now. */
  boolean readable() {
    return readable;
  }

  /** How often rows may have become unreadable. */
  int spells() {
    return spells;
  }

  /**
   * Whether rows of the key were there all the time.
   *
   * @param since rows that shifted between pages since then may have hidden it
   */
  boolean neverWent(int id, long since) {
    boolean mayHide = setup.retrieval(0).shifting() && shifted >= since;
    return !gone.contains(id) && !mayHide;
  }

  /** How many rows have that key. */
  long count(int id) {
    return items.stream().filter(item -> item.id == id).count();
  }

  /** Whether a date range need not be right about the row: it is too old for a reconciliation. */
  boolean isOutOfReach(Item item) {
    return !setup.deletes() && item.touched && item.created < time.server() - setup.reach();
  }

  /** Whether the digest may evict the key of the row. */
  boolean isEvictable(int id) {
    return setup.fills
        && items.stream()
            .filter(item -> item.id == id)
            .noneMatch(item -> !item.broke && item.created >= time.server() - setup.reach());
  }

  /** Whether no stream reads the row again. */
  private boolean isBeyondReads(Item item) {
    long reach = time.server() - setup.reach();
    for (LivenessStream stream : streams) {
      reach =
          Math.min(
              reach,
              stream
                  .position()
                  .filter(StreamOffset::snapshotted)
                  .map(position -> position.watermark().toEpochMilli() - setup.lookback)
                  .orElse(0L));
    }
    return item.created < reach - 5 * Setup.SECOND;
  }

  void trace(Supplier<String> what) {
    if (trace != null) {
      trace.add(what.get());
    }
  }
}
