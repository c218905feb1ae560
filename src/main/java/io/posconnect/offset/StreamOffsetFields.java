package io.posconnect.offset;

import io.posconnect.change.Image.Vouched;
import io.posconnect.offset.Snapshot.State;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Spelled;
import io.posconnect.resource.Stream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a stored {@link StreamOffset}; a fault names the field. */
record StreamOffsetFields(Stream stream, Map<String, ?> map) {

  static final String WATERMARK = "watermark";
  static final String VERSION = "version";
  static final String SNAPSHOT = "snapshot";
  static final String SNAPSHOT_ID = "snapshot.id";
  static final String START_FROM = "start.from";
  static final String LAST_RECONCILIATION = "last.reconciliation";
  static final String DIGEST = "digest";
  static final String SUSPECTS = "suspects";
  static final String IDENTITY = "identity";
  static final String SEQ = "seq";
  static final String EPOCH = "epoch.ms";

  /** Of a field with an alias, the name that builds before 0.1.0 chose by the first row. */
  static final String KEY_NAMES = "key.names";

  static final String DAMAGED = "damaged";

  /** Of the stream's name and all fields but the next; not in positions of earlier builds. */
  static final String CHECKSUM = "checksum";

  /** What was moved together with this position, see {@link StreamMemory}. */
  static final String MOVED = "moved";

  private static final Pattern VOUCHED =
      Pattern.compile("segment (\\d{1,18}) length (\\d{1,9}) sum ([0-9a-f]{16}) slots (\\d{1,9})");

  String text(String field) {
    if (map.get(field) instanceof String text) {
      return text;
    }
    throw wrong(field, "a text", null);
  }

  String textOrEmpty(String field) {
    return map.containsKey(field) ? text(field) : "";
  }

  Instant instant(String field) {
    String text = text(field);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw wrong(field, "an instant such as 2026-01-31T00:00:00Z", e);
    }
  }

  Instant instantOrNever(String field) {
    return map.containsKey(field) ? instant(field) : StreamOffset.NEVER;
  }

  /** A whole number; Connect gives back a Long for any that was stored. */
  long integer(String field) {
    Object value = map.get(field);
    if (value instanceof Long || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    throw wrong(field, "a whole number", null);
  }

  void expectVersion(long known) {
    long version = integer(VERSION);
    if (version > known) {
      throw new ConnectException(newer(stream.id(), version, known));
    }
    if (version < 1) {
      throw damaged("its version is " + version + ", known is " + known, null);
    }
    if (map.containsKey("buckets")) {
      throw new ConnectException(
          Problem.OFFSET_OLDER.at(stream.id(), "the stored offset names buckets, not segments"));
    }
  }

  static String checksum(Stream stream, Map<String, ?> map) {
    Map<String, Object> others = new TreeMap<>(map);
    others.keySet().removeAll(List.of(CHECKSUM, MOVED));
    return DigestCodec.mark(stream.id(), others);
  }

  void expectIntact() {
    if (map.containsKey(CHECKSUM) && !checksum(stream, map).equals(map.get(CHECKSUM))) {
      throw damaged("its checksum does not fit", null);
    }
  }

  /** The message about an offset that a newer build has written. */
  static String newer(String partition, long version, long known) {
    return Problem.OFFSET_NEWER.at(
        partition,
        "the stored offset is of version %s, this build reads %s".formatted(version, known));
  }

  /** The part of a digest that must be stored, as {@link #vouched} reads it. */
  static String text(Vouched vouched) {
    return String.format(
        Locale.ROOT,
        "segment %d length %d sum %016x slots %d",
        vouched.sequence(),
        vouched.length(),
        vouched.sum(),
        vouched.slots());
  }

  Vouched vouched(String field) {
    Matcher matcher = VOUCHED.matcher(text(field));
    if (!matcher.matches()) {
      throw wrong(field, "what a checkpoint writes", null);
    }
    return new Vouched(
        Long.parseLong(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        Long.parseUnsignedLong(matcher.group(3), 16),
        Integer.parseInt(matcher.group(4)));
  }

  State state(String field) {
    return Spelled.find(State.class, text(field)).orElseThrow(() -> wrong(field, "known", null));
  }

  private ConnectException wrong(String field, String expected, @Nullable Throwable cause) {
    return damaged(field + " is " + map.get(field) + ", not " + expected, cause);
  }

  ConnectException damaged(String what, @Nullable Throwable cause) {
    return new ConnectException(
        Problem.OFFSET_UNREADABLE.at(stream.id(), "the stored offset cannot be read: " + what),
        cause);
  }
}
