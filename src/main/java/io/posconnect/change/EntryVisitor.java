package io.posconnect.change;

import io.posconnect.resource.Key;

/** Receives the entries of a {@link BucketView}, one by one, in ascending order of their keys. */
@FunctionalInterface
public interface EntryVisitor {

  /**
   * One entry.
   *
   * @param hash content hash, 48 bits
   * @param current false when the entry belongs to an earlier snapshot and only serves to find a
   *     delete
   */
  void visit(Key key, long hash, boolean current);
}
