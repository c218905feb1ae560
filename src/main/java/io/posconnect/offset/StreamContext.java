package io.posconnect.offset;

import io.posconnect.resource.Numbering;

/**
 * The state of a stream when one of its records left: stored with every segment of its digest and
 * with every checkpoint.
 *
 * @param snapshot that the current entries of the digest belong to
 * @param scope what the digest is of
 * @param numbering of the latest event, that record included
 * @param identity how the location identified itself, as the caller spells it; may be empty
 * @param damaged the damaged segments that the snapshot replaced, by their marks, and {@link #LOST}
 *     among them; may be empty
 */
public record StreamContext(
    Snapshot snapshot, DigestScope scope, Numbering numbering, String identity, String damaged) {

  /** Stands among the marks, none of which contains it, if the snapshot answers a loss. */
  public static final String LOST = "lost";

  /** The context of a stream of which nothing else is known. */
  public static StreamContext of(Snapshot snapshot, DigestScope scope, Numbering numbering) {
    return new StreamContext(snapshot, scope, numbering, "", "");
  }

  public StreamContext withSnapshot(Snapshot value) {
    return new StreamContext(value, scope, numbering, identity, damaged);
  }

  public StreamContext withNumbering(Numbering value) {
    return new StreamContext(snapshot, scope, value, identity, damaged);
  }

  public StreamContext withIdentity(String value) {
    return new StreamContext(snapshot, scope, numbering, value, damaged);
  }

  /** Returns whether the digest lacks a part that it had of earlier snapshots. */
  public boolean isIncomplete() {
    return damaged.contains(LOST);
  }
}
