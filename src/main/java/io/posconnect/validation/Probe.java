package io.posconnect.validation;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.RateLimit;
import io.posconnect.client.Rows;
import io.posconnect.config.FaultySetting;
import io.posconnect.json.Row;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Shape;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Asks for a stream as cheaply as possible, and tells from the headers and a few rows whether it
 * can be read.
 *
 * @param stream whose permission, path and rows are tried
 * @param keyFields what a row must have
 */
record Probe(Target target, Stream stream, Request request, Shape shape, List<String> keyFields) {

  // So far back that rows are likely to come by which the key fields are tried; no further than
  // services allow. However many come, no more than the sample is read.
  private static final Duration LOOKBACK = Duration.ofDays(7);

  // A wrong key field is absent from every row, a broken row is among good ones.
  private static final int SAMPLE = 20;

  /** What is asked for, and so which setting a wrong answer speaks against. */
  enum Target {
    /** Whose key it is, and so whether a location answers to it at all. */
    IDENTITY(FaultySetting.BASE_URL, FaultySetting.BASE_URL),
    /** The rows. */
    ROWS(FaultySetting.PATH, FaultySetting.RETRIEVAL),
    /** The pages of a snapshot. */
    SNAPSHOT(FaultySetting.SNAPSHOT, FaultySetting.SNAPSHOT);

    private final FaultySetting absent;
    private final FaultySetting unexpected;

    Target(FaultySetting absent, FaultySetting unexpected) {
      this.absent = absent;
      this.unexpected = unexpected;
    }
  }

  /**
   * What a probe met instead of what it asked for.
   *
   * @param setting that is at fault, if any is
   * @param told to whoever posted the configuration; the setting gives it its code and remedy when
   *     it is conclusive, else it has its own
   * @param conclusive whether the configuration is at fault, rather than the service for now
   * @param logged what only the worker's log is to hold; empty where that is no more
   */
  record Failure(FaultySetting setting, String told, boolean conclusive, String logged) {}

  static Probe identity(Stream stream, Resource identity, Instant now) {
    return of(Target.IDENTITY, stream, identity, requests(identity, now).get(0));
  }

  /** All that is needed for a stream: one, or two where a snapshot has a path of its own. */
  static List<Probe> of(Stream stream, Resource resource, Instant now) {
    List<Probe> probes = new ArrayList<>();
    for (Request request : requests(resource, now)) {
      Target target = probes.isEmpty() ? Target.ROWS : Target.SNAPSHOT;
      probes.add(of(target, stream, resource, request));
    }
    return probes;
  }

  private static Probe of(Target target, Stream stream, Resource resource, Request request) {
    Shape shape = resource.retrieval().shape(request);
    return new Probe(target, stream, request, shape, resource.keyFields());
  }

  private static List<Request> requests(Resource resource, Instant now) {
    return resource.retrieval().probes(resource.path(), now.minus(LOOKBACK));
  }

  /**
   * Sends the request; empty when there is nothing to object to.
   *
   * @param limiter that the slot was taken from
   */
  Optional<Failure> send(ApiClient client, RateLimit limiter) {
    Runnable onRedirect = () -> limiter.charge(System.nanoTime());
    try (Rows rows = client.open(stream.resource(), request, shape, onRedirect)) {
      return unusable(rows);
    } catch (ApiException e) {
      if (e instanceof ApiException.Throttled) {
        limiter.throttled(System.nanoTime());
      }
      return Optional.of(failure(e));
    }
  }

  /** What is wrong with the first row, unless one of the next ones shows that the row itself is. */
  private Optional<Failure> unusable(Rows rows) throws ApiException {
    Optional<Failure> first = Optional.empty();
    for (int i = 0; i < SAMPLE; i++) {
      Optional<Row> row = rows.next();
      if (row.isEmpty()) {
        return first;
      }
      Optional<Failure> failure = unusable(row.get());
      if (failure.isEmpty()) {
        return failure;
      }
      first = first.or(() -> failure);
    }
    return first;
  }

  private Optional<Failure> unusable(Row row) {
    if (row.kind() != Row.Kind.OBJECT && target == Target.IDENTITY) {
      return Optional.of(
          stranger(Problem.BODY_MALFORMED.at(stream.id(), "the identity is no object")));
    }
    if (row.kind() != Row.Kind.OBJECT) {
      return Optional.of(
          conclusive(
              target.unexpected,
              "rows of " + stream.resource() + " are no objects: " + row.kind()));
    }
    String absent =
        KeyPart.all(keyFields).stream()
            .filter(part -> !part.nullable() && !has(row, part))
            .map(part -> String.join("|", part.names()))
            .collect(Collectors.joining(", "));
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            conclusive(
                FaultySetting.KEY_FIELDS,
                "key fields absent in a sample row of " + stream.resource() + ": " + absent));
  }

  /** Spelling of upper and lower case counts as little here as it does when a row is read. */
  private static boolean has(Row row, KeyPart part) {
    return IntStream.range(0, row.size()).mapToObj(row::name).anyMatch(part::isNamed);
  }

  private Failure failure(ApiException e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof ApiException.Refused refused && isAboutTheKey(refused.status())) {
      return refused(refused.status(), e.incident().observed());
    }
    if (e instanceof ApiException.Throttled) {
      return new Failure(FaultySetting.BASE_URL, message, false, "");
    }
    if (target == Target.IDENTITY) {
      return stranger(message);
    }
    if (e instanceof ApiException.Refused refused) {
      return refused(refused.status(), e.incident().observed());
    }
    return e instanceof ApiException.Malformed
        ? conclusive(target.unexpected, e.incident().observed())
        : new Failure(FaultySetting.BASE_URL, message, false, "");
  }

  private static boolean isAboutTheKey(int status) {
    return status == 401 || status == 403;
  }

  /**
   * Somebody else is there, or nobody. Which of them is told to the log alone: whoever may post a
   * configuration shall not learn from it what answers where behind the worker's firewall.
   */
  private Failure stranger(String logged) {
    return new Failure(
        FaultySetting.BASE_URL,
        "location %s does not answer there as the service does".formatted(stream.location()),
        true,
        logged);
  }

  private Failure refused(int status, String message) {
    return switch (status) {
      case 401 ->
          conclusive(
              FaultySetting.API_KEY,
              "key of location %s is refused (%s)".formatted(stream.location(), message));
      case 403 -> conclusive(FaultySetting.PERMISSION, lacking() + " (" + message + ")");
      case 407 -> conclusive(FaultySetting.PROXY, message);
      case 404, 405, 410 -> conclusive(target.absent, message);
      default -> conclusive(status < 400 ? FaultySetting.BASE_URL : target.unexpected, message);
    };
  }

  private String lacking() {
    String permission = Catalog.find(stream.resource()).map(Catalog.Entry::permission).orElse("");
    return permission.isEmpty()
        ? "key of location %s may not read %s".formatted(stream.location(), stream.resource())
        : "key of location %s lacks %s, needed by %s"
            .formatted(stream.location(), permission, stream.resource());
  }

  private static Failure conclusive(FaultySetting setting, String observed) {
    return new Failure(setting, observed, true, "");
  }

  /**
   * What it means that no answer came in time.
   *
   * @param late whether it was sent so late that it had less than half of the time
   */
  Failure unanswered(Duration waited, boolean late) {
    String silence = "no answer within %d ms".formatted(waited.toMillis());
    return target == Target.IDENTITY && !late
        ? stranger(Problem.TOO_SLOW.at(stream.id() + ": GET " + request.path(), silence))
        : skipped(silence);
  }

  /** What it means that others use the limit so much that the request was never sent. */
  Failure unsent(Duration waited) {
    return skipped(
        "not asked within %d ms, since tasks use its limit".formatted(waited.toMillis()));
  }

  private Failure skipped(String detail) {
    String subject = stream.id() + ": GET " + request.path();
    return new Failure(
        FaultySetting.BASE_URL, Problem.VALIDATION_SKIPPED.at(subject, detail), false, "");
  }
}
