package io.posconnect.tool;

import io.posconnect.json.Row;
import io.posconnect.tool.TypeChoice.Catalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says which type a field gets, and why.
 *
 * @param type empty for a field that stays in {@code extra}
 * @param change what becomes of the contract
 * @param notes whole sentences without their subject
 */
record FieldDecision(
    FieldProfile field, Optional<TypeChoice> type, Change change, List<String> notes) {

  /** What becomes of a field of the contract. */
  enum Change {
    /** It was declared so before. */
    NONE,
    /** It is declared now, as an optional field: readers of both contracts understand both. */
    ADDED,
    /** Not every value fits the type that it has, which cannot be changed: readers would break. */
    MISMATCH,
    /** It cannot be declared. */
    LEFT_OUT
  }

  /** So few values may all be of one kind by chance. */
  private static final int FEW = 20;

  FieldDecision {
    notes = List.copyOf(notes);
  }

  /**
   * Decides for the first type that says every value exactly.
   *
   * @param micros whether a time finer than a millisecond may be a number of microseconds
   */
  static FieldDecision of(FieldProfile field, Catalog types, boolean micros) {
    List<String> notes = new ArrayList<>();
    if (field.spellings().size() > 1) {
      notes.add("spelled " + String.join(", ", field.spellings()));
    }
    if (field.isAmbiguous()) {
      notes.add("CONFLICT: two fields of one row differ only in case: both stay in extra");
      return new FieldDecision(field, Optional.empty(), Change.LEFT_OUT, notes);
    }
    TypeChoice best = best(field, types, micros, notes);
    if (field.declared().isPresent()) {
      TypeChoice declared = field.declared().get();
      boolean fits = field.mismatches() == 0;
      if (!fits) {
        notes.add(
            0,
            "CONFLICT: %,d of %,d values do not fit %s and stand in extra; to be %s would break readers"
                .formatted(field.mismatches(), field.values(), declared.label(), best.label()));
      } else if (isLoose(declared, types) && !declared.label().equals(best.label())) {
        notes.add("would be %s by now; what is declared stays".formatted(best.label()));
      }
      return new FieldDecision(
          field, Optional.of(declared), fits ? Change.NONE : Change.MISMATCH, notes);
    }
    if (field.values() > 0 && field.values() < FEW) {
      notes.add("only %d values seen".formatted(field.values()));
    }
    return new FieldDecision(field, Optional.of(best), Change.ADDED, notes);
  }

  /** Takes nearly all there is, so that it says little. */
  private static boolean isLoose(TypeChoice type, Catalog types) {
    return type.label().equals(types.json.label()) || type.label().equals(types.scalar.label());
  }

  private static TypeChoice best(
      FieldProfile field, Catalog types, boolean micros, List<String> notes) {
    Map<Row.Kind, Long> kinds = field.kinds();
    if (kinds.isEmpty()) {
      notes.add("always null: json takes whatever comes");
      return types.json;
    }
    if (kinds.containsKey(Row.Kind.OBJECT) || kinds.containsKey(Row.Kind.ARRAY)) {
      if (kinds.size() > 1) {
        notes.add("CONFLICT: " + words(kinds) + ": json takes them all");
      }
      return types.json;
    }
    if (kinds.size() > 1) {
      notes.add("CONFLICT: " + words(kinds) + ": a string takes them all");
      return field.fits(types.scalar) ? types.scalar : types.json;
    }
    return switch (kinds.keySet().iterator().next()) {
      case BOOLEAN -> types.bool;
      case NUMBER -> number(field, types, notes);
      case STRING, OBJECT, ARRAY, NULL -> text(field, types, micros, notes);
    };
  }

  private static String words(Map<Row.Kind, Long> kinds) {
    return kinds.entrySet().stream()
        .map(
            kind ->
                "%,d of kind %s"
                    .formatted(kind.getValue(), kind.getKey().name().toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining(", "));
  }

  private static TypeChoice number(FieldProfile field, Catalog types, List<String> notes) {
    if (field.count(Trait.BEYOND_DOUBLE) > 0) {
      note(field, Trait.BEYOND_DOUBLE, notes);
    }
    boolean point = field.count(Trait.WITH_POINT) > 0;
    if (field.fits(types.whole) && !point) {
      return types.whole;
    }
    int scale = Math.max(field.scale(), TypeChoice.SCALE);
    if (field.isMeasurable() && field.integerDigits() + scale <= TypeChoice.PRECISION) {
      notes.add(
          "up to %d digits before the point and %d behind it"
              .formatted(Math.max(0, field.integerDigits()), field.scale()));
      TypeChoice decimal = scale == TypeChoice.SCALE ? types.decimal : types.decimal(scale);
      if (scale > TypeChoice.SCALE || field.fits(decimal)) {
        return decimal;
      }
    }
    if (field.fits(types.scalar)) {
      notes.add("more digits than a decimal holds: a string keeps them");
      return types.scalar;
    }
    notes.add("numbers that no type holds: json keeps them as they are sent");
    return types.json;
  }

  private static TypeChoice text(
      FieldProfile field, Catalog types, boolean micros, List<String> notes) {
    long values = field.values();
    long times = field.count(Trait.TIME);
    if (times > 0) {
      noteTimes(field, times, notes);
    }
    if (times == values && field.count(Trait.DATE_ALONE) == values && field.fits(types.day)) {
      return types.day;
    }
    if (times == values && field.fits(types.millis)) {
      return types.millis;
    }
    if (times == values && field.fits(types.micros)) {
      if (micros) {
        return types.micros;
      }
      notes.add("with --micros a timestamp-micros");
    }
    if (field.fits(types.uuid)) {
      return types.uuid;
    }
    noteText(field, values, notes);
    if (!field.fits(types.text)) {
      notes.add("halves of surrogate pairs: json keeps them as they are sent");
      return types.json;
    }
    return types.text;
  }

  private static void noteTimes(FieldProfile field, long times, List<String> notes) {
    if (times < field.values()) {
      notes.add(
          "CONFLICT: %,d times and %,d other texts: a string takes both"
              .formatted(times, field.values() - times));
    }
    for (Trait trait :
        List.of(
            Trait.TIME_AMERICAN,
            Trait.TIME_WITHOUT_ZONE,
            Trait.TIME_WITH_OFFSET,
            Trait.FINER_THAN_MILLIS,
            Trait.FINER_THAN_MICROS,
            Trait.SENTINEL)) {
      note(field, trait, notes);
    }
  }

  private static void noteText(FieldProfile field, long values, List<String> notes) {
    if (field.count(Trait.NUMBER_IN_TEXT) + field.count(Trait.BLANK) == values) {
      note(field, Trait.NUMBER_IN_TEXT, notes);
    }
    for (Trait trait :
        List.of(Trait.LEADING_ZERO, Trait.EXPONENT_IN_TEXT, Trait.BOOLEAN_IN_TEXT, Trait.BLANK)) {
      note(field, trait, notes);
    }
  }

  private static void note(FieldProfile field, Trait trait, List<String> notes) {
    if (field.count(trait) > 0) {
      notes.add("%,d %s".formatted(field.count(trait), trait.clause()));
    }
  }
}
