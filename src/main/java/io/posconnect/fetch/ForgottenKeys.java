package io.posconnect.fetch;

import io.posconnect.change.Digest;

/**
 * Keys that need not be remembered once the checkpoint is written.
 *
 * @param before the digest's tick since which they were not seen
 * @param unseen whether those are among them that were not seen since the start at all
 */
record ForgottenKeys(long before, boolean unseen) {

  static final ForgottenKeys NONE = new ForgottenKeys(0, false);

  // Keys that were restored carry a smaller tick until they are seen.
  private static final long FIRST_TICK = 1;

  /** Removes them; returns how many there were. */
  int forget(Digest digest) {
    return unseen ? digest.forget(before) : digest.forget(FIRST_TICK, before);
  }
}
