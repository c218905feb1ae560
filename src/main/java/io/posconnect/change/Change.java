package io.posconnect.change;

/** What a row is to somebody who saw everything that was said about its key before. */
public enum Change {
  /** The key is new, or what is known of it belongs to an earlier snapshot. */
  CREATE,
  /** The key is known with another content. */
  UPDATE,
  /** The key is known with this content: nothing to say. */
  SAME,
  /** The same response held the key before, with another content: the key is not unique. */
  REPEATED
}
