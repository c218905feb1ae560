package io.posconnect.record;

import java.time.Instant;
import java.util.Objects;

/**
 * Which fetch saw a change; the stream itself is known to its {@link RecordBuilder}.
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
}
