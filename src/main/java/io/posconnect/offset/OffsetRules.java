package io.posconnect.offset;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/** Validates a request to alter stored offsets. */
public final class OffsetRules {

  private OffsetRules() {}

  /**
   * Checks one entry of a request to alter offsets. Null is a reset and allowed for any partition,
   * even one that is not ours, since a reset of everything lists whatever was ever stored. A
   * position may be given a watermark, and nothing else.
   *
   * @param streams those that are configured: a position of another one would move nothing
   * @param now a watermark in the future would hide what changes until then
   * @throws ConnectException when it is not allowed; the message states what is
   */
  public static void validate(
      Collection<Stream> streams,
      @Nullable Map<String, ?> partition,
      @Nullable Map<String, ?> offsetOrNull,
      Instant now) {
    if (offsetOrNull == null) {
      return;
    }
    StreamPartition parsed = StreamPartition.parse(partition);
    if (!parsed.isPosition()) {
      throw new ConnectException(
          Problem.OFFSET_REFUSED.at(
              "the offset of " + parsed,
              "a part of a digest can only be reset, with null, or given with the position and all parts"));
    }
    expectConfigured(streams, parsed.stream());
    if (offsetOrNull.size() != 1
        || !(offsetOrNull.get(StreamOffsetFields.WATERMARK) instanceof String text)
        || !isSensible(text, now)) {
      throw new ConnectException(
          Problem.OFFSET_REFUSED.at(
              "the offset of " + parsed,
              "a position can be set to a watermark alone, such as {\"watermark\":"
                  + " \"2026-01-31T00:00:00Z\"}, not before 1970 and not in the future, to read again"
                  + " what changed since, or to null, to read everything again"));
    }
  }

  /** Refuses an offset of a stream that is not configured. */
  public static void expectConfigured(Collection<Stream> streams, Stream stream) {
    if (!streams.contains(stream)) {
      throw new ConnectException(
          Problem.OFFSET_REFUSED.at(
              "the offset of " + stream,
              "this connector has no such stream, only "
                  + streams.stream().map(Stream::id).sorted().collect(Collectors.joining(", "))));
    }
  }

  private static boolean isSensible(String text, Instant now) {
    try {
      Instant instant = Instant.parse(text);
      return !instant.isBefore(Instant.EPOCH) && !instant.isAfter(now);
    } catch (DateTimeException e) {
      return false;
    }
  }
}
