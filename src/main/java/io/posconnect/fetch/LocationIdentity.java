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
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one location last said about itself, asked by whichever of its streams is due, for all of
 * them. Safe for several threads.
 *
 * <p>What is remembered of a stream is one store's. When another store answers to the location's
 * key, every remembered row would look deleted; so nothing is read on an answer that is older than
 * a minute, from before a new key, or from before a refusal.
 */
public final class LocationIdentity {

  // One request a minute and location is little of what the service allows.
  private static final long MAX_AGE = TimeUnit.MINUTES.toNanos(1);
  private static final int MARK_BYTES = 8;

  private final @Nullable Resource whoami;
  private final @Nullable Supplier<RateLimit> limiter;
  private @Nullable String said;
  private long askedNanos;
  private int doubts;
  private volatile Suspension.@Nullable Case refusal;

  private LocationIdentity(@Nullable Resource whoami, @Nullable Supplier<RateLimit> limiter) {
    this.whoami = whoami;
    this.limiter = limiter;
  }

  /**
   * Of a location that has not been asked yet.
   *
   * @param whoami what tells whose a key is, in its only or first row
   * @param limiter of that path and the key that holds
   */
  public static LocationIdentity of(Resource whoami, Supplier<RateLimit> limiter) {
    return new LocationIdentity(whoami, limiter);
  }

  /** Of a location that is never asked. */
  public static LocationIdentity unasked() {
    return new LocationIdentity(null, null);
  }

  boolean isUnasked() {
    return whoami == null;
  }

  /**
   * What it said last: empty when it must be asked before anything is read, an empty text when it
   * said nothing by which one store is told from another, or is never asked.
   */
  synchronized Optional<String> said(long nowNanos) {
    if (whoami == null) {
      return Optional.of("");
    }
    return nowNanos - askedNanos > MAX_AGE ? Optional.empty() : Optional.ofNullable(said);
  }

  /** 0 when it may be asked now, else nanoseconds until then. */
  long tryAcquire(long nowNanos) {
    return limiter == null ? 0 : limiter.get().tryAcquire(nowNanos);
  }

  void throttled(long nowNanos, Duration pause) {
    if (limiter != null) {
      limiter.get().throttled(nowNanos, pause);
    }
  }

  Request request() {
    return resource().retrieval().first(resource().path(), Window.ALL);
  }

  Shape shape() {
    return resource().retrieval().shape(request());
  }

  String resourceName() {
    return resource().name();
  }

  private Resource resource() {
    if (whoami == null) {
      throw new IllegalStateException("nobody is to be asked");
    }
    return whoami;
  }

  /** How often it was doubted; to be noted before it is asked. */
  synchronized int doubts() {
    return doubts;
  }

  /**
   * It was asked at that time and answered with that row.
   *
   * @param before what {@link #doubts} was before it was asked: an answer that crossed with a doubt
   *     settles nothing
   */
  synchronized void answered(Row row, long sentNanos, int before) {
    if (before == doubts) {
      said = mark(row);
      askedNanos = sentNanos;
    }
  }

  /** The key may be another store's from now on: nothing that was said before counts. */
  public synchronized void doubt() {
    doubts++;
    said = null;
  }

  /** The key was refused, which is so for all streams of the location. */
  void refused(String reason, long nowNanos) {
    Suspension.Case before = refusal;
    refusal = new Suspension.Case(reason, before == null ? nowNanos : before.sinceNanos());
    doubt();
  }

  /** The key was accepted. */
  void accepted() {
    refusal = null;
  }

  /** Why and since when the key is refused; empty while it is not. */
  Optional<Suspension.Case> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * A hash of the company's and the location's names, case aside: what a person may read in the
   * offsets must not be the store's own data. Its address may be corrected without its becoming
   * another store.
   */
  private static String mark(Row row) {
    String company = field(row, "lspName");
    String location = field(row, "locationName");
    if (company.isEmpty() && location.isEmpty()) {
      return "";
    }
    byte[] text = (company + "\n" + location).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(hash, 0, MARK_BYTES);
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
