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
 */
public final class StreamPartition {

  private static final String FIELD = "stream";
  private static final Pattern TEXT = Pattern.compile("([^/]+)/([^/]+)(?:/(0|[1-9][0-9]{0,8}))?");
  private static final int POSITION = -1;

  private final Stream stream;
  private final int slot;
  private final Map<String, String> map;

  private StreamPartition(Stream stream, int slot) {
    if (stream.location().contains("/") || stream.resource().contains("/")) {
      throw new IllegalArgumentException("a slash in a name of the stream " + stream);
    }
    this.stream = stream;
    this.slot = slot;
    this.map = Map.of(FIELD, slot == POSITION ? stream.id() : stream.id() + "/" + slot);
  }

  public static StreamPartition position(Stream stream) {
    return new StreamPartition(stream, POSITION);
  }

  /** The partition of one slot of the stream's digest, from 0. */
  public static StreamPartition slot(Stream stream, int slot) {
    if (slot < 0) {
      throw new IllegalArgumentException("slot " + slot);
    }
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
        if (matcher.group(3) == null) {
          return position(stream);
        }
        return slot(stream, Integer.parseInt(matcher.group(3)));
      }
    }
    throw new ConnectException(
        Problem.OFFSET_REFUSED.at(
            "the offset of " + partition, "this is not a partition of this connector"));
  }

  public Stream stream() {
    return stream;
  }

  /** Returns whether this is the stream's position rather than a part of its digest. */
  public boolean isPosition() {
    return slot == POSITION;
  }

  /** The slot; less than any slot for a position. */
  int number() {
    return slot;
  }

  /** The partition as Connect takes it: always the same immutable map of one entry. */
  public Map<String, String> toMap() {
    return map;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StreamPartition partition && map.equals(partition.map);
  }

  @Override
  public int hashCode() {
    return map.hashCode();
  }

  @Override
  public String toString() {
    return map.getOrDefault(FIELD, "");
  }
}
