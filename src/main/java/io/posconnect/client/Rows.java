package io.posconnect.client;

import io.posconnect.json.BodyNotes;
import io.posconnect.json.KnownRows;
import io.posconnect.json.Row;
import io.posconnect.resource.PageEnd;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads the rows of one response, one at a time, in the order in which they arrive. For one thread.
 */
public interface Rows extends AutoCloseable {

  /**
   * Returns the next row, or empty after the last one of a body that arrived whole.
   *
   * @throws ApiException when the body stalls, breaks off, exceeds a limit or is not of its shape;
   *     what was returned before stays true
   */
  Optional<Row> next() throws ApiException;

  /**
   * Skips the next row if it is a known one; otherwise {@link #next} returns it.
   *
   * @throws ApiException as {@link #next} does
   */
  default boolean skip(KnownRows known) throws ApiException {
    return false;
  }

  /**
   * How the response ended.
   *
   * @throws IllegalStateException before {@link #next} was empty
   */
  PageEnd end();

  /**
   * The response's {@code Date} header, in whole seconds; empty when there was none or it was
   * unreadable.
   */
  Optional<Instant> date();

  /** What was noted of the body so far. */
  BodyNotes notes();

  /** Ends the exchange; cheap and safe at any time. */
  @Override
  void close();
}
