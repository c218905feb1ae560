package io.posconnect.tool;

import io.posconnect.json.Row;
import io.posconnect.problem.Text;
import io.posconnect.tool.TypeChoice.Catalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The type that a field gets, and why.
 *
 * @param type empty for a field that stays in {@code extra}
 * @param change what the proposal does to the contract
 * @param notes sentences without their subject
 */
record FieldDecision(
    FieldProfile field, Optional<TypeChoice> type, Change change, List<String> notes) {

  enum Change {
    /** The field was declared so before. */
    NONE,
    /** The field is new and optional: readers of either contract understand both. */
    ADDED,
    /** Some values do not fit the declared type, which stays: a change would break readers. */
    MISMATCH,
    LEFT_OUT
  }

  /** So few values may all be of one kind by chance. */
  private static final int FEW = 20;

  FieldDecision {
    notes = List.copyOf(notes);
  }

  /** Decides for the first type that holds every value exactly. */
  static FieldDecision of(FieldProfile field) {
    List<String> notes = new ArrayList<>();
    if (field.spellings.size() > 1) {
      notes.add("spelled " + String.join(", ", field.spellings));
    }
    if (field.ambiguous) {
      notes.add("CONFLICT: two fields of one row differ only in case: both stay in extra");
      return new FieldDecision(field, Optional.empty(), Change.LEFT_OUT, notes);
    }
    TypeChoice best = best(field, notes);
    if (field.declared.isPresent()) {
      return declared(field, field.declared.get(), best, notes);
    }
    if (field.values() > 0 && field.values() < FEW) {
      notes.add("seen in only " + Text.count(field.values(), "value"));
    }
    return new FieldDecision(field, Optional.of(best), Change.ADDED, notes);
  }

  private static FieldDecision declared(
      FieldProfile field, TypeChoice declared, TypeChoice best, List<String> notes) {
    boolean fits = field.mismatches == 0;
    boolean loose = List.of("json", "string (scalar)").contains(declared.label());
    if (!fits) {
      notes.add(
          0,
          "CONFLICT: %,d of %s do not fit %s and stay in extra; a change to %s would break readers"
              .formatted(
                  field.mismatches,
                  Text.count(field.values(), "value"),
                  declared.label(),
                  best.label()));
    } else if (loose && !declared.label().equals(best.label())) {
      notes.add("would be %s by now; the declared type stays".formatted(best.label()));
    }
    return new FieldDecision(
        field, Optional.of(declared), fits ? Change.NONE : Change.MISMATCH, notes);
  }

  private static TypeChoice best(FieldProfile field, List<String> notes) {
    Catalog types = field.types;
    Map<Row.Kind, Long> kinds = field.kinds;
    if (kinds.isEmpty()) {
      notes.add("always null: json holds any later value");
      return types.json;
    }
    boolean nested = kinds.containsKey(Row.Kind.OBJECT) || kinds.containsKey(Row.Kind.ARRAY);
    if (kinds.size() > 1) {
      notes.add("CONFLICT: %s: %s holds all".formatted(words(kinds), nested ? "json" : "a string"));
      return field.fits(types.scalar) ? types.scalar : types.json;
    }
    return switch (kinds.keySet().iterator().next()) {
      case BOOLEAN -> types.bool;
      case NUMBER -> number(field, notes);
      case STRING -> text(field, notes);
      case OBJECT, ARRAY, NULL -> types.json;
    };
  }

  private static String words(Map<Row.Kind, Long> kinds) {
    return kinds.entrySet().stream()
        .map(kind -> Text.count(kind.getValue(), kind.getKey().name().toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining(", "));
  }

  private static TypeChoice number(FieldProfile field, List<String> notes) {
    Catalog types = field.types;
    note(field, Set.of(Observation.BEYOND_DOUBLE), notes);
    if (field.fits(types.whole) && field.count(Observation.WITH_POINT) == 0) {
      return types.whole;
    }
    int scale = Math.max(field.scale, TypeChoice.SCALE);
    if (field.integerDigits + scale <= TypeChoice.PRECISION) {
      notes.add(
          "up to %s before the point and %d behind it"
              .formatted(Text.count(field.integerDigits, "digit"), field.scale));
      if (scale > TypeChoice.SCALE || field.fits(types.decimal)) {
        return types.decimal(scale);
      }
    }
    boolean fits = field.fits(types.scalar);
    notes.add(
        fits
            ? "more digits than a decimal holds: a string keeps them"
            : "numbers that no type holds: json keeps them as they are sent");
    return fits ? types.scalar : types.json;
  }

  private static TypeChoice text(FieldProfile field, List<String> notes) {
    Catalog types = field.types;
    long times = field.count(Observation.TIME);
    boolean onlyTimes = times == field.values();
    if (times > 0 && !onlyTimes) {
      notes.add(
          "CONFLICT: %s and %s: a string holds both"
              .formatted(
                  Text.count(times, "time"), Text.count(field.values() - times, "other text")));
    }
    note(field, Observation.ABOUT_TIMES, notes);
    if (onlyTimes && field.count(Observation.DATE_ALONE) == times && field.fits(types.day)) {
      return types.day;
    }
    if (onlyTimes && field.fits(types.day)) {
      notes.add("always at midnight: declare them as date if they never have a time of day");
    }
    if (onlyTimes && field.fits(types.millis)) {
      return types.millis;
    }
    if (onlyTimes && field.fits(types.micros)) {
      if (types.proposesMicros) {
        return types.micros;
      }
      notes.add("--micros makes it a timestamp-micros");
    }
    return field.fits(types.uuid) ? types.uuid : plainText(field, notes);
  }

  private static TypeChoice plainText(FieldProfile field, List<String> notes) {
    Catalog types = field.types;
    long numbers = field.count(Observation.NUMBER_IN_TEXT);
    if (numbers + field.count(Observation.BLANK) == field.values()) {
      note(field, Set.of(Observation.NUMBER_IN_TEXT), notes);
    }
    note(field, Observation.ABOUT_TEXT, notes);
    if (field.fits(types.text)) {
      return types.text;
    }
    notes.add("halves of surrogate pairs: json keeps them as they are sent");
    return types.json;
  }

  private static void note(FieldProfile field, Set<Observation> observations, List<String> notes) {
    observations.stream()
        .filter(observation -> field.count(observation) > 0)
        .map(observation -> "%,d %s".formatted(field.count(observation), observation.clause()))
        .forEach(notes::add);
  }
}
