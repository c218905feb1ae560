package io.posconnect.record;

import io.posconnect.resource.Stream;
import java.util.Locale;
import java.util.Objects;

/**
 * Holds the topics of one stream's records, and their form.
 *
 * @param stream whose records they are
 * @param version of this connector, for {@code source.version}
 * @param prefix the topic prefix, for {@code source.name}
 * @param topic of the events
 * @param checkpointsTopic of the checkpoints
 * @param statusTopic of changes of the stream's state
 * @param deadLettersTopic of the rows that cannot become events
 * @param format of an event's value
 * @param tombstones whether a delete in an envelope is followed by a tombstone
 */
public record Destination(
    Stream stream,
    String version,
    String prefix,
    String topic,
    String checkpointsTopic,
    String statusTopic,
    String deadLettersTopic,
    EventFormat format,
    boolean tombstones) {
  public Destination {
    Objects.requireNonNull(stream, "stream is null");
    Objects.requireNonNull(version, "version is null");
    Objects.requireNonNull(prefix, "prefix is null");
    Objects.requireNonNull(topic, "topic is null");
    Objects.requireNonNull(checkpointsTopic, "checkpointsTopic is null");
    Objects.requireNonNull(statusTopic, "statusTopic is null");
    Objects.requireNonNull(deadLettersTopic, "deadLettersTopic is null");
    Objects.requireNonNull(format, "format is null");
  }

  /** The forms of an event's value. */
  public enum EventFormat {
    /** Debezium's envelope: before, after, source, op. */
    ENVELOPE,
    /** The row itself, with operation and source in headers. */
    FLAT;

    /** The spelling in a configuration. */
    public String spelling() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
