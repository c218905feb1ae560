package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Counts what the values of one field are, and which types take every one of them. */
final class FieldProfile {

  private static final int EXAMPLES = 3;
  private static final int SPELLINGS = 5;

  private final String name;
  private final Optional<TypeChoice> declared;
  private final List<TypeChoice> fitting;
  private final Set<String> spellings = new TreeSet<>();
  private final Set<String> examples = new LinkedHashSet<>();
  private final Map<Row.Kind, Long> kinds = new EnumMap<>(Row.Kind.class);
  private final Map<Trait, Long> traits = new EnumMap<>(Trait.class);
  private long mismatches;
  private int integerDigits;
  private int scale;
  private boolean measurable = true;
  private boolean twins;

  /**
   * @param name as the service first spelled it
   * @param declared its type so far; empty for none
   */
  FieldProfile(String name, Optional<TypeChoice> declared, List<TypeChoice> tested) {
    this.name = name;
    this.declared = declared;
    this.fitting = new ArrayList<>(tested);
  }

  /** Takes a value in; true when it showed something that no value before it did. */
  boolean add(String spelling, JsonText value) {
    if (spellings.size() < SPELLINGS) {
      spellings.add(spelling);
    }
    boolean news = kinds.merge(value.kind(), 1L, Long::sum) == 1;
    if (value.kind() == Row.Kind.NULL) {
      return news;
    }
    for (Trait trait : Trait.of(value)) {
      news |= traits.merge(trait, 1L, Long::sum) == 1;
    }
    if (examples.size() < EXAMPLES) {
      examples.add(Mask.of(value));
    }
    if (value.kind() == Row.Kind.NUMBER) {
      measure(value.value());
    }
    if (declared.isPresent() && !declared.get().fits(value)) {
      mismatches++;
    }
    boolean fewer = fitting.removeIf(type -> !type.fits(value));
    return fewer || news;
  }

  /** Of two fields of one row whose names differ only in case, nobody knows which is meant. */
  void twins() {
    twins = true;
  }

  private void measure(String text) {
    Optional<BigDecimal> number = Trait.sane(text).map(BigDecimal::stripTrailingZeros);
    if (number.isEmpty()) {
      measurable = false;
      return;
    }
    integerDigits = Math.max(integerDigits, number.get().precision() - number.get().scale());
    scale = Math.max(scale, number.get().scale());
  }

  String name() {
    return name;
  }

  /** The spellings of its name, sorted; not all of very many. */
  List<String> spellings() {
    return List.copyOf(spellings);
  }

  boolean isAmbiguous() {
    return twins;
  }

  /** The type that it had before, if any. */
  Optional<TypeChoice> declared() {
    return declared;
  }

  /** Values that the declared type does not say exactly. */
  long mismatches() {
    return mismatches;
  }

  /** Whether that type took every value; json always does. */
  boolean fits(TypeChoice type) {
    return fitting.contains(type);
  }

  long count(Row.Kind kind) {
    return kinds.getOrDefault(kind, 0L);
  }

  /** The kinds of its values but null, in words. */
  Map<Row.Kind, Long> kinds() {
    Map<Row.Kind, Long> some = new EnumMap<>(Row.Kind.class);
    some.putAll(kinds);
    some.remove(Row.Kind.NULL);
    return some;
  }

  /** Values that are not null. */
  long values() {
    return kinds().values().stream().mapToLong(Long::longValue).sum();
  }

  long count(Trait trait) {
    return traits.getOrDefault(trait, 0L);
  }

  Map<Trait, Long> traits() {
    return traits;
  }

  /** A few values, masked. */
  List<String> examples() {
    return List.copyOf(examples);
  }

  /** The most digits before the point. */
  int integerDigits() {
    return integerDigits;
  }

  /** The most digits behind the point. */
  int scale() {
    return scale;
  }

  /** Whether every number was of a sane length. */
  boolean isMeasurable() {
    return measurable;
  }
}
