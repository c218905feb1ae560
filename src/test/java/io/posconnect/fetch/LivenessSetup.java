package io.posconnect.fetch;

import io.posconnect.client.RetryPolicy;
import io.posconnect.fetch.Setup.Style;
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
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Holds what stays the same throughout one history of the law of liveness. Other times are
 * multiples of {@link #period}, so that a history of any period takes about as many requests.
 */
final class LivenessSetup {

  static final double MAX_RATIO = 0.3;
  static final long STOPS = 0x51AB169D;
  static final long MUTES = 0x6B3F9A11;
  private static final long FILLS = 0x2E81D5C7;

  private static final long MOST_JUMP = 5 * Setup.HOUR;
  private static final long SHORTEST_PERIOD = 250;
  private static final long LONGEST_FIRST_PROBE = 30_000;

  // Dates are cut to seconds, and a window's seam is one.
  private static final long SLACK = 5_000;

  final Style style;

  /** Whether another stream of the location is read beside. */
  final boolean two;

  /** Whether that stream is one of another location, which has the same key, limit and path. */
  final boolean apart;

  /** How many streams are read: two, or another one beside that has a path of its own. */
  final int streams;

  /** Whether answers of several streams are often on their way at once, and much happens then. */
  final boolean stormy;

  final long poll;
  final int limit;

  /** How long an answer takes, in milliseconds; all other times as well. */
  final long answer;

  /** How long the location takes to say who it is. */
  final long whoami;

  /** The usual time between two requests. */
  final long period;

  long lookback;
  long interval;
  final long window;
  long confirm;
  final long longestProbe;
  long checkpoints;
  final int rows;
  int pageSize;
  final boolean newestFirst;
  final boolean exactlyOnce;

  /** Whether several rows have one key, and lie in another order in each pass. */
  final boolean occurrences;

  /** Whether {@code digest.max.keys} is about the number of rows. */
  final boolean limited;

  /** Whether more keys of a date range come than that, at times too late for an increment. */
  final boolean fills;

  final boolean lies;
  final boolean unreadable;
  final boolean renames;
  final boolean troubles;
  final boolean misdates;
  final boolean rushes;
  final int maxKeys;

  /** Whether the key opens another store for a while. */
  final boolean strangers;

  /** How far the worker's clock is set at most, forward or back; 0 for never. */
  final long jumps;

  /** Whether a request is answered with 429 once. */
  final boolean throttles;

  /** Whether each process has other times, and another size of pages. */
  final boolean retunes;

  /** The longest window of a date range; at times a few requests take as long. */
  final long windowMax;

  /** Whether processes are stopped while they read an answer. */
  final boolean stops;

  /** Whether other rows have the key of some, with any content. */
  final boolean twins;

  /** Whether the location at times does not say who it is, though its rows are read. */
  final boolean mutes;

  LivenessSetup(long seed, Style style, boolean two) {
    SplittableRandom random = new SplittableRandom(seed);
    this.style = style;
    this.two = two;
    stormy = two && random.nextInt(3) == 0;
    streams = stormy && random.nextInt(3) == 0 ? 3 : two ? 2 : 1;
    // Close to one another, so that many answers cross.
    poll = logarithmic(random, 1, stormy ? 20_000 : 300_000);
    limit = (int) logarithmic(random, stormy ? 10 : 1, 600);
    apart = two && random.nextInt(4) == 0;
    throttles = two && random.nextInt(4) == 0;
    // Other streams wait up to five seconds for one that asks.
    boolean isLong = stormy && random.nextBoolean();
    boolean asks = stormy || (two && random.nextBoolean());
    whoami = asks ? logarithmic(random, isLong ? 5_000 : 10, 20_000) : 0;
    boolean atOnce = !stormy && random.nextInt(3) == 0;
    // Not many answers for each of the location, or a history would take too long.
    long least = stormy ? Math.max(10, whoami / 4) : 10;
    answer = atOnce ? 0 : logarithmic(random, least, stormy ? 60_000 : 120_000);
    period = Math.max(SHORTEST_PERIOD, Math.max(poll, spacing() + answer));
    limited = random.nextInt(4) == 0;
    boolean forgets = limited && style == Style.DATE_RANGE;
    SplittableRandom fill = new SplittableRandom(seed ^ FILLS);
    fills = forgets && fill.nextBoolean();
    lookback = 2_000 + periods(random, 0, forgets ? 2 : 6);
    boolean rarely = !forgets && random.nextInt(10) == 0;
    long usual = 1_000 + periods(random, rarely ? 20 : 3, rarely ? 80 : forgets ? 6 : 20);
    SplittableRandom mode = new SplittableRandom(~seed);
    // Shorter than a request takes, so that a reconciliation is always due.
    interval = mode.nextInt(6) == 0 && !forgets ? 1 + mode.nextLong(period) : usual;
    if (fills && fill.nextInt(3) == 0) {
      interval = 0;
      lookback += periods(fill, 2, 30);
    }
    confirm = periods(random, 1, 12);
    longestProbe = periods(random, 1, 8);
    checkpoints = random.nextBoolean() ? 0 : periods(random, 0, 4);
    boolean few = random.nextInt(3) == 0 || forgets;
    rows = few ? 3 + random.nextInt(12) : 24 + random.nextInt(20);
    pageSize = 8 + random.nextInt(30);
    newestFirst = random.nextBoolean();
    exactlyOnce = random.nextBoolean();
    occurrences = style == Style.CURSOR && random.nextBoolean();
    lies = random.nextBoolean();
    // Which of the rows of a key cannot be read, nobody can tell.
    unreadable = random.nextBoolean() && !occurrences;
    // Room is made by removing rows, and by its rows a store is recognized.
    // A comparison looks at the first row of each key: with many rows a key it proves little.
    renames = random.nextInt(3) == 0 && !limited && !occurrences;
    troubles = random.nextInt(3) == 0;
    misdates = random.nextInt(4) == 0;
    rushes = random.nextInt(3) == 0;
    int room = random.nextInt(4);
    maxKeys = limited ? rows + room + (forgets && !fills ? 8 : 0) : 10_000;
    window =
        (fills ? fill.nextBoolean() : limited || random.nextBoolean())
            ? interval + lookback + periods(random, 2, 8)
            : 200 * period;
    // A date range compares its last day only, in which the other store may have no rows.
    strangers = deletes() && random.nextInt(stormy ? 2 : 4) == 0;
    // What a date range forgets, and finds, follows from its times.
    retunes = mode.nextInt(4) == 0 && !forgets;
    stops = new SplittableRandom(seed ^ STOPS).nextInt(4) == 0;
    mutes = new SplittableRandom(seed ^ MUTES).nextInt(4) == 0;
    // Beside a wrong clock of the worker no wrong date can be told.
    jumps = mode.nextInt(4) == 0 && !misdates ? logarithmic(mode, 1_000, MOST_JUMP) : 0;
    boolean isShort =
        style == Style.DATE_RANGE
            && (fills ? fill.nextBoolean() : mode.nextInt(3) == 0 && !forgets);
    windowMax =
        isShort
            ? Math.max(Setup.MINUTE, Math.max(4 * slot() + 2 * Setup.SECOND, window / 8))
            : Duration.ofDays(30).toMillis();
    // By its rows a store is recognized. Of a date range, time alone decides which of two remains.
    boolean recognizes = renames || strangers;
    twins = mode.nextInt(4) == 0 && deletes() && !occurrences && !recognizes;
  }

  /** Draws what the next process is started with. */
  void retune(SplittableRandom random) {
    if (retunes) {
      lookback = 2_000 + periods(random, 0, 6);
      interval = 1_000 + periods(random, 3, 20);
      confirm = periods(random, 1, 12);
      pageSize = 8 + random.nextInt(30);
      checkpoints = periods(random, 0, 4);
    }
  }

  private static long logarithmic(SplittableRandom random, long least, long most) {
    return Math.round(least * Math.exp(random.nextDouble() * Math.log((double) most / least)));
  }

  private long periods(SplittableRandom random, int least, int most) {
    return (long) ((least + random.nextDouble() * (most - least)) * period);
  }

  private long spacing() {
    return 60_050L / limit + 1;
  }

  /** The same where others have their turn, and after a 429. */
  private long turn() {
    return (apart ? 2 * spacing() + 600 : spacing()) * (throttles ? 2 : 1);
  }

  boolean filtered() {
    return style.filtered();
  }

  /** Whether a key that is gone gets a delete. */
  boolean deletes() {
    return style != Style.DATE_RANGE;
  }

  /** How far the latest read of a date range reaches back. */
  long reach() {
    return interval == 0 ? lookback : window;
  }

  /** How long a request takes at most, with its wait. */
  long slot() {
    // Another stream may be answered a little later.
    return turn() + (two ? 2 : 1) * answer + 2 * whoami + 150;
  }

  /**
   * How long the location's answer may count, or a failure to answer, beside a minute; then it is
   * asked again.
   */
  long longestAge() {
    return 21 * whoami + (mutes ? 21 * whoami + longestBackoff().toMillis() : 0);
  }

  /** How long a full read takes at most, with the increments between its pages. */
  long pass(int shown) {
    int pages = retrieval(0).shifting() || style == Style.MODIFIED_PAGES ? shown / pageSize + 2 : 1;
    // Before each window of a reconciliation come those of an increment; they overlap a little, and
    // end a few minutes ahead.
    long most = windowMax - Setup.SECOND;
    long windows = 1 + (window + 5 * Setup.MINUTE) / most;
    long ofIncrement = 1 + (lookback + poll + 5 * Setup.MINUTE) / most;
    pages = windows > 1 ? (int) (windows * ofIncrement) : pages;
    return 2L * (pages + 1) * slot() + poll;
  }

  long firstProbe() {
    return Math.min(LONGEST_FIRST_PROBE, longestProbe);
  }

  /**
   * When everything must have ended, from the end of all faults on: pauses; a reconciliation; a
   * wait that begins anew when another one ends; and the passes that belong to them.
   */
  long bound(int shown) {
    long pauses = 2 * longestProbe + (mutes ? 2 : 1) * longestBackoff().toMillis() + checkpoints;
    // After a limit is stated nothing is asked for a minute.
    pauses += throttles ? Setup.MINUTE : 0;
    long cycle = filtered() ? interval + lookback : 2 * poll;
    return pauses + 2 * cycle + 3 * confirm + 8 * pass(shown) + 45 * whoami + SLACK;
  }

  /** After so long without a change nothing more may be emitted, in as much time. */
  long quiet(int shown) {
    long cycle = filtered() ? interval : poll;
    // Which of two rows of a key is told takes up to four lists, the first a lookback later.
    return (twins ? 5 * cycle + lookback : cycle) + 3 * pass(shown);
  }

  private Duration longestBackoff() {
    return Duration.ofMillis(2_000 + 2 * period);
  }

  RetryPolicy retries() {
    return new RetryPolicy(Duration.ofMillis(Math.min(1_000, period)), longestBackoff());
  }

  /** The path of a stream; another one for each of a location, as each has its own limit. */
  String path(int stream) {
    return "/things" + (isElsewhere(stream) ? 0 : stream);
  }

  /** Whether it is a stream of another location than the first one. */
  boolean isElsewhere(int stream) {
    return apart && stream == 1;
  }

  Retrieval retrieval(int stream) {
    return switch (style) {
      case FULL -> new Full(false);
      case MODIFIED -> new ModifiedSince("from");
      case DATE_RANGE -> new DateRange("from", "to");
      case PAGES -> new Pages("page", "size", 1, pageSize);
      case CURSOR -> new Cursor("key", "size", pageSize);
      case MODIFIED_PAGES ->
          new ModifiedSince("from", "/list" + stream, new Pages("page", "size", 1, pageSize));
      case PAGED_INCREMENTS ->
          new ModifiedSince(
              "from",
              "",
              new Pages("page", "size", 1, pageSize),
              new Pages("page", "size", 1, pageSize));
    };
  }

  StreamSettings settings(int stream) {
    Resource resource =
        new Resource(
            "things",
            path(stream),
            retrieval(stream),
            List.of("id"),
            occurrences,
            Set.of(),
            limit,
            Duration.ofMillis(poll),
            Duration.ofMillis(lookback),
            List.of());
    return new StreamSettings(
        Things.STREAM,
        resource,
        new StartFrom.Fixed(Instant.ofEpochMilli(SimulatedTime.START - 20 * period)),
        Duration.ofMillis(windowMax),
        Duration.ofMillis(interval),
        Duration.ofMillis(window),
        "",
        MAX_RATIO,
        Duration.ofMillis(confirm),
        maxKeys,
        Duration.ofMillis(checkpoints),
        RowErrors.DEAD_LETTER,
        1_000_000,
        exactlyOnce,
        Duration.ofMillis(longestProbe));
  }

  @Override
  public String toString() {
    return History.fields(this);
  }
}
