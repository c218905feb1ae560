package io.posconnect.offset;

import io.posconnect.resource.Key;

/** Receives the stored entries of a bucket in ascending order of keys. */
@FunctionalInterface
public interface EntryVisitor {

  /**
   * One entry.
   *
   * @param bucket the bucket it was stored in
   * @param hash content hash, 48 bits
   * @param current false when the entry belongs to an earlier snapshot
   */
  void visit(int bucket, Key key, long hash, boolean current);
}
