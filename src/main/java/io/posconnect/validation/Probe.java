package io.posconnect.validation;

import static java.util.Locale.ROOT;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.Rows;
import io.posconnect.json.Row;
import io.posconnect.json.Row.Fault;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cycle;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import io.posconnect.resource.WindowLength;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes the first request of a stream and judges by the headers and a few rows whether the stream
 * can be read.
 *
 * @param stream whose permission, path and rows are tried
 * @param key whose parts a row must have
 * @param reading whose first request is sent, as a task sends it: the service may refuse the size
 *     of a page
 */
record Probe(Target target, Stream stream, List<KeyPart> key, Reading reading) {

  // Far enough back for rows to test the key fields on; for a date range, one first window. However
  // many come, no more than the sample is read.
  private static final Duration LOOKBACK = Duration.ofDays(7);

  // A wrong key field is absent from every row, a broken row is among good ones.
  private static final int SAMPLE = 20;

  /** What is asked for, and so which setting a wrong answer speaks against. */
  enum Target {
    /** The store behind the key: whether a location answers to its key at all. */
    IDENTITY(Problem.WRONG_ADDRESS, Problem.WRONG_ADDRESS),
    ROWS(Problem.PATH_UNKNOWN, Problem.WRONG_RETRIEVAL),
    /** The pages of a snapshot. */
    SNAPSHOT(Problem.WRONG_SNAPSHOT, Problem.WRONG_SNAPSHOT);

    private final Problem absent;
    private final Problem unexpected;

    Target(Problem absent, Problem unexpected) {
      this.absent = absent;
      this.unexpected = unexpected;
    }
  }

  /** What a probe met instead of rows. */
  sealed interface Failure {

    /**
     * The configuration is wrong.
     *
     * @param detail for the person who posted it, without code and remedy: the setting has them
     * @param logged what only the worker's log may show
     */
    record Conclusive(Problem problem, String detail, Optional<Incident> logged)
        implements Failure {}

    /**
     * The service is at fault for now, or only a person can judge: the configuration is accepted.
     */
    record Passing(Incident incident) implements Failure {}
  }

  private Probe(Target target, StreamSettings settings, List<KeyPart> key, Window window) {
    this(target, settings.stream(), key, new Reading(settings.resource(), window));
  }

  /** All probes of a stream: one, or two where a snapshot is read in pages beside increments. */
  static List<Probe> of(StreamSettings settings, List<KeyPart> key, Instant now) {
    Retrieval retrieval = settings.resource().retrieval();
    boolean windows = retrieval.cycle() == Cycle.WINDOWS;
    Duration back = windows ? WindowLength.first(settings.windowMax()) : LOOKBACK;
    Instant to = now.truncatedTo(ChronoUnit.SECONDS);
    Window recent = new Window(to.minus(back), to);
    if (settings.resource().name().equals(Catalog.IDENTITY)) {
      return List.of(new Probe(Target.IDENTITY, settings, key, recent));
    }
    Probe rows = new Probe(Target.ROWS, settings, key, recent);
    return retrieval.filtered() && retrieval.shifting()
        ? List.of(rows, new Probe(Target.SNAPSHOT, settings, key, Window.ALL))
        : List.of(rows);
  }

  /** Sends the request, whose slot was acquired; empty when the stream can be read. */
  Optional<Failure> send(LimitedClient client) throws ApiException {
    try (Rows rows = client.open(reading, () -> {})) {
      return failure(rows);
    }
  }

  /** The failure of the first row, unless a later one shows that only that row is broken. */
  private Optional<Failure> failure(Rows rows) throws ApiException {
    Optional<Failure> first = Optional.empty();
    for (int i = 0; i < SAMPLE; i++) {
      Optional<Row> row = rows.next();
      if (row.isEmpty()) {
        return first;
      }
      if (target != Target.IDENTITY && isBroken(row.get())) {
        continue; // It costs a task that row, and shows nothing of others.
      }
      Optional<Failure> failure = failure(row.get());
      if (failure.isEmpty()) {
        return unmet(rows, i + 1);
      }
      first = first.or(() -> failure);
    }
    return first;
  }

  private static boolean isBroken(Row row) {
    return row.fault().filter(fault -> fault.type() != Fault.Type.NOT_AN_OBJECT).isPresent();
  }

  /**
   * A private field that no row of the sample has may be misspelt, which only a person knows.
   *
   * @param read how many rows of the sample were read
   */
  private Optional<Failure> unmet(Rows rows, int read) {
    int count = read;
    try {
      while (!rows.notes().unmetPaths().isEmpty() && count < SAMPLE && rows.next().isPresent()) {
        count++;
      }
    } catch (ApiException e) {
      // The rows before were sound, and a task reads what follows again.
    }
    if (rows.notes().unmetPaths().isEmpty()) {
      return Optional.empty();
    }
    String detail =
        "no row of a sample of %s has the field %s"
            .formatted(Text.count(count, "row"), String.join(", ", rows.notes().unmetPaths()));
    return Optional.of(
        new Failure.Passing(Problem.PRIVATE_FIELD_ABSENT.incident(stream.id(), detail)));
  }

  private Optional<Failure> failure(Row row) {
    if (row.kind() != Row.Kind.OBJECT) {
      return Optional.of(
          target == Target.IDENTITY
              ? stranger(
                  Problem.BODY_MALFORMED.incident(stream.id(), "the identity is not an object"))
              : conclusive(
                  target.unexpected,
                  "rows of " + stream.resource() + " are not objects: " + kind(row)));
    }
    String absent =
        key.stream()
            .filter(part -> !part.nullable())
            .filter(part -> row.names().list().stream().noneMatch(part::isNamed))
            .map(part -> String.join("|", part.names()))
            .collect(Collectors.joining(", "));
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            conclusive(
                Problem.ROWS_UNUSABLE,
                "key fields absent in a sample row of " + stream.resource() + ": " + absent));
  }

  private static String kind(Row row) {
    String kind = row.fault().map(Fault::detail).orElse(row.kind().name()).toLowerCase(ROOT);
    return List.of("string", "number", "boolean").contains(kind)
        ? kind + " (key.fields=value makes rows of plain values)"
        : kind;
  }

  /**
   * The failure of a probe whose request failed.
   *
   * @param identified whether the identity accepts the key: then a 401 is no fault of the key
   */
  Failure failure(ApiException e, boolean identified) {
    if (e instanceof Throttled) {
      return new Failure.Passing(e.incident());
    }
    if (e.is(Problem.KEY_REFUSED) && !identified) {
      return conclusive(
          Problem.KEY_REFUSED,
          "key of location %s is refused (%s)"
              .formatted(stream.location(), e.incident().observed()));
    }
    if (e.is(Problem.KEY_REFUSED) || e.is(Problem.PERMISSION_MISSING)) {
      return conclusive(
          Problem.PERMISSION_MISSING, missingPermission() + " (" + e.incident().observed() + ")");
    }
    if (target == Target.IDENTITY || e.is(Problem.REDIRECT_REFUSED)) {
      return stranger(e.incident());
    }
    if (e.is(Problem.PROXY_REFUSES)) {
      return conclusive(Problem.PROXY_REFUSES, e.incident().observed());
    }
    if (e.is(Problem.PATH_UNKNOWN)) {
      return conclusive(target.absent, e.incident().observed());
    }
    return e instanceof Refused || e instanceof Malformed
        ? conclusive(target.unexpected, e.incident().observed())
        : new Failure.Passing(e.incident());
  }

  /**
   * The service is not at that address. Only the log shows what is: a person who may post a
   * configuration must not learn from it what answers where behind the worker's firewall.
   */
  private Failure stranger(Incident logged) {
    return new Failure.Conclusive(
        Problem.WRONG_ADDRESS,
        "location %s does not answer there as the service does".formatted(stream.location()),
        Optional.of(logged));
  }

  private String missingPermission() {
    String permission = Catalog.find(stream.resource()).map(Catalog.Entry::permission).orElse("");
    return permission.isEmpty()
        ? "key of location %s may not read %s".formatted(stream.location(), stream.resource())
        : "key of location %s lacks %s, needed by %s"
            .formatted(stream.location(), permission, stream.resource());
  }

  private static Failure conclusive(Problem problem, String detail) {
    return new Failure.Conclusive(problem, detail, Optional.empty());
  }

  /**
   * The failure of a probe that had no answer in time.
   *
   * @param late whether it was sent so late that it had less than half of the time
   */
  Failure unanswered(Duration waited, boolean late) {
    String silence = "no answer within %s ms".formatted(waited.toMillis());
    return target == Target.IDENTITY && !late
        ? stranger(Problem.TOO_SLOW.incident(subject(), silence))
        : skipped(silence);
  }

  /** The failure of a probe that was not sent: it got no slot of its limit, or no thread. */
  Failure unsent(Duration waited, boolean forSlot) {
    String reason = forSlot ? "its limit is in use" : "other probes took the time";
    return skipped("not asked within %s ms, since %s".formatted(waited.toMillis(), reason));
  }

  private Failure skipped(String detail) {
    return new Failure.Passing(Problem.VALIDATION_SKIPPED.incident(subject(), detail));
  }

  private String subject() {
    return stream.id() + ": GET " + reading.request().path();
  }
}
