package io.posconnect.offset;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * A source partition: the position of a stream, {@code {"stream": "downtown/products"}}, or one
 * slot for a segment of its digest, {@code {"stream": "downtown/products/17"}}.
 *
 * @param number of the slot; less than any slot for a position
 */
public record StreamPartition(Stream stream, int number) {

  private static final String FIELD = "stream";
  private static final Pattern TEXT = Pattern.compile("([^/]+)/([^/]+)(?:/(0|[1-9][0-9]{0,8}))?");
  private static final int POSITION = -1;

  public static StreamPartition position(Stream stream) {
    return new StreamPartition(stream, POSITION);
  }

  /** The partition of one slot of the stream's digest, from 0. */
  public static StreamPartition slot(Stream stream, int slot) {
    return new StreamPartition(stream, slot);
  }

  /**
   * Reads a partition as Connect gives it.
   *
   * @throws ConnectException when it is none of ours
   */
  public static StreamPartition parse(@Nullable Map<String, ?> partition) {
    if (partition != null && partition.size() == 1 && partition.get(FIELD) instanceof String text) {
      Matcher matcher = TEXT.matcher(text);
      if (matcher.matches()) {
        Stream stream = new Stream(matcher.group(1), matcher.group(2));
        String slot = matcher.group(3);
        return slot == null ? position(stream) : slot(stream, Integer.parseInt(slot));
      }
    }
    throw new ConnectException(
        Problem.OFFSET_REFUSED.at(
            "the offset of " + partition, "this is not a partition of this connector"));
  }

  /** Returns whether this is the stream's position rather than a part of its digest. */
  public boolean isPosition() {
    return number == POSITION;
  }

  /** The partition as Connect takes it: always an equal immutable map of one entry. */
  public Map<String, String> toMap() {
    return Map.of(FIELD, toString());
  }

  @Override
  public String toString() {
    return isPosition() ? stream.id() : stream.id() + "/" + number;
  }
}
