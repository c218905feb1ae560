package io.posconnect.resource;

/**
 * The end of a response, after its last row.
 *
 * @param rows elements in this response
 * @param nextPageKey the key of the page that follows; empty when none does, or it needs no key
 */
public record PageEnd(long rows, String nextPageKey) {

  /** The end of a response that is no envelope. */
  public static PageEnd of(long rows) {
    return new PageEnd(rows, "");
  }
}
