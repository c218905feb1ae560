package io.posconnect.tool;

import io.posconnect.json.JsonNumber;
import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Counts the values of one field by what they are, and finds the types that hold all of them. */
final class FieldProfile {

  private static final int EXAMPLES = 3;

  /** Digits of a number that cannot be written out. */
  private static final int ABSURD = 1_000_000;

  private static final Pattern POINT_OR_EXPONENT = Pattern.compile("[.eE]");

  final String name;
  final TypeChoice.Catalog types;
  final Optional<TypeChoice> declared;
  private final Set<String> fitting = new HashSet<>(TypeChoice.Catalog.TESTED);
  final Set<String> examples = new LinkedHashSet<>();
  final Map<Row.Kind, Long> kinds = new EnumMap<>(Row.Kind.class);
  private final Map<Observation, Long> observations = new EnumMap<>(Observation.class);

  /** Number of values that the declared type does not hold exactly. */
  long mismatches;

  /** Whether a number is written with a point or an exponent. */
  boolean pointed;

  int integerDigits;
  int scale;

  /** Whether one row has two spellings of it: which of them is meant is unknown. */
  boolean ambiguous;

  /**
   * @param name as the service first spelled it
   * @param declared its type so far; empty for none
   */
  FieldProfile(String name, TypeChoice.Catalog types, Optional<TypeChoice> declared) {
    this.name = name;
    this.types = types;
    this.declared = declared;
  }

  /** Adds the value of a row's field. */
  void add(Row row, int at) {
    JsonText value = JsonText.of(row, at);
    ambiguous |= row.ambiguous(at);
    if (value.kind() == Row.Kind.NULL) {
      return;
    }
    kinds.merge(value.kind(), 1L, Long::sum);
    Set<Observation> found = Observation.of(value);
    found.forEach(each -> observations.merge(each, 1L, Long::sum));
    if (examples.size() < EXAMPLES) {
      examples.add(Observation.masked(value, found));
    }
    if (value.kind() == Row.Kind.NUMBER) {
      measure(value);
    }
    if (declared.isPresent() && !declared.get().fit().represents(value)) {
      mismatches++;
    }
    fitting.removeIf(word -> !types.named(word).fit().represents(value));
  }

  private void measure(JsonText value) {
    pointed |= POINT_OR_EXPONENT.matcher(value.value()).find();
    Optional<BigDecimal> number =
        JsonNumber.of(value).filter(JsonNumber::isPlain).map(BigDecimal::stripTrailingZeros);
    integerDigits =
        Math.max(integerDigits, number.map(n -> n.precision() - n.scale()).orElse(ABSURD));
    scale = Math.max(scale, number.map(BigDecimal::scale).orElse(0));
  }

  /** Returns whether the type with that word holds every value. */
  boolean fits(String word) {
    return fitting.contains(word);
  }

  long values() {
    return kinds.values().stream().mapToLong(Long::longValue).sum();
  }

  long count(Observation observation) {
    return observations.getOrDefault(observation, 0L);
  }
}
