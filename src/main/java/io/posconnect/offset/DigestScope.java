package io.posconnect.offset;

import java.util.Map;
import java.util.Objects;

/**
 * Says what a digest is of, as a person reads it in an offset. Where any of it changes, what the
 * digest knows is no longer what has to be known.
 *
 * @param topic of the events
 * @param keys what keys are made of
 * @param ignored the fields that are not compared, in order
 * @param list how and where the rows are read
 */
public record DigestScope(String topic, String keys, String ignored, String list) {

  private static final String TOPIC = "topic";
  private static final String KEYS = "keys";
  private static final String IGNORED = "ignored";
  private static final String LIST = "list";

  public DigestScope {
    Objects.requireNonNull(topic, "topic is null");
    Objects.requireNonNull(keys, "keys is null");
    Objects.requireNonNull(ignored, "ignored is null");
    Objects.requireNonNull(list, "list is null");
  }

  /** Whether entries of that scope can be held against rows of this one: same topic, same keys. */
  public boolean continues(DigestScope before) {
    return topic.equals(before.topic) && keys.equals(before.keys);
  }

  void put(Map<String, Object> offset) {
    offset.put(TOPIC, topic);
    offset.put(KEYS, keys);
    offset.put(IGNORED, ignored);
    offset.put(LIST, list);
  }

  static DigestScope of(Map<String, ?> offset) {
    return new DigestScope(
        text(offset, TOPIC), text(offset, KEYS), text(offset, IGNORED), text(offset, LIST));
  }

  private static String text(Map<String, ?> offset, String field) {
    return offset.get(field) instanceof String text ? text : "";
  }
}
