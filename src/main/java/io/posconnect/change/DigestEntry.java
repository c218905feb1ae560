package io.posconnect.change;

/** What is known of a key, in one long: 48 bits of content hash, and whether it is current. */
final class DigestEntry {

  /** The key is gone. */
  static final long REMOVED = -1;

  private static final long CURRENT = 1L << 48;
  private static final long HASH = CURRENT - 1;

  private DigestEntry() {}

  static long of(long hash, boolean current) {
    if ((hash & ~HASH) != 0) {
      throw new IllegalArgumentException("a content hash has 48 bits");
    }
    return current ? hash | CURRENT : hash;
  }

  static long hash(long word) {
    return word & HASH;
  }

  static boolean isCurrent(long word) {
    return (word & CURRENT) != 0;
  }
}
