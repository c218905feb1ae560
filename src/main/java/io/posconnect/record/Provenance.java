package io.posconnect.record;

import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/**
 * Tells which fetch saw a change; the stream itself is known to its {@link RecordBuilder}.
 *
 * @param kind why the fetch was made
 * @param time server time at the start of the fetch, in milliseconds in {@code source.ts_ms}
 * @param snapshot whether the fetch belongs to a snapshot or a first backfill
 */
public record Provenance(FetchKind kind, Instant time, boolean snapshot) {
  public Provenance {
    Objects.requireNonNull(kind, "kind is null");
    Objects.requireNonNull(time, "time is null");
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

    /** How it is written in records. */
    public String spelling() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
