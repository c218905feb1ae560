package io.posconnect.record;

import io.posconnect.resource.Spelled;
import io.posconnect.resource.Stream;

/**
 * Where one stream's records go, and in which form.
 *
 * @param tombstones whether a delete in an envelope is followed by a tombstone
 */
public record Destination(Stream stream, Topics topics, EventFormat format, boolean tombstones) {

  public enum EventFormat implements Spelled {
    /** Debezium's envelope: before, after, source, op. */
    ENVELOPE,
    /** The row itself, with operation and source in headers. */
    FLAT
  }
}
