package io.posconnect.fetch;

import io.posconnect.client.RateLimit;
import io.posconnect.json.Row;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Shape;
import io.posconnect.resource.Window;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what one location last said about itself, asked by whichever of its streams is due, for
 * all of them. Safe for several threads.
 *
 * <p>What is remembered of a stream is one store's. When another store answers to the location's
 * key, every remembered row would look deleted; so nothing is deleted on an answer that is older
 * than a minute, from before a new key, or from before a refusal. A location that does not answer
 * is read all the same, and asked again after growing pauses; asking takes a twentieth of the time
 * at the most, however slow the answers are.
 */
public final class LocationIdentity {

  // One request a minute and location is little of what the service allows.
  private static final long MAX_AGE = TimeUnit.MINUTES.toNanos(1);
  private static final int HASH_BYTES = 8;
  private static final int SHARE = 20;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

  // What tells one store from another: names may change. Only what is known to be one: another
  // field of that kind may be the request's.
  private static final List<String> STORE_IDS = List.of("locationid", "locid", "storeid", "id");

  private final Resource whoami;
  private final Supplier<RateLimit> limiter;
  private @Nullable String answer;
  private long answeredNanos;
  private long maxAge = MAX_AGE;
  private long notBeforeNanos = Long.MIN_VALUE;
  private int failures;
  private boolean asking;
  private long askingSinceNanos;
  private int version;
  private String judged = "";
  private boolean isSame;
  private volatile @Nullable Suspension refusal;

  /**
   * Of a location that has not been asked yet.
   *
   * @param whoami what tells whose a key is, in its only or first row
   * @param limiter of that path and the key that holds
   */
  public LocationIdentity(Resource whoami, Supplier<RateLimit> limiter) {
    this.whoami = whoami;
    this.limiter = limiter;
  }

  /**
   * What it answered last: empty when it must be asked before anything is read, an empty text when
   * it said nothing by which one store is told from another.
   */
  synchronized Optional<String> current(long nowNanos) {
    return nowNanos - answeredNanos > maxAge ? Optional.empty() : Optional.ofNullable(answer);
  }

  /** Begins to ask; false when another stream does so, or it failed a while ago. */
  synchronized boolean begin(long nowNanos) {
    boolean paused = notBeforeNanos != Long.MIN_VALUE && notBeforeNanos - nowNanos > 0;
    if (asking || paused) {
      return false;
    }
    asking = true;
    askingSinceNanos = nowNanos;
    return true;
  }

  /** Whether another stream asks right now, and has not waited for long. */
  synchronized boolean isBeingAsked(long nowNanos) {
    return asking && nowNanos - askingSinceNanos < PATIENCE;
  }

  /** Asking has ended, with an answer or without; may be called again. */
  synchronized void end() {
    asking = false;
  }

  /** How often in a row it did not say who it is. */
  synchronized int failures() {
    return failures;
  }

  /** It did not say who it is, and is left alone for a while. */
  synchronized void failed(long sentNanos, long nowNanos, Duration pause) {
    failures++;
    notBeforeNanos = nowNanos + Math.max(pause.toNanos(), SHARE * (nowNanos - sentNanos));
  }

  /** A stream has compared the rows of a location that answers so with what was said. */
  synchronized void judged(String identity, boolean same) {
    judged = identity;
    isSame = same;
  }

  /** What another stream has found out about a location that answers so. */
  synchronized Optional<Boolean> verdict(String identity) {
    return identity.equals(judged) ? Optional.of(isSame) : Optional.empty();
  }

  /** 0 when it may be asked now, else nanoseconds until then. */
  long tryAcquire(long nowNanos) {
    return limiter.get().tryAcquire(nowNanos);
  }

  void throttled(long nowNanos, Duration pause) {
    limiter.get().throttled(nowNanos, pause);
  }

  Request request() {
    return whoami.retrieval().first(whoami.path(), Window.ALL);
  }

  Shape shape() {
    return whoami.retrieval().shape(request());
  }

  String resourceName() {
    return whoami.name();
  }

  /** How often it was invalidated; to be noted before it is asked. */
  synchronized int version() {
    return version;
  }

  /**
   * It was asked at the first time, and answered with that row at the second.
   *
   * @param askedVersion what {@link #version} was before it was asked: an answer that crossed with
   *     an {@link #invalidate} settles nothing
   */
  synchronized void answered(Row row, long sentNanos, long nowNanos, int askedVersion) {
    failures = 0;
    if (askedVersion == version) {
      answer = hash(row);
      answeredNanos = nowNanos;
      maxAge = Math.max(MAX_AGE, SHARE * (nowNanos - sentNanos));
    }
  }

  /** The key may be another store's from now on: it must be asked again. */
  public synchronized void invalidate() {
    version++;
    answer = null;
    judged = isSame ? judged : "";
  }

  /** The key was refused, which is so for all streams of the location. */
  void refused(String reason, long nowNanos) {
    refusal = Suspension.of(reason, nowNanos, refusal);
    invalidate();
  }

  /** The key was accepted. */
  void accepted() {
    refusal = null;
  }

  /** Why and since when the key is refused; empty while it is not. */
  Optional<Suspension> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * A hash of the store's identifiers where it has them, else of the company's and the location's
   * names, case aside: what a person may read in the offsets must not be the store's own data. Its
   * address may be corrected without its becoming another store.
   */
  private static String hash(Row row) {
    for (int field = 0; field < row.size(); field++) {
      String name = row.name(field).toLowerCase(Locale.ROOT).replace("_", "");
      if (STORE_IDS.contains(name) && !text(row, field).isEmpty()) {
        return hash(name, text(row, field));
      }
    }
    String company = text(row, row.find("lspName"));
    String location = text(row, row.find("locationName"));
    return company.isEmpty() && location.isEmpty() ? "" : hash(company, location);
  }

  private static String hash(String company, String location) {
    byte[] text = (company + "\n" + location).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every platform has SHA-256", e);
    }
  }

  private static String text(Row row, int field) {
    return field < 0 || row.kind(field) == Row.Kind.NULL
        ? ""
        : row.value(field).strip().toLowerCase(Locale.ROOT);
  }
}
