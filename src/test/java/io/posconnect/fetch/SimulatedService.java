package io.posconnect.fetch;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.client.Rows;
import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Setup.Style;
import io.posconnect.fetch.Table.Flaw;
import io.posconnect.fetch.Table.Version;
import io.posconnect.json.KnownRows;
import io.posconnect.json.Row;
import io.posconnect.problem.Problem;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;
import io.posconnect.resource.StreamSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The service, with the habits that its interface leaves open: bounds of either kind, rows that
 * come late, stale lists, pages that shift, and every way for a request to fail.
 */
final class SimulatedService implements ApiClient {

  private static final Map<String, Row> ROWS = new HashMap<>();

  /** A field that is not compared, and has another value in every answer. */
  static final String IGNORED = "v";

  /** Stands in each row that was damaged on its way: nothing of it may ever be emitted. */
  static final String DAMAGED_ONCE = "once";

  private static long reads;

  private static final String TOO_LARGE = "x".repeat(Setup.MOST_BYTES);

  private static final int MOST_UNDAMAGED = 2;

  /** Keys lie this far apart: their gaps take more than a byte. */
  static final long KEY_STEP = 512;

  private final World world;
  private final Setup setup;
  private int requests;
  private long lastPass;
  private long listedSince = Long.MIN_VALUE;
  private long ahead;
  private long datedAt;

  // As of when the cache answers; 0 until it has an answer.
  private long cachedAt;
  private long order;
  private boolean calm;

  // Of three whole answers in a row at most one is damaged: how many were not since the latest was,
  // of reconciliations and of others.
  private final int[] undamaged = {MOST_UNDAMAGED, MOST_UNDAMAGED};

  // The keys whose latest row was damaged: another damage would be the second one.
  private final Set<Integer> damagedKeys = new HashSet<>();

  // After so many rows a full read ends.
  private int cut = Integer.MAX_VALUE;

  // When the latest full read that is empty, or cut, began: one that shows all must end before the
  // next.
  private long emptiedAt = Long.MIN_VALUE;
  private boolean emptiesNext;
  private final List<Version> served = new ArrayList<>();
  private final List<Version> servedInPass = new ArrayList<>();

  // The first page broke off: its rows count to the pass, which begins with it once more.
  private boolean firstPageBroke;
  private long passAsOf;
  private long incrementAsOf;
  private final Set<Integer> doubted = new HashSet<>();

  SimulatedService(World world) {
    this.world = world;
    this.setup = world.setup();
  }

  /** Ends all faults. */
  void calm() {
    calm = true;
  }

  /** Makes the next full read empty. */
  void emptyOnce() {
    emptiesNext = true;
  }

  /** Makes the next response's {@code Date} wrong, if the caller can detect it. */
  void misdate(long millis) {
    // One more Date that lies behind could make those of a cache go on as the time does.
    ahead = setup.cached > 0 ? 0 : millis;
  }

  /** Another process begins: it has seen no response yet. */
  void newCaller() {
    ahead = 0;
    datedAt = 0;
    listedSince = Long.MIN_VALUE;
  }

  /** Whether the caller has a true {@code Date} of less than an hour ago to hold others against. */
  boolean knowsTime() {
    return datedAt > world.time().server() - 50 * Setup.MINUTE;
  }

  int requests() {
    return requests;
  }

  /** What the latest response has served so far. */
  List<Version> served() {
    return served;
  }

  /** What the pass under way has served, from its first response. */
  List<Version> servedInPass() {
    return servedInPass;
  }

  /** Whether a pass has ever shown the key with several contents: the end of one decides then. */
  boolean doubts(int key) {
    return doubted.contains(key);
  }

  /** The caller has read a list to its end. */
  void listed() {
    listedSince = lastPass;
  }

  /** As of when the latest pass may show that a row is gone. */
  long passAsOf() {
    return passAsOf;
  }

  /** When the latest full read began that this caller has read to its end. */
  long listedSince() {
    return listedSince;
  }

  @Override
  public Rows open(String resource, Request request, Shape shape, Runnable onRedirect)
      throws ApiException {
    if (request.path().equals(Setup.WHOAMI.path())) {
      return new Identity();
    }
    SplittableRandom random = world.random();
    requests++;
    served.clear();
    world.time().sleep(calm ? 50 : random.nextInt(3_000));
    if (!increment(request) && Answer.beginsList(request)) {
      if (!firstPageBroke) {
        servedInPass.clear();
      }
      order = random.nextLong();
      lastPass = world.time().server();
    }
    boolean fails = !calm && random.nextDouble() < setup.faults;
    if (fails) {
      failAtOnce(random, request);
    }
    checkBounds(request);
    refuseLongWindows(request);
    refusePages(request);
    long read = world.time().server();
    if (!calm && setup.cached > 0 && knowsTime() && random.nextInt(4) == 0) {
      return cached(read);
    }
    long asOf = asOf(read, random);
    if (!increment(request)) {
      // What came after an older list, and went before the increment ahead of it, is in neither.
      passAsOf = Math.max(Answer.beginsList(request) ? incrementAsOf : passAsOf, asOf);
    } else if (!fails) {
      incrementAsOf = read;
    }
    List<Version> list = select(request, asOf);
    if (!increment(request)) {
      if (Answer.beginsList(request)) {
        empty(random, list);
        drawCut(random, request, list);
      }
      list.subList(Math.min(cut, list.size()), list.size()).clear();
    }
    endPages(request, list);
    PageEnd end = page(request, list);
    ahead = knowsTime() ? ahead : 0;
    long date = (world.time().dated(read) + ahead) / 1000 * 1000;
    world.time().sleep(calm ? 50 : random.nextInt(2_000));
    boolean dated = setup.dated || random.nextBoolean();
    if (dated && ahead == 0) {
      datedAt = world.time().server();
    }
    ahead = 0;
    int breaksAt = fails ? random.nextInt(list.size() + 1) : -1;
    firstPageBroke = increment(request) ? firstPageBroke : fails && Answer.beginsList(request);
    world.trace(
        () ->
            "  "
                + request
                + " as of "
                + asOf
                + (fails ? " breaks at " + breaksAt : "")
                + ": "
                + list);
    int kind = world.task().isReconciling() ? 1 : 0;
    boolean damages =
        !calm && undamaged[kind] == MOST_UNDAMAGED && random.nextDouble() < setup.damages;
    int since = damages ? 0 : Math.min(MOST_UNDAMAGED, undamaged[kind] + (fails ? 0 : 1));
    return new Response(
        list,
        end,
        dated ? Optional.of(Instant.ofEpochMilli(date)) : Optional.empty(),
        breaksAt,
        damages && !list.isEmpty() ? random.nextInt(list.size()) : -1,
        () -> undamaged[kind] = since);
  }

  /** An answer of a cache, whose rows nobody may ask for. */
  private Rows cached(long read) {
    cachedAt = cachedAt == 0 ? read - setup.cached : cachedAt;
    Instant date = Instant.ofEpochMilli(world.time().dated(cachedAt));
    world.trace(() -> "  a cache answers, as of " + date);
    return new Response(
        List.of(),
        PageEnd.of(0),
        Optional.of(date),
        -1,
        -1,
        () -> {
          throw new Violation("read an answer of " + date);
        });
  }

  private long asOf(long read, SplittableRandom random) {
    boolean stale = setup.style.filtered() && setup.stale > 0 && world.task().isReconciling();
    if (!calm && stale) {
      // A replica may answer reconciliations, but lags only as far as a snapshot of this process.
      return Math.max(read - random.nextLong(setup.stale), world.task().snapshottedSince());
    }
    return !calm && setup.lag > 0 && random.nextBoolean()
        ? read - random.nextLong(setup.lag)
        : read;
  }

  /** A false alarm: below the guard's least number of keys it would be believed. */
  private void empty(SplittableRandom random, List<Version> list) {
    boolean empties =
        setup.alarms
            && mayEmpty()
            && world.task().isReconciling()
            && world.task().knownRows() > StreamSettings.GUARDED_KEYS
            && (emptiesNext || (!calm && random.nextInt(8) == 0));
    if (empties) {
      emptiesNext = false;
      emptiedAt = lastPass;
      list.clear();
    }
  }

  /** Says too early that there are no more pages: a pass that follows shows the others. */
  private void drawCut(SplittableRandom random, Request request, List<Version> list) {
    boolean cuts =
        setup.cuts
            && !calm
            && mayEmpty()
            && !request.parameter("size", "").isEmpty()
            && random.nextInt(4) == 0;
    emptiedAt = cuts ? lastPass : emptiedAt;
    cut = cuts ? random.nextInt(list.size() + 1) : Integer.MAX_VALUE;
  }

  private boolean mayEmpty() {
    return emptiedAt == Long.MIN_VALUE || listedSince > emptiedAt;
  }

  /** Services refuse to page deeper. */
  private void refusePages(Request request) throws ApiException {
    String page = request.parameter("page", "");
    if (!calm
        && setup.refusedPage > 0
        && !page.isEmpty()
        && Integer.parseInt(page) >= setup.refusedPage) {
      throw failure(new Refused(Problem.REQUEST_REFUSED, "GET", "no page so deep", setup.refusal));
    }
  }

  private void endPages(Request request, List<Version> list) throws ApiException {
    String page = request.parameter("page", "");
    if (setup.endsWithNotFound && !page.isEmpty() && !page.equals("1")) {
      if ((Integer.parseInt(page) - 1) * step(request) >= list.size()) {
        throw failure(new Refused(Problem.REQUEST_REFUSED, "GET", "no such page", 404));
      }
    }
  }

  private void failAtOnce(SplittableRandom random, Request request) throws ApiException {
    switch (random.nextInt(16)) {
      case 0, 1 -> throw failure(new Unavailable(Problem.SERVICE_FAILED, "GET", "503"));
      case 2 -> throw failure(new Unavailable(Problem.TOO_SLOW, "GET", "time-out"));
      case 3 ->
          throw failure(
              new Throttled(
                  "429",
                  random.nextBoolean() ? Duration.ofSeconds(20) : null,
                  OptionalInt.empty()));
      case 4 ->
          throw failure(
              new Malformed(
                  random.nextBoolean() ? Problem.BODY_TOO_LARGE : Problem.BODY_MALFORMED,
                  "GET",
                  "html"));
      case 5 -> throw failure(new Refused(Problem.PERMISSION_MISSING, "GET", "403", 403));
      case 6 -> {
        if (!Answer.beginsList(request)) {
          throw failure(
              new Refused(Problem.REQUEST_REFUSED, "GET", "the page's key has expired", 400));
        }
      }
      default -> {
        // The body breaks off.
      }
    }
  }

  private <E extends ApiException> E failure(E e) {
    world.trace(() -> "  fails: " + e.getMessage());
    return e;
  }

  /** Some services demand both bounds, or refuse a span that is longer than they say. */
  private void checkBounds(Request request) {
    if (setup.style != Style.DATE_RANGE) {
      return;
    }
    String from = request.parameter("from", "");
    String to = request.parameter("to", "");
    Duration longest = world.settings().windowMax();
    boolean holds =
        !from.isEmpty() && !to.isEmpty() && millis(to) - millis(from) <= longest.toMillis();
    if (!holds) {
      throw new Violation("a range without both bounds, or beyond " + longest);
    }
  }

  private void refuseLongWindows(Request request) throws ApiException {
    String from = request.parameter("from", "");
    if (setup.style == Style.DATE_RANGE && !from.isEmpty()) {
      long end = millis(request.parameter("to", ""));
      // A second of grace for each bound: they are widened to whole seconds.
      if (end - millis(from) > setup.longestWindow && setup.longestWindow < Long.MAX_VALUE) {
        throw failure(new Refused(Problem.REQUEST_REFUSED, "GET", "the range is too long", 400));
      }
    }
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  private static boolean increment(Request request) {
    return !request.parameter("from", "").isEmpty();
  }

  private List<Version> select(Request request, long asOf) {
    List<Version> list = world.table().list(asOf, setup.order);
    String from = request.parameter("from", "");
    String to = request.parameter("to", "");
    if (!from.isEmpty()) {
      long bound = millis(from);
      list.removeIf(v -> setup.inclusive ? modified(v) < bound : modified(v) <= bound);
    }
    if (!to.isEmpty()) {
      long bound = millis(to);
      list.removeIf(v -> setup.inclusive ? modified(v) > bound : modified(v) >= bound);
    }
    for (Version version : List.copyOf(list)) {
      if (version.flaw() == Flaw.TWIN) {
        // At the same place on every page of a pass.
        int place = new SplittableRandom(order + version.key()).nextInt(list.size() + 1);
        list.add(place, version.twin());
      }
    }
    return list;
  }

  private long modified(Version version) {
    return setup.wholeSeconds ? version.modified() / 1000 * 1000 : version.modified();
  }

  private int size(Request request) {
    return Math.min(setup.mostOfPage, Integer.parseInt(request.parameter("size", "")));
  }

  /**
   * How far the next page lies behind. One of two rows, of which the first is that of the page
   * before, brings no key where a broken row stands between two rows of one.
   */
  private int step(Request request) {
    int rows = size(request);
    return rows > 2 || !setup.flawed ? rows - setup.overlap : rows;
  }

  /** Cuts the list down to the page that was asked for. */
  private PageEnd page(Request request, List<Version> list) {
    if (request.parameter("size", "").isEmpty()) {
      return PageEnd.of(list.size());
    }
    int rows = size(request);
    String key = request.parameter("key", "");
    int start =
        key.isEmpty()
            ? (Integer.parseInt(request.parameter("page", "1")) - 1) * step(request)
            : Math.max(0, Integer.parseInt(key.substring(1)) - rows + step(request));
    int end = Math.min(list.size(), start + rows);
    boolean more = end < list.size() || (setup.emptyPage && !key.equals("p" + end));
    list.subList(end, list.size()).clear();
    list.subList(0, Math.min(start, list.size())).clear();
    return new PageEnd(list.size(), more ? "p" + end : "");
  }

  Row row(Version version) {
    return row(text(version));
  }

  private String text(Version version) {
    return switch (version.flaw()) {
      case NONE, TWIN, UNREADABLE_KEY -> text(key(version), "\"" + version.content() + "\"");
      case TOO_LARGE -> text(key(version), "\"" + TOO_LARGE + "\"");
      case DAMAGED -> text(key(version), "\"" + RowText.BAD_BYTE + "\"");
      case NOT_JSON -> text(key(version), "~" + version.content());
      case VOLATILE -> text(key(version), Long.toString(++reads));
    };
  }

  private String key(Version version) {
    long id = version.key() * KEY_STEP;
    return switch (version.flaw()) {
      case UNREADABLE_KEY, VOLATILE -> "\"id\":\"no " + id + "\"";
      default -> setup.keyKind.text(id, version.number() % KeyKind.SPELLINGS);
    };
  }

  /** The row as it arrives when it is damaged on its way. */
  private String damaged(Version version, int how) {
    return switch (how) {
      case 0 -> text(key(version), "\"" + DAMAGED_ONCE + RowText.BAD_BYTE + "\"");
      case 1 -> text(key(version), "~" + DAMAGED_ONCE);
      default -> text("\"id\":~", "\"" + DAMAGED_ONCE + ++reads + "\"");
    };
  }

  private String text(String key, String content) {
    // What is no JSON is known by its text, so it would be another row in every answer.
    boolean ignores = setup.ignores && !content.startsWith("~");
    String ignored = ignores ? ",\"" + IGNORED + "\":" + ++reads : "";
    return "{" + key + ",\"c\":" + content + ignored + "}";
  }

  private void noteDamage(Version version) {
    switch (version.flaw()) {
      case DAMAGED, NOT_JSON -> damagedKeys.add(version.key());
      case NONE, TWIN, TOO_LARGE -> damagedKeys.remove(version.key());
      case UNREADABLE_KEY, VOLATILE -> {
        // Its key does not arrive.
      }
    }
  }

  private Row row(String text) {
    return setup.ignores || text.contains(DAMAGED_ONCE) || text.contains(":\"no ")
        ? RowText.row(text)
        : ROWS.computeIfAbsent(text, RowText::row);
  }

  @Override
  public void close() {
    // Nothing is open between two steps.
  }

  /** The answer to {@code /whoami}, which costs neither time nor requests. */
  private static final class Identity extends EmptyRows {
    private static final Row ROW = Row.parse("{\"lspName\":\"Pos\",\"locationName\":\"Downtown\"}");

    @Override
    public Optional<Row> next() {
      return Optional.of(ROW);
    }
  }

  private final class Response extends EmptyRows {
    private final List<Version> list;
    private final PageEnd end;
    private final Optional<Instant> date;
    private final int breaksAt;
    private final int damagedAt;
    private final Runnable taken;
    private int next;

    // The next row, once it was looked at.
    private String text = "";

    /**
     * @param taken called when its rows are asked for: an answer that is too old is refused unread
     */
    Response(
        List<Version> list,
        PageEnd end,
        Optional<Instant> date,
        int breaksAt,
        int damagedAt,
        Runnable taken) {
      this.taken = taken;
      this.damagedAt = damagedAt;
      this.list = list;
      this.end = end;
      this.date = date;
      this.breaksAt = breaksAt;
    }

    @Override
    public Optional<Row> next() throws ApiException {
      if (next == breaksAt) {
        throw failure(new Malformed(Problem.BODY_MALFORMED, "GET", "the body breaks off"));
      }
      if (next == list.size()) {
        return Optional.empty();
      }
      return Optional.of(row(served(look())));
    }

    @Override
    public boolean skip(KnownRows known) {
      taken.run();
      world.meanwhile();
      int expected = known.expected();
      if (next == breaksAt || next == list.size()) {
        return false;
      }
      byte[] bytes = look().getBytes(StandardCharsets.ISO_8859_1);
      boolean passes =
          (expected == bytes.length && known.passes(bytes, 0, expected))
              || known.passes(bytes, 0, bytes.length);
      if (passes) {
        served(text);
      }
      return passes;
    }

    /** The text of the next row. */
    private String look() {
      Version version = list.get(next);
      if (text.isEmpty()) {
        text = isDamaged(version) ? damaged(version, version.number() % 3) : text(version);
      }
      return text;
    }

    private boolean isDamaged(Version version) {
      return next == damagedAt && !damagedKeys.contains(version.key());
    }

    /** Notes that the next row is served, and returns its text. */
    private String served(String its) {
      Version version = list.get(next);
      boolean damages = isDamaged(version);
      next++;
      text = "";
      if (damages) {
        world.trace(() -> "  damages " + version);
        damagedKeys.add(version.key());
        if (setup.shifting()) {
          doubted.add(version.key()); // Its key is seen, so what comes of it later is doubted.
        }
        return its;
      }
      noteDamage(version);
      if (version.isBroken()) {
        servedInPass.add(version);
        return its;
      }
      served.add(version);
      if (version.flaw() == Flaw.TWIN || version.flaw() == Flaw.DAMAGED) {
        doubted.add(version.key());
      }
      if (setup.shifting() && servedInPass.stream().anyMatch(version::mayBeTwinOf)) {
        doubted.add(version.key());
      }
      servedInPass.add(version);
      return its;
    }

    @Override
    public PageEnd end() {
      return end;
    }

    @Override
    public Optional<Instant> date() {
      return date;
    }
  }
}
