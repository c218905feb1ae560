package io.posconnect.fetch;

import io.posconnect.record.Checkpoint;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.time.Instant;

/** Hears what happens to streams, for metrics. Called on fetch threads and not to be held up. */
public interface FetchListener {

  /** Nobody listens. */
  FetchListener NONE = new FetchListener() {};

  /** A request is about to be sent. */
  default void requested(Stream stream) {}

  /** A request failed and will be made again. */
  default void retried(Stream stream) {}

  /** A change event went into the buffer. */
  default void emitted(Stream stream, Operation operation) {}

  /** A fetch is complete. */
  default void completed(Stream stream, Checkpoint checkpoint) {}

  /** The service's clock is so far ahead of the local one (negative: behind). */
  default void skewed(Stream stream, Duration ahead) {}

  /** The position up to which the stream is complete has moved. */
  default void watermark(Stream stream, Instant watermark) {}

  /** The digest holds so many keys. */
  default void digest(Stream stream, int keys) {}

  /** So many keys have vanished and wait for a second look; 0 when none do. */
  default void deletesPending(Stream stream, int keys) {}

  /** The stream keeps only the keys of its last window, or every key again. */
  default void retention(Stream stream, boolean full) {}

  /** The stream is suspended until a probe succeeds. */
  default void suspended(Stream stream, String reason) {}

  /** The stream is read again. */
  default void recovered(Stream stream) {}
}
