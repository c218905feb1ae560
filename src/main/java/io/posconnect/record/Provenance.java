package io.posconnect.record;

import io.posconnect.resource.Numbering;
import io.posconnect.resource.Spelled;
import java.time.Instant;

/**
 * Names which fetch saw a change, and which of its stream's events it is; the stream itself is
 * known to its {@link RecordBuilder}.
 *
 * @param kind why the fetch was made
 * @param time the {@code Date} of the response, or when it arrived if it had none; in milliseconds
 *     in {@code source.ts_ms}
 * @param snapshot whether the fetch belongs to a snapshot or a first backfill
 * @param numbering of the event in its stream; {@link Numbering#NONE} for a record that is no event
 */
public record Provenance(FetchKind kind, Instant time, boolean snapshot, Numbering numbering) {

  /** Of what is no event yet. */
  public Provenance(FetchKind kind, Instant time, boolean snapshot) {
    this(kind, time, snapshot, Numbering.NONE);
  }

  /** The same fetch, of a response of that time. */
  public Provenance at(Instant at) {
    return new Provenance(kind, at, snapshot, numbering);
  }

  /** The same fetch, of the event of that number. */
  public Provenance numbered(Numbering value) {
    return new Provenance(kind, time, snapshot, value);
  }

  public enum FetchKind implements Spelled {
    /** A full read that emits every row. */
    SNAPSHOT,
    /** The first read, of which nothing is emitted; only a checkpoint calls it so. */
    BASELINE,
    /** What changed since the watermark. */
    INCREMENT,
    /** One window of the first read of a date range. */
    BACKFILL,
    /** A later, deeper read that finds deletes and late rows. */
    RECONCILIATION;

    // Once, since it stands in every event.
    private final String spelling = Spelled.super.spelling();

    @Override
    public String spelling() {
      return spelling;
    }
  }
}
