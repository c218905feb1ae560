package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.client.ApiClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.RetryPolicy;
import io.posconnect.client.ServerClock;
import io.posconnect.offset.StreamOffset;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.utils.Time;

/**
 * What a stream is made of.
 *
 * @param resumed where the stream left off, under the snapshot's id that holds from now on
 * @param digest what was said until then
 * @param limiters the limiter of a path and the key that holds, shared by all that uses both
 * @param newCredentials whether there is a key that a request sent at that monotonic time did not
 *     carry
 * @param identity who the location says it is, shared by its streams
 */
public record StreamParts(
    Stream stream,
    Resource resource,
    FetchSettings settings,
    StreamOffset resumed,
    Digest digest,
    AckTracker ackTracker,
    RowSchema contract,
    RecordBuilder records,
    ApiClient client,
    Function<String, RateLimit> limiters,
    RetryPolicy retries,
    RandomGenerator random,
    ServerClock clock,
    LongPredicate newCredentials,
    Buffer buffer,
    FetchListener listener,
    Time time,
    LocationIdentity identity) {

  /** A stream of a location that is never asked who it is. */
  public StreamParts(
      Stream stream,
      Resource resource,
      FetchSettings settings,
      StreamOffset resumed,
      Digest digest,
      AckTracker ackTracker,
      RowSchema contract,
      RecordBuilder records,
      ApiClient client,
      Function<String, RateLimit> limiters,
      RetryPolicy retries,
      RandomGenerator random,
      ServerClock clock,
      LongPredicate newCredentials,
      Buffer buffer,
      FetchListener listener,
      Time time) {
    this(
        stream,
        resource,
        settings,
        resumed,
        digest,
        ackTracker,
        contract,
        records,
        client,
        limiters,
        retries,
        random,
        clock,
        newCredentials,
        buffer,
        listener,
        time,
        LocationIdentity.unasked());
  }
}
