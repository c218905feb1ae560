package io.posconnect.json;

/**
 * Recognises rows by their bytes, before anything is read of them. What it is asked about is the
 * beginning of a row that ends where the bytes do, or not a known row. For one thread.
 */
public interface KnownRows {

  /** Begins any row; returns how many bytes it should have, or 0 where that is not known. */
  int expected();

  /**
   * Returns whether the bytes are those of a row of which nothing else needs to be read.
   *
   * @param text not to be kept or written to
   */
  boolean passes(byte[] text, int from, int length);
}
