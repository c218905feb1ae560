package io.posconnect.resource;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A constant of an enum that configurations, offsets or records name, in lower case and with
 * hyphens: {@code dead-letter}.
 */
public interface Spelled {

  String name();

  default String spelling() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The constant that has that spelling. */
  static <E extends Enum<E> & Spelled> Optional<E> find(Class<E> type, String spelling) {
    return Stream.of(type.getEnumConstants())
        .filter(each -> each.spelling().equals(spelling))
        .findFirst();
  }
}
