package io.posconnect.offset;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a stored {@link StreamOffset} and says which of them is wrong. */
final class StreamOffsetFields {

  static final String WATERMARK = "watermark";
  static final String VERSION = "version";
  static final String SNAPSHOT = "snapshot";
  static final String SNAPSHOT_ID = "snapshot.id";
  static final String LAST_RECONCILIATION = "last.reconciliation";
  static final String BUCKETS = "buckets";
  static final String ACKNOWLEDGED = "acknowledged";
  static final String RETENTION = "retention";
  static final String MAX_KEYS = "max.keys";
  static final String IDENTITY = "identity";
  static final String KEYS = "keys";

  private final Stream stream;
  private final Map<String, ?> map;

  StreamOffsetFields(Stream stream, Map<String, ?> map) {
    this.stream = stream;
    this.map = map;
  }

  String text(String field) {
    if (map.get(field) instanceof String text) {
      return text;
    }
    throw wrong(field, "a text", null);
  }

  Instant instant(String field) {
    String text = text(field);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw wrong(field, "an instant such as 2026-01-31T00:00:00Z", e);
    }
  }

  /** A whole number; Connect gives back a Long for any that was stored. */
  long integer(String field) {
    Object value = map.get(field);
    if (value instanceof Long || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    throw wrong(field, "a whole number", null);
  }

  int count(String field) {
    long value = integer(field);
    if (value < 1 || value > Integer.MAX_VALUE) {
      throw wrong(field, "a positive number", null);
    }
    return (int) value;
  }

  <E extends Enum<E>> E constant(String field, Class<E> type) {
    String text = text(field);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(text)) {
        return constant;
      }
    }
    throw wrong(field, "known", null);
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
