package io.posconnect.offset;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * A source partition: the position of a stream, {@code {"stream": "downtown/products"}}, or one
 * bucket of its digest, {@code {"stream": "downtown/products/64/17"}}, the eighteenth of 64.
 */
public final class StreamPartition {

  private static final String FIELD = "stream";
  private static final Pattern TEXT =
      Pattern.compile("([^/]+)/([^/]+)(?:/([1-9][0-9]{0,8})/(0|[1-9][0-9]{0,8}))?");

  private final Stream stream;
  private final int buckets;
  private final int bucket;
  private final Map<String, String> map;

  private StreamPartition(Stream stream, int buckets, int bucket) {
    if (stream.location().contains("/") || stream.resource().contains("/")) {
      throw new IllegalArgumentException("a slash in a name of the stream " + stream);
    }
    this.stream = stream;
    this.buckets = buckets;
    this.bucket = bucket;
    this.map =
        Map.of(FIELD, buckets == 0 ? stream.id() : stream.id() + "/" + buckets + "/" + bucket);
  }

  /** The partition of the stream's checkpoints. */
  public static StreamPartition position(Stream stream) {
    return new StreamPartition(stream, 0, 0);
  }

  /** The partition of one bucket of the stream's digest. */
  public static StreamPartition bucket(Stream stream, int buckets, int bucket) {
    if (buckets < 1) {
      throw new IllegalArgumentException("number of buckets is " + buckets);
    }
    return new StreamPartition(stream, buckets, Objects.checkIndex(bucket, buckets));
  }

  /** The partitions of all buckets of the stream's digest, in order. */
  public static List<StreamPartition> buckets(Stream stream, int buckets) {
    return IntStream.range(0, buckets).mapToObj(i -> bucket(stream, buckets, i)).toList();
  }

  /**
   * Reads a partition as Connect gives it.
   *
   * @throws ConnectException when it is none of ours, saying what one looks like
   */
  public static StreamPartition parse(@Nullable Map<String, ?> partition) {
    if (partition != null && partition.size() == 1 && partition.get(FIELD) instanceof String text) {
      Matcher matcher = TEXT.matcher(text);
      if (matcher.matches()) {
        Stream stream = new Stream(matcher.group(1), matcher.group(2));
        if (matcher.group(3) == null) {
          return position(stream);
        }
        int buckets = Integer.parseInt(matcher.group(3));
        int bucket = Integer.parseInt(matcher.group(4));
        if (bucket < buckets) {
          return bucket(stream, buckets, bucket);
        }
      }
    }
    throw new ConnectException(
        Problem.OFFSET_REFUSED.at(
            "the offset of " + partition, "this is not a partition of this connector"));
  }

  public Stream stream() {
    return stream;
  }

  /** Whether this is the stream's position rather than a bucket. */
  public boolean isPosition() {
    return buckets == 0;
  }

  /** Number of buckets of the digest, 0 for a position. */
  public int buckets() {
    return buckets;
  }

  /** Which of the buckets, from 0. */
  public int bucket() {
    return bucket;
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
