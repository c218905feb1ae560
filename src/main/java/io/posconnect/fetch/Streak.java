package io.posconnect.fetch;

/** Counts the failures that followed one another without anything behind their place being read. */
final class Streak {

  /** The furthest of the fetch's requests that failed. */
  int page;

  int times;

  /** Whether the stream is suspended for it. */
  boolean suspends;
}
