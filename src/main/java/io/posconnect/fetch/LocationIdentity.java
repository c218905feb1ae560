package io.posconnect.fetch;

import io.posconnect.client.RateLimit;
import io.posconnect.fetch.StreamFetcher.Suspension;
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
 * key, every remembered row would look deleted; so nothing is read on an answer that is older than
 * a minute, from before a new key, or from before a refusal.
 */
public final class LocationIdentity {

  // One request a minute and location is little of what the service allows.
  private static final long MAX_AGE = TimeUnit.MINUTES.toNanos(1);
  private static final int HASH_BYTES = 8;

  private final Resource whoami;
  private final Supplier<RateLimit> limiter;
  private @Nullable String answer;
  private long askedNanos;
  private int version;
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
    return nowNanos - askedNanos > MAX_AGE ? Optional.empty() : Optional.ofNullable(answer);
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
   * It was asked at that time and answered with that row.
   *
   * @param askedVersion what {@link #version} was before it was asked: an answer that crossed with
   *     an {@link #invalidate} settles nothing
   */
  synchronized void answered(Row row, long sentNanos, int askedVersion) {
    if (askedVersion == version) {
      answer = hash(row);
      askedNanos = sentNanos;
    }
  }

  /** The key may be another store's from now on: it must be asked again. */
  public synchronized void invalidate() {
    version++;
    answer = null;
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
   * A hash of the company's and the location's names, case aside: what a person may read in the
   * offsets must not be the store's own data. Its address may be corrected without its becoming
   * another store.
   */
  private static String hash(Row row) {
    String company = field(row, "lspName");
    String location = field(row, "locationName");
    if (company.isEmpty() && location.isEmpty()) {
      return "";
    }
    byte[] text = (company + "\n" + location).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every platform has SHA-256", e);
    }
  }

  private static String field(Row row, String name) {
    int field = row.find(name);
    return field < 0 || row.kind(field) == Row.Kind.NULL
        ? ""
        : row.value(field).strip().toLowerCase(Locale.ROOT);
  }
}
