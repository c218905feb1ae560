package io.posconnect.validation;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.RateLimit;
import io.posconnect.client.Rows;
import io.posconnect.config.FaultySetting;
import io.posconnect.json.Row;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.Shape;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cheapest look at a stream that tells whether it can be read: one request, of which the
 * headers and a few rows are read.
 *
 * @param aim what the look is for
 * @param stream whose permission, path and rows are looked at
 * @param keyFields what a row must have
 */
public record Probe(Aim aim, Stream stream, Request request, Shape shape, List<String> keyFields) {

  // So far that rows are likely to come by which the key fields are tried; no further than services
  // allow. However many come, no more than the sample is read.
  private static final Duration LOOK_BACK = Duration.ofDays(7);

  // A wrong key field is absent from every row, a broken row is among good ones.
  private static final int SAMPLE = 20;

  /** What a look is for, and so what is at fault for a wrong answer. */
  enum Aim {
    /** Whether a location answers to its key at all. */
    IDENTITY(FaultySetting.BASE_URL, FaultySetting.BASE_URL),
    /** Whether the rows are where they should be. */
    ROWS(FaultySetting.PATH, FaultySetting.RETRIEVAL),
    /** Whether the pages of a snapshot are. */
    SNAPSHOT(FaultySetting.SNAPSHOT, FaultySetting.SNAPSHOT);

    private final FaultySetting nothing;
    private final FaultySetting other;

    Aim(FaultySetting nothing, FaultySetting other) {
      this.nothing = nothing;
      this.other = other;
    }
  }

  /**
   * What a look brought to light.
   *
   * @param conclusive whether the configuration is at fault, rather than the service for now
   */
  record Finding(FaultySetting blame, String observed, boolean conclusive) {}

  static Probe identity(Stream stream, Resource identity) {
    return of(Aim.IDENTITY, stream, identity, identity.retrieval(), Window.ALL);
  }

  /** All that is needed for a stream: one look, or two where a snapshot has a place of its own. */
  static List<Probe> of(Stream stream, Resource resource, Instant now) {
    Retrieval retrieval = smallest(resource.retrieval());
    Probe rows = of(Aim.ROWS, stream, resource, retrieval, window(retrieval, now));
    return retrieval.filtered() && retrieval.shifting()
        ? List.of(rows, of(Aim.SNAPSHOT, stream, resource, retrieval, Window.ALL))
        : List.of(rows);
  }

  private static Probe of(
      Aim aim, Stream stream, Resource resource, Retrieval retrieval, Window window) {
    Request request = retrieval.first(resource.path(), window);
    return new Probe(aim, stream, request, retrieval.shape(request), resource.keyFields());
  }

  private static Window window(Retrieval retrieval, Instant now) {
    return retrieval.filtered() ? Window.since(now.minus(LOOK_BACK)) : Window.ALL;
  }

  /** The same retrieval, with pages of one row. */
  private static Retrieval smallest(Retrieval retrieval) {
    if (retrieval instanceof Pages pages) {
      return new Pages(pages.numberParameter(), pages.sizeParameter(), pages.firstPage(), 1);
    }
    if (retrieval instanceof Cursor keys) {
      return new Cursor(keys.keyParameter(), keys.sizeParameter(), 1);
    }
    if (retrieval instanceof ModifiedSince since) {
      return new ModifiedSince(since.fromParameter(), since.fullPath(), smallest(since.full()));
    }
    return retrieval;
  }

  /**
   * Sends the request; nothing is found when there is nothing to object to.
   *
   * @param limiter that the slot was taken from
   */
  Optional<Finding> look(ApiClient client, RateLimit limiter) {
    try (Rows rows = client.open(stream.resource(), request, shape)) {
      return typeMismatch(rows);
    } catch (ApiException e) {
      if (e instanceof ApiException.Throttled) {
        limiter.throttled(System.nanoTime());
      }
      return Optional.of(finding(e));
    }
  }

  /** What is wrong with the first row, unless one of the next ones shows that the row itself is. */
  private Optional<Finding> typeMismatch(Rows rows) throws ApiException {
    Optional<Finding> first = Optional.empty();
    for (int i = 0; i < SAMPLE; i++) {
      Optional<Row> row = rows.next();
      if (row.isEmpty()) {
        return first;
      }
      Optional<Finding> finding = typeMismatch(row.get());
      if (finding.isEmpty()) {
        return finding;
      }
      first = first.or(() -> finding);
    }
    return first;
  }

  private Finding finding(ApiException e) {
    String message = e.observed();
    if (e instanceof ApiException.Refused refused) {
      return refused(refused.status(), message);
    }
    if (e instanceof ApiException.Malformed) {
      return new Finding(aim.other, message, true);
    }
    boolean unreachable = e instanceof ApiException.Unavailable && aim == Aim.IDENTITY;
    return new Finding(FaultySetting.BASE_URL, String.valueOf(e.getMessage()), unreachable);
  }

  /**
   * What is found when no answer comes in time.
   *
   * @param late whether it was sent later than the time began
   */
  Finding silence(Duration waited, boolean late) {
    return new Finding(
        FaultySetting.BASE_URL,
        "%s of location %s did not answer within %d ms"
            .formatted(request.path(), stream.location(), waited.toMillis()),
        aim == Aim.IDENTITY && !late);
  }

  /** What is found when others use the limit so much that the request was never sent. */
  Finding crowdedOut(Duration waited) {
    return new Finding(
        FaultySetting.BASE_URL,
        "%s of location %s did not answer within %d ms: it was not asked, since tasks use its limit"
            .formatted(request.path(), stream.location(), waited.toMillis()),
        false);
  }

  private Finding refused(int status, String message) {
    return switch (status) {
      case 401 ->
          new Finding(
              FaultySetting.API_KEY,
              "key of location %s is refused (%s)".formatted(stream.location(), message),
              true);
      case 403 -> new Finding(FaultySetting.PERMISSION, lacking() + " (" + message + ")", true);
      case 407 -> new Finding(FaultySetting.PROXY, message, true);
      case 404, 405, 410 -> new Finding(aim.nothing, message, true);
      default -> new Finding(status < 400 ? FaultySetting.BASE_URL : aim.other, message, true);
    };
  }

  private String lacking() {
    String permission = Catalog.find(stream.resource()).map(Catalog.Entry::permission).orElse("");
    return permission.isEmpty()
        ? "key of location %s may not read %s".formatted(stream.location(), stream.resource())
        : "key of location %s lacks %s, needed by %s"
            .formatted(stream.location(), permission, stream.resource());
  }

  private Optional<Finding> typeMismatch(Row row) {
    if (row.kind() != Row.Kind.OBJECT) {
      return Optional.of(
          new Finding(
              aim.other, "rows of " + stream.resource() + " are no objects: " + row.kind(), true));
    }
    String absent =
        keyFields.stream().filter(field -> !has(row, field)).collect(Collectors.joining(", "));
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                FaultySetting.KEY_FIELDS,
                "key fields absent in a sample row of " + stream.resource() + ": " + absent,
                true));
  }

  /** Spelling of upper and lower case counts as little here as it does when a row is read. */
  private static boolean has(Row row, String field) {
    List<String> alternatives = List.of(field.toLowerCase(Locale.ROOT).split("\\|"));
    return IntStream.range(0, row.size())
        .mapToObj(i -> row.name(i).toLowerCase(Locale.ROOT))
        .anyMatch(alternatives::contains);
  }
}
