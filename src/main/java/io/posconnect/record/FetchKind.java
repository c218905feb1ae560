package io.posconnect.record;

import java.util.Locale;

/** Why a fetch was made. */
public enum FetchKind {
  /** The first full read. */
  SNAPSHOT,
  /** What changed since the watermark. */
  INCREMENT,
  /** One window of a first read that goes from window to window. */
  BACKFILL,
  /** A later, deeper read that finds deletes and late rows. */
  RECONCILIATION;

  /** How it is written in records. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
