package io.posconnect.fetch;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stores what one location last answered about itself, for all of its streams; whichever of them is
 * due asks. Safe for several threads.
 *
 * <p>If another store answers to the location's key, every key of the digest looks deleted. So
 * nothing is deleted on an answer that is older than a minute, from before a new key, or from
 * before a refusal. A location that does not answer is read all the same, and asked again after
 * growing pauses. So is one that was asked, while the limit lets it not be asked again: rows do not
 * wait for the limit of another path. Asking takes a twentieth of the time at most, however slow
 * the answers are.
 */
public class LocationIdentity {

  // One request a minute and location is little of what the service allows.
  private static final long MAX_AGE = TimeUnit.MINUTES.toNanos(1);
  private static final int HASH_BYTES = 8;
  private static final int SHARE = 20;

  // Streams of the location wait so long for one that asks, or for a slot of its limit, and then
  // read without an answer.
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(5);

  // A stream with few keys follows the refusal of another for so long.
  private static final long LONGEST_HOLD = TimeUnit.HOURS.toNanos(1);

  // Identifiers of a store; its names may change. Another field of that kind may be the request's.
  // The first of this list counts: fields come in any order.
  private static final List<String> STORE_IDS = List.of("locationid", "locid", "storeid", "id");

  private final Resource whoami;
  private @Nullable String answer;
  private long askedNanos;

  // Its age counts from here. From its request, rows of a limit of one a minute could always find
  // it a little too old, and would never be read.
  private long answeredNanos;
  private long maxAge = MAX_AGE;
  private long notBeforeNanos = Long.MIN_VALUE;

  // When its limit has a slot for which a stream could not wait, and whether others read meanwhile.
  private long slotNanos = Long.MIN_VALUE;
  private boolean isSlotFar;

  private int failures;
  private boolean asking;
  private long askingSinceNanos;
  private long lastedNanos;
  private int version;
  private int keys;
  private @Nullable String judged;
  private boolean isSame;
  private int judgedVersion;
  private long judgedNanos;

  /**
   * A location that was not asked yet.
   *
   * @param whoami the resource whose only or first row identifies the location
   */
  public LocationIdentity(Resource whoami) {
    this.whoami = whoami;
  }

  /**
   * Returns the last answer: empty when the location must be asked again, an empty text when it
   * answered with nothing by which a store can be recognized.
   */
  synchronized Optional<String> current(long nowNanos) {
    return nowNanos - answeredNanos > maxAge ? Optional.empty() : Optional.ofNullable(answer);
  }

  /**
   * The name that a location gave.
   *
   * @param key which of its keys it answered to
   */
  record Name(String text, int key) {}

  /** Returns the last answer as {@link #current} does, with the key that it is of. */
  synchronized Optional<Name> name(long nowNanos) {
    return current(nowNanos).map(text -> new Name(text, keys));
  }

  /** Which of its keys the location has now. */
  synchronized int key() {
    return keys;
  }

  /**
   * Returns whether a stream must ask, or wait for another that asks; false while the location is
   * left alone after a failure, takes long to answer, or cannot be asked again soon by its limit.
   *
   * @param judges whether missing keys are to be judged, or whose rows are read: that waits for
   *     another stream's request to end, as for one of its own, or streams that ask in turns would
   *     never judge them; and for a slot of the limit
   */
  synchronized boolean mustBeAsked(long nowNanos, boolean judges) {
    if (asking) {
      return judges || nowNanos - askingSinceNanos < LONGEST_WAIT;
    }
    boolean wasAsked = answer != null || failures > 0;
    return isPast(notBeforeNanos, nowNanos)
        && (judges || !wasAsked || !isSlotFar || isPast(slotNanos, nowNanos));
  }

  private static boolean isPast(long nanos, long nowNanos) {
    return nanos == Long.MIN_VALUE || nanos - nowNanos <= 0;
  }

  /**
   * Records that the limit has no slot for so long; returns how long a stream waits for it at most.
   */
  synchronized long delayed(long nowNanos, long waitNanos) {
    slotNanos = nowNanos + waitNanos;
    isSlotFar = waitNanos > LONGEST_WAIT;
    return Math.min(waitNanos, LONGEST_WAIT);
  }

  /**
   * Returns that time, or the earlier one of the slot at which the location is to be asked though
   * nothing else is due: a stream that comes when others have taken it would never have one.
   */
  synchronized long slotBefore(long nanos) {
    boolean isAwaited = slotNanos != Long.MIN_VALUE && !asking;
    return isAwaited && slotNanos - nanos < 0 ? slotNanos : nanos;
  }

  /** Begins to ask; returns false when another stream asks already. */
  synchronized boolean begin(long nowNanos) {
    if (asking) {
      return false;
    }
    asking = true;
    askingSinceNanos = nowNanos;
    return true;
  }

  /** Monotonic time of the request that was answered last; meaningless before the first answer. */
  synchronized long askedNanos() {
    return askedNanos;
  }

  /** Monotonic time of the last request, answered or not; meaningless before the first one. */
  synchronized long askingSinceNanos() {
    return askingSinceNanos;
  }

  /** Ends asking, with an answer or without: another stream may ask before that is recorded. */
  synchronized void end(long nowNanos) {
    asking = false;
    lastedNanos = nowNanos - askingSinceNanos;
  }

  /** Returns how often in a row the location did not answer. */
  synchronized int failures() {
    return failures;
  }

  /** Records that the location did not answer; returns how long it is left alone, at least. */
  synchronized Duration failed(long nowNanos, Duration pause) {
    failures++;
    slotNanos = Long.MIN_VALUE;
    long alone = Math.max(pause.toNanos(), SHARE * lastedNanos);
    notBeforeNanos = nowNanos + alone;
    return Duration.ofNanos(alone);
  }

  /** Records what a comparison of rows has shown of a location that gives that name. */
  synchronized void judged(String identity, boolean same, long nowNanos) {
    judged = identity;
    isSame = same;
    judgedNanos = nowNanos;
    judgedVersion = version;
  }

  /**
   * Returns whether a comparison has shown that a location of that name is the known store.
   *
   * @param canDecide whether the caller's rows can decide for all streams: then it compares again
   *     after an {@link #invalidate}, unless the location was the known store; others do so after
   *     an hour
   */
  synchronized Optional<Boolean> verdict(String identity, boolean canDecide, long nowNanos) {
    boolean expires = canDecide ? judgedVersion != version : nowNanos - judgedNanos > LONGEST_HOLD;
    boolean holds = isSame || !expires;
    return holds && identity.equals(judged) ? Optional.of(isSame) : Optional.empty();
  }

  /** The request that asks the location who it is. */
  Reading reading() {
    return new Reading(whoami, Window.ALL);
  }

  /** Returns how often it was invalidated; read it before the location is asked. */
  synchronized int version() {
    return version;
  }

  /**
   * Records an answer.
   *
   * @param askedVersion what {@link #version} was before the location was asked: an answer that
   *     crossed with an {@link #invalidate} settles nothing
   */
  synchronized void answered(Row row, long nowNanos, int askedVersion) {
    failures = 0;
    slotNanos = Long.MIN_VALUE;
    if (askedVersion == version) {
      answer = hash(row);
      askedNanos = askingSinceNanos;
      answeredNanos = nowNanos;
      maxAge = Math.max(MAX_AGE, SHARE * (nowNanos - askingSinceNanos));
    }
  }

  /** Forgets the answer: the location must be asked again, since the key may be another store's. */
  synchronized void invalidate() {
    version++;
    answer = null;
  }

  /**
   * Replaces the key. An answer to the key before, and what rows have shown that were compared with
   * it, settle nothing from then on, and no answer is believed between the two keys.
   */
  public synchronized void replaceKey(Runnable replacement) {
    replacement.run();
    keys++;
    invalidate();
  }

  /**
   * Hashes the store's identifiers where it has them, otherwise the names of company and location,
   * case aside: offsets, which people read, must not show the store's own data. The address may
   * change without the store being another one.
   */
  private static String hash(Row row) {
    for (String id : STORE_IDS) {
      for (int field = 0; field < row.size(); field++) {
        String name = row.name(field).toLowerCase(Locale.ROOT).replace("_", "");
        if (name.equals(id) && !text(row, field).isEmpty()) {
          return hash(name, text(row, field));
        }
      }
    }
    String company = text(row, row.find("lspName"));
    String location = text(row, row.find("locationName"));
    return company.isEmpty() && location.isEmpty() ? "" : hash(company, location);
  }

  private static String hash(String first, String second) {
    byte[] text = (first + "\n" + second).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(Row.sha256().digest(text), 0, HASH_BYTES);
  }

  private static String text(Row row, int field) {
    return field < 0 || row.kind(field) == Row.Kind.NULL
        ? ""
        : JsonText.of(row, field).value().strip().toLowerCase(Locale.ROOT);
  }
}
