package io.posconnect.resource;

/**
 * The end of a response, after its last row.
 *
 * @param rows elements in this response
 * @param haveMoreData the envelope's flag; false for a plain array or object
 * @param nextPageKey the envelope's token, empty when there was none
 */
public record PageEnd(long rows, boolean haveMoreData, String nextPageKey) {

  /** The end of a response that is no envelope. */
  public static PageEnd of(long rows) {
    return new PageEnd(rows, false, "");
  }
}
