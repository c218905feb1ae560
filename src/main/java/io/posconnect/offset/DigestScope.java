package io.posconnect.offset;

import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The part of the configuration that a digest depends on, as a person reads it in an offset. If
 * anything but the contract changes, the digest no longer fits.
 *
 * @param topic of the events
 * @param keys what keys are made of
 * @param ignored the fields that are not compared, in order
 * @param list how and where the rows are read
 * @param contract which fields are typed, and how; empty where that is not known. Another contract
 *     leaves all earlier events true
 */
public record DigestScope(String topic, String keys, String ignored, String list, String contract) {

  private static final String TOPIC = "topic";
  private static final String KEYS = "keys";
  private static final String IGNORED = "ignored";
  private static final String LIST = "list";

  /** What is private stands behind the fields that are not compared, where there are any. */
  private static final Pattern RULES = Pattern.compile("(only|excluded|hashed) ");

  /** Of a position; segments hold it in a shorter form. */
  static final String CONTRACT = "contract";

  /** Returns whether entries of that scope compare with rows of this one: same topic, same keys. */
  public boolean continues(DigestScope before) {
    return topic.equals(before.topic) && keys.equals(before.keys);
  }

  /** Returns whether rows of that scope are read and compared as in this one. */
  public boolean comparesAs(DigestScope before) {
    return ignored.equals(before.ignored) && list.equals(before.list);
  }

  /** How rows are read and compared, as a person reads it. */
  public String comparison() {
    if (ignored.isEmpty()) {
      return list;
    }
    return RULES.matcher(ignored).lookingAt()
        ? list + ", " + ignored
        : list + " without " + ignored;
  }

  public DigestScope withContract(String value) {
    return new DigestScope(topic, keys, ignored, list, value);
  }

  /**
   * The scope of entries under these names of key fields. Builds before 0.1.0 let the first row
   * choose one of {@code a|b}; if they chose the alias, keys are others than those of this build.
   */
  DigestScope under(String chosen) {
    boolean alias =
        Arrays.stream(chosen.split(","))
            .anyMatch(name -> keys.matches(".*\\|" + Pattern.quote(name) + "[/|?:].*"));
    return alias ? new DigestScope(topic, keys + " by " + chosen, ignored, list, contract) : this;
  }

  /** Puts all of it but the contract. */
  void put(Map<String, Object> offset) {
    offset.put(TOPIC, topic);
    offset.put(KEYS, keys);
    if (!ignored.isEmpty()) {
      offset.put(IGNORED, ignored);
    }
    offset.put(LIST, list);
  }

  static DigestScope of(Map<String, ?> offset) {
    return new DigestScope(
        text(offset, TOPIC),
        text(offset, KEYS),
        text(offset, IGNORED),
        text(offset, LIST),
        text(offset, CONTRACT));
  }

  private static String text(Map<String, ?> offset, String field) {
    return offset.get(field) instanceof String text ? text : "";
  }
}
