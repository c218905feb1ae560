package io.posconnect.fetch;

import io.posconnect.change.Digest.Segments;
import io.posconnect.fetch.Table.Flaw;
import io.posconnect.fetch.Table.Order;
import io.posconnect.fetch.Table.Version;
import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Holds what stays the same throughout one history, but for the way to read; all of it follows from
 * a seed.
 */
final class Setup {

  /** The ways of reading a resource that the law is held to. */
  enum Style {
    FULL(new Full(false)),
    MODIFIED(new ModifiedSince("from")),
    DATE_RANGE(new DateRange("from", "to")),
    PAGES(new Pages("page", "size", 1, 3)),
    CURSOR(new Cursor("key", "size", 3)),
    MODIFIED_PAGES(new ModifiedSince("from", "/pages", new Pages("page", "size", 1, 4))),
    PAGED_INCREMENTS(paged(new Full(false)));

    @SuppressWarnings("ImmutableEnumChecker") // Retrievals are records of texts and numbers.
    private final Retrieval retrieval;

    Style(Retrieval retrieval) {
      this.retrieval = retrieval;
    }

    Retrieval retrieval() {
      return retrieval;
    }

    boolean filtered() {
      return retrieval.filtered();
    }

    boolean shifts() {
      return retrieval.shifting();
    }

    boolean isOfModified() {
      return retrieval.style() == Retrieval.Style.MODIFIED_SINCE;
    }

    private static Retrieval paged(Retrieval full) {
      return new ModifiedSince("from", "", full, new Pages("page", "size", 1, 3));
    }
  }

  /** What a transform drops. */
  enum Dropped {
    NOTHING,
    SOME_KEYS,
    DELETES,
    ALL_EVENTS
  }

  /** What an operator may set otherwise before each start. */
  record Tuning(
      long lookback,
      long reconcileInterval,
      Duration windowMax,
      double deletesMaxRatio,
      Duration deletesConfirm,
      Retrieval retrieval,
      RowErrors rowErrors,
      Duration poll,
      long reconcileWindow,
      Duration checkpoints) {}

  static final long SECOND = 1_000;
  static final long MINUTE = 60 * SECOND;
  static final long HOUR = 60 * MINUTE;
  static final long LOOKBACK = 15 * MINUTE;
  static final long RECONCILE_WINDOW = 6 * HOUR;
  static final long AGE = 30 * HOUR;

  static final int REQUESTS_PER_MINUTE = 600;

  /** The most that a row may take in an event. */
  static final int MOST_BYTES = 2_000;

  static final Resource WHOAMI =
      new Resource(
          "locations",
          "/whoami",
          new Full(true),
          List.of(),
          false,
          Set.of(),
          6_000,
          Duration.ofHours(1),
          Duration.ZERO,
          List.of());

  private static final List<Flaw> FLAWS =
      List.of(
          Flaw.NONE,
          Flaw.UNREADABLE_KEY,
          Flaw.TOO_LARGE,
          Flaw.TWIN,
          Flaw.DAMAGED,
          Flaw.NOT_JSON,
          Flaw.TWIN,
          Flaw.VOLATILE);

  private static final List<Dropped> DROPPED =
      List.of(Dropped.SOME_KEYS, Dropped.SOME_KEYS, Dropped.DELETES, Dropped.ALL_EVENTS);

  private static final List<Duration> POLLS =
      List.of(
          Duration.ofMillis(1),
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(20));

  private static final List<Order> ORDERS =
      List.of(
          Order.NEWEST_FIRST,
          Order.NEWEST_FIRST,
          Order.NEWEST_FIRST,
          Order.OLDEST_FIRST,
          Order.NEWEST_HOUR_FIRST,
          Order.OLDEST_HOUR_FIRST);

  private static final String[] CONTENTS = {"a", "b", "c"};

  /** The way to read, which an operator may change. */
  Style style;

  /** Whether it is exactly once now. */
  boolean exactlyOnce;

  /** Whether an operator changes that now and then. */
  final boolean switches;

  final int keys;
  final Segments segments;

  /**
   * Longest time from a change until it can be seen, and longest age of what a reconciliation is
   * shown.
   */
  final long late;

  final long stale;
  final boolean inclusive;
  final boolean wholeSeconds;
  final Order order;
  final boolean hurried;
  final double faults;
  final boolean dated;
  final Dropped dropped;
  final boolean dropsTombstones;
  final boolean toleratesLosses;
  final boolean zombies;
  final boolean losesSegments;
  final boolean newSnapshots;
  final boolean limitsKeys;
  final boolean operated;
  final boolean flawed;

  /** Whether rows become unreadable and readable again, and hardly anything else happens. */
  final boolean flickers;

  /** Whether each start has another {@link Tuning}. */
  final boolean retunes;

  /** Part of the answers in which one row is damaged on its way. */
  final double damages;

  /** Page from which on a list is refused until all is calm, with which status; 0 for none. */
  final int refusedPage;

  final int refusal;

  /** Whether a page behind the end of the list does not exist. */
  final boolean endsWithNotFound;

  /** Whether a list is empty now and then, and most of its rows vanish or come back at once. */
  final boolean alarms;

  /** Whether stored segments, or the position, are damaged now and then. */
  final boolean damagesOffsets;

  /** The longest window that is configured, sometimes shorter than the lookback. */
  final Duration windowMax;

  /** The most rows of a page, however many were asked for. */
  final int mostOfPage;

  /** How many rows are known by their bytes at most. */
  final int knownRows;

  /** Whether the first read emits nothing. */
  final boolean baseline;

  /** The time between two fetches, and the limit, which may be too low for it. */
  final Duration poll;

  final int requestsPerMinute;

  /** Whether another way to read is configured now and then. */
  final boolean restyles;

  /** How far the service's clock is set at most, forward or back; 0 for never. */
  final long jumps;

  /** Whether rows have odd times of modification: in the future, or long ago. */
  final boolean oddTimes;

  /** How old the answer to any request may be, of a replica that lags; 0 for fresh ones. */
  final long lag;

  /**
   * How old the answers are that a cache gives to some requests: older than any lookback; 0 for
   * none.
   */
  final long cached;

  /** What keys are made of, which an operator may change together with {@code snapshot.id}. */
  KeyKind keyKind;

  /** Whether rows have a field that is not compared, and has another value in every answer. */
  final boolean ignores;

  /** How many rows of the page before a page begins with. */
  final int overlap;

  /** Whether a cursor leads to one more page behind the last row. */
  final boolean emptyPage;

  /** How long the rows of an answer wait for one another at most; 0 where none is slow. */
  final long slow;

  /** Whether a list in pages ends early now and then. */
  final boolean cuts;

  /** Whether an operator also returns to an earlier {@code snapshot.id}. */
  final boolean returnsToSnapshots;

  /** Whether an operator also changes {@code key.fields} with it. */
  final boolean rekeys;

  /** Whether each start skips broken rows, or emits their dead letters. */
  final boolean skips;

  /**
   * Where the events go, with an envelope or without, and with tombstones behind deletes or not.
   */
  final Destination destination;

  private Retrieval retrieval;

  private final long interval;

  // A short interval of reconciliations; 0 for the usual one.
  private final long soon;
  final long seed;
  final long longestWindow;
  final Duration checkpointInterval;

  Setup(long seed, Style style, boolean exactlyOnce) {
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    SplittableRandom mode = new SplittableRandom(~seed);
    baseline = mode.nextInt(5) == 0;
    flickers = !baseline && mode.nextInt(8) == 0;
    retunes = mode.nextInt(8) == 0;
    this.style = style;
    this.exactlyOnce = exactlyOnce;
    keys = random.nextInt(6) == 0 ? 26 : 1 + random.nextInt(8);
    int entries = 1 + random.nextInt(6);
    // The two add up: a late row is missing from a stale list too.
    late = random.nextBoolean() ? 0 : random.nextLong(LOOKBACK - MINUTE);
    stale = random.nextBoolean() ? 0 : random.nextLong(LOOKBACK - MINUTE - late);
    inclusive = random.nextBoolean();
    wholeSeconds = random.nextBoolean();
    boolean newestFirst = random.nextBoolean();
    hurried = random.nextInt(3) == 0 && !flickers;
    faults = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.6;
    dated = random.nextInt(4) != 0;
    boolean drops = random.nextInt(4) == 0 && !baseline;
    dropsTombstones = random.nextInt(6) == 0;
    toleratesLosses = random.nextInt(6) == 0;
    zombies = random.nextInt(4) == 0;
    losesSegments = random.nextInt(6) == 0 && !baseline;
    newSnapshots = random.nextInt(6) == 0;
    limitsKeys = random.nextInt(10) == 0;
    int reconciles = random.nextInt(4);
    interval =
        switch (flickers ? 2 : reconciles) {
          case 0 -> 0;
          case 1 -> 1000 * 24 * HOUR;
          default -> flickers ? 10 * MINUTE : 2 * HOUR;
        };
    longestWindow =
        random.nextBoolean() ? Long.MAX_VALUE : HOUR + 2 * SECOND + random.nextLong(24 * HOUR);
    checkpointInterval = Duration.ofMinutes(random.nextInt(3) * 5L);
    operated = random.nextInt(4) == 0 && !baseline;
    flawed = random.nextInt(3) == 0 || flickers;
    dropped = drops ? DROPPED.get(random.nextInt(DROPPED.size())) : Dropped.NOTHING;
    damages = random.nextInt(3) == 0 ? random.nextDouble() * 0.5 : 0;
    refusedPage = random.nextInt(6) == 0 ? 2 + random.nextInt(2) : 0;
    refusal = List.of(400, 413, 416, 422).get(random.nextInt(4));
    endsWithNotFound = random.nextInt(3) == 0;
    alarms = keys > 20 && random.nextBoolean();
    damagesOffsets = random.nextInt(6) == 0 && !baseline;
    // Without a Date the present is where the local clock says, or later within a window.
    windowMax =
        random.nextInt(3) == 0 && dated
            ? Duration.ofMillis(10 * MINUTE + random.nextLong(2 * HOUR))
            : Duration.ofHours(3);
    // Which of a refused page and a capped one ends a list cannot be seen.
    mostOfPage = refusedPage == 0 && random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 100;
    knownRows = List.of(0, 3, Integer.MAX_VALUE).get(random.nextInt(3));
    boolean pagesTwice = random.nextBoolean() && style == Style.PAGED_INCREMENTS;
    retrieval = pagesTwice ? Style.paged(new Pages("page", "size", 1, 3)) : style.retrieval();
    restyles = mode.nextInt(4) == 0 && operated;
    int odd = mode.nextInt(20);
    boolean paced = odd == 0;
    poll = paced ? POLLS.get(mode.nextInt(POLLS.size())) : Duration.ofMinutes(1);
    requestsPerMinute = paced && mode.nextBoolean() ? 4 + mode.nextInt(40) : REQUESTS_PER_MINUTE;
    soon = paced ? 1 + mode.nextLong(3 * MINUTE) : 0;
    jumps = odd == 1 && dated ? 1 + mode.nextLong(5 * HOUR) : 0;
    oddTimes = odd == 2;
    lag = odd == 3 && !baseline ? 1 + mode.nextLong(LOOKBACK - MINUTE - late) : 0;
    cached = odd == 4 && dated ? HOUR + mode.nextLong(20 * HOUR) : 0;
    keyKind = List.of(KeyKind.values()).get(Math.max(0, mode.nextInt(12) - 7));
    ignores = mode.nextInt(8) == 0;
    int sorted = newestFirst ? mode.nextInt(6) : 0;
    order = newestFirst ? ORDERS.get(sorted) : Order.BY_KEY;
    overlap = mode.nextInt(8) == 0 && lag == 0 ? 1 : 0;
    emptyPage = mode.nextInt(6) == 0;
    cuts = mode.nextInt(6) == 0;
    returnsToSnapshots = mode.nextBoolean();
    rekeys = mode.nextBoolean();
    segments = new Segments(entries, 1, mode.nextBoolean() ? 1 : 100);
    skips = mode.nextInt(6) == 0;
    int form = mode.nextInt(8);
    EventFormat format = form == 0 ? EventFormat.FLAT : EventFormat.ENVELOPE;
    destination = Things.destination(format, form > 1);
    switches = mode.nextInt(8) == 0 && !zombies && !toleratesLosses;
    slow = mode.nextInt(8) == 0 ? 1 + mode.nextLong(LOOKBACK) : 0;
  }

  /** How often the stream is reconciled; 0 for never. */
  long reconcileInterval() {
    return soon > 0 && interval > 0 && interval < 24 * HOUR ? soon : interval;
  }

  /** Has another way to read be configured. */
  void restyle(SplittableRandom random) {
    style = Style.values()[random.nextInt(Style.values().length)];
    retrieval = style.retrieval();
  }

  /** Has keys of something else be configured. */
  void rekey(SplittableRandom random) {
    List<KeyKind> others = new ArrayList<>(List.of(KeyKind.values()));
    others.remove(keyKind);
    keyKind = others.get(random.nextInt(others.size()));
  }

  /**
   * Whether rows may move between the pages of the list, as any process of the history reads it.
   */
  boolean shifting() {
    return retrieval.shifting() || (retunes && (style.isOfModified() || style.shifts()));
  }

  /** Whether no increment may ask for the time of a row. */
  boolean mayMiss() {
    return oddTimes || jumps > 0;
  }

  /**
   * So many increments read the same time at most, as rows may slip between their pages; one more
   * than the plan counts, since by a clock that was corrected the first began before the position.
   */
  int mostReads() {
    return style == Style.PAGED_INCREMENTS ? 5 : 1;
  }

  private Resource resource(Tuning tuning) {
    return new Resource(
        "things",
        "/things",
        tuning.retrieval(),
        keyKind.fields(),
        false,
        ignores ? Set.of(SimulatedService.IGNORED) : Set.of(),
        requestsPerMinute,
        tuning.poll(),
        Duration.ofMillis(tuning.lookback()),
        List.of());
  }

  /** What all is well with at the end of a history. */
  Tuning usual() {
    return usual(skips ? RowErrors.SKIP : RowErrors.DEAD_LETTER);
  }

  private Tuning usual(RowErrors rowErrors) {
    return new Tuning(
        LOOKBACK,
        reconcileInterval(),
        windowMax,
        0.5,
        Duration.ofMinutes(10),
        retrieval,
        rowErrors,
        poll,
        RECONCILE_WINDOW,
        checkpointInterval);
  }

  /** Draws what the next process is started with. */
  Tuning tuning(SplittableRandom random) {
    return retunes
        ? new Tuning(
            LOOKBACK * (1 + random.nextInt(3)),
            reconcilesSoon()
                ? random.nextInt(5) * (10 * MINUTE + random.nextLong(90 * MINUTE))
                : reconcileInterval(),
            // As for the window's maximum.
            dated ? Duration.ofMillis(10 * MINUTE + random.nextLong(4 * HOUR)) : windowMax,
            random.nextBoolean() ? 0.5 : 0.2,
            Duration.ofMinutes(1 + random.nextInt(60)),
            retuned(random),
            rowErrors(random),
            random.nextBoolean() ? poll : POLLS.get(random.nextInt(POLLS.size())),
            random.nextInt(3) * RECONCILE_WINDOW,
            Duration.ofMinutes(random.nextInt(30)))
        : usual(rowErrors(random));
  }

  private RowErrors rowErrors(SplittableRandom random) {
    return skips && random.nextBoolean() ? RowErrors.SKIP : RowErrors.DEAD_LETTER;
  }

  /** Another size of pages; or another way to read the same list in whole, or in pages. */
  private Retrieval retuned(SplittableRandom random) {
    Pages pages = new Pages("page", "size", 1, 2 + random.nextInt(4));
    if (style.isOfModified()) {
      Retrieval full = random.nextBoolean() ? pages : new Full(false);
      Retrieval increment = random.nextInt(3) == 0 ? pages : new Full(false);
      return new ModifiedSince("from", random.nextBoolean() ? "" : "/pages", full, increment);
    }
    return switch (style) {
      case PAGES -> pages;
      case CURSOR -> new Cursor("key", "size", pages.pageSize());
      default -> retrieval;
    };
  }

  StreamSettings settings(int maxKeys, Tuning tuning) {
    return new StreamSettings(
        Things.STREAM,
        resource(tuning),
        new StartFrom.Fixed(Instant.ofEpochMilli(SimulatedTime.START).minusMillis(AGE + SECOND)),
        tuning.windowMax(),
        Duration.ofMillis(tuning.reconcileInterval()),
        Duration.ofMillis(tuning.reconcileWindow()),
        "",
        tuning.deletesMaxRatio(),
        tuning.deletesConfirm(),
        maxKeys,
        tuning.checkpoints(),
        tuning.rowErrors(),
        MOST_BYTES,
        exactlyOnce,
        Duration.ofMinutes(10));
  }

  String content(SplittableRandom random) {
    return CONTENTS[random.nextInt(flickers ? 1 : CONTENTS.length)];
  }

  /** Draws the flaw of a row that is written now. */
  Flaw flaw(SplittableRandom random) {
    if (flickers) {
      return random.nextBoolean() ? Flaw.UNREADABLE_KEY : Flaw.NONE;
    }
    if (!flawed || random.nextInt(3) > 0) {
      return Flaw.NONE;
    }
    Flaw flaw = FLAWS.get(random.nextInt(FLAWS.size()));
    // An increment may not show which of two rows remains.
    boolean resolvesTwins = (!style.filtered() && !restyles) || reconcilesSoon();
    return flaw == Flaw.TWIN && !resolvesTwins ? Flaw.NONE : flaw;
  }

  /** Draws how far the local wall clock is ahead of the service's; half of them are about right. */
  long wall(SplittableRandom random) {
    if (dated) {
      long ahead = random.nextLong(-60 * 24 * HOUR, 60 * 24 * HOUR);
      return ahead < 0 ? ahead : ahead % (20 * MINUTE);
    }
    // Without a Date the connector trusts it, within two minutes.
    return random.nextLong(-30 * MINUTE, 100 * SECOND);
  }

  boolean dropsEvent(int key) {
    return dropped == Dropped.SOME_KEYS ? key % 4 == 3 : dropped != Dropped.NOTHING;
  }

  boolean drops(Version version) {
    return dropsEvent(version.key()) && (dropped != Dropped.DELETES || !version.exists());
  }

  /** Whether a delete has a tombstone of its own behind it. */
  boolean hasTombstones() {
    return destination.format() == EventFormat.ENVELOPE && destination.tombstones();
  }

  boolean reconciliations() {
    return reconcileInterval() > 0;
  }

  /** Returns whether reconciliations happen within a history. */
  boolean reconcilesSoon() {
    return reconciliations() && reconcileInterval() < 24 * HOUR;
  }

  @Override
  public String toString() {
    return History.fields(this);
  }
}
