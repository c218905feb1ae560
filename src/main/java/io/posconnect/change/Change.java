package io.posconnect.change;

/** How a row compares with the digest. */
public enum Change {
  /** The key is new, or its entry belongs to an earlier snapshot. */
  CREATE,
  /** The key has a current entry with another content. */
  UPDATE,
  /** The key has a current entry with this content: nothing is emitted. */
  UNCHANGED
}
