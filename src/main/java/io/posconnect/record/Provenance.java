package io.posconnect.record;

import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/**
 * Tells which fetch saw a change, and which of its stream's events it is; the stream itself is
 * known to its {@link RecordBuilder}.
 *
 * @param kind why the fetch was made
 * @param time the {@code Date} of the response, or when it arrived if it had none; in milliseconds
 *     in {@code source.ts_ms}
 * @param snapshot whether the fetch belongs to a snapshot or a first backfill
 * @param seq number of the event in its stream, from 1; 0 for what is no event
 * @param epochMillis when that numbering began
 */
public record Provenance(
    FetchKind kind, Instant time, boolean snapshot, long seq, long epochMillis) {

  public Provenance {
    Objects.requireNonNull(kind, "kind is null");
    Objects.requireNonNull(time, "time is null");
  }

  /** Of what is no event yet. */
  public Provenance(FetchKind kind, Instant time, boolean snapshot) {
    this(kind, time, snapshot, 0, 0);
  }

  /** The same fetch, of what a response of that time says. */
  public Provenance told(Instant at) {
    return new Provenance(kind, at, snapshot, seq, epochMillis);
  }

  /** The same fetch, of the event of that number. */
  public Provenance numbered(long number, long epoch) {
    return new Provenance(kind, time, snapshot, number, epoch);
  }

  /** Why a fetch was made. */
  public enum FetchKind {
    /** The first full read. */
    SNAPSHOT,
    /** What changed since the watermark. */
    INCREMENT,
    /** One window of a span of time. */
    BACKFILL,
    /** A later, deeper read that finds deletes and late rows. */
    RECONCILIATION;

    private final String spelling = name().toLowerCase(Locale.ROOT);

    /** How it is written in records. */
    public String spelling() {
      return spelling;
    }
  }
}
