package io.posconnect.tool;

import io.posconnect.json.Row;
import io.posconnect.problem.Text;
import io.posconnect.record.FieldList;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The type that a field gets, and why: the first that holds every value exactly. */
final class FieldDecision {

  final FieldProfile field;

  /** Empty for a field that stays in {@code extra}. */
  final Optional<TypeChoice> type;

  /** Sentences without their subject. */
  final List<String> notes = new ArrayList<>();

  FieldDecision(FieldProfile field) {
    this.field = field;
    if (field.ambiguous) {
      notes.add("CONFLICT: two fields of one row differ only in case: both stay in extra");
      type = Optional.empty();
      return;
    }
    if (References.mayBegin(field.name) && field.declared.isEmpty()) {
      notes.add("a worker would resolve this name like a reference to a secret: stays in extra");
      type = Optional.empty();
      return;
    }
    TypeChoice best = field.types.named(best());
    type = Optional.of(field.declared.orElse(best));
    field.declared.ifPresent(declared -> compare(declared.label(), best.label()));
  }

  /** Returns whether the field is new and optional: readers of either contract understand both. */
  boolean isAdded() {
    return type.isPresent() && field.declared.isEmpty();
  }

  /** Returns whether values do not fit the declared type, which stays: a change breaks readers. */
  boolean isMismatch() {
    return type.isPresent() && field.mismatches > 0;
  }

  private void compare(String declared, String best) {
    if (field.mismatches > 0) {
      notes.add(
          0,
          "CONFLICT: %s of %s do not fit %s and stay in extra; a change to %s would break readers"
              .formatted(field.mismatches, Text.count(field.values(), "value"), declared, best));
    } else if (List.of("json", TypeChoice.SCALAR).contains(declared)
        && !List.of("json", declared).contains(best)) {
      notes.add("would be %s by now; the declared type stays".formatted(best));
    }
  }

  private String best() {
    Map<Row.Kind, Long> kinds = field.kinds;
    if (kinds.isEmpty()) {
      notes.add("always null: json holds any later value");
      return "json";
    }
    boolean nested = kinds.containsKey(Row.Kind.OBJECT) || kinds.containsKey(Row.Kind.ARRAY);
    if (kinds.size() > 1) {
      notes.add("CONFLICT: %s: %s holds all".formatted(words(kinds), nested ? "json" : "a string"));
      return field.fits(TypeChoice.SCALAR) ? TypeChoice.SCALAR : "json";
    }
    return switch (kinds.keySet().iterator().next()) {
      case BOOLEAN -> "boolean";
      case NUMBER -> number();
      case STRING -> text();
      case OBJECT, ARRAY, NULL -> "json";
    };
  }

  private static String words(Map<Row.Kind, Long> kinds) {
    return kinds.entrySet().stream()
        .map(kind -> Text.count(kind.getValue(), kind.getKey().name().toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining(", "));
  }

  private String number() {
    if (field.fits("long") && !field.pointed) {
      return "long";
    }
    int scale = Math.max(field.scale, FieldList.SCALE);
    String decimal = "decimal(" + scale + ")";
    if (field.integerDigits + scale <= FieldList.PRECISION) {
      notes.add(
          "up to %s before the point and %s behind it"
              .formatted(Text.count(field.integerDigits, "digit"), field.scale));
      boolean exact = scale > FieldList.SCALE && field.types.decimals() != DecimalMode.DOUBLE;
      if (exact || field.fits(decimal)) {
        return decimal;
      }
    }
    boolean fits = field.fits(TypeChoice.SCALAR);
    notes.add(
        fits
            ? "more digits than a decimal holds: a string keeps them"
            : "numbers that no type holds: json keeps them as they are sent");
    return fits ? TypeChoice.SCALAR : "json";
  }

  private String text() {
    long times = field.count(Observation.TIME);
    boolean onlyTimes = times == field.values();
    if (times > 0 && !onlyTimes) {
      notes.add(
          "CONFLICT: %s and %s: a string holds both"
              .formatted(
                  Text.count(times, "time"), Text.count(field.values() - times, "other text")));
    }
    note(Observation.ABOUT_TIMES);
    if (onlyTimes && field.fits("date")) {
      if (field.count(Observation.DATE_ALONE) == times) {
        return "date";
      }
      notes.add("always at midnight: declare them as date if they never have a time of day");
    }
    if (onlyTimes && field.fits("timestamp")) {
      return "timestamp";
    }
    if (onlyTimes && field.fits("timestamp-micros") && field.declared.isEmpty()) {
      notes.add("declare them as timestamp-micros if consumers can read it");
    }
    return field.fits("uuid") ? "uuid" : plainText();
  }

  private String plainText() {
    long numbers = field.count(Observation.NUMBER_IN_TEXT);
    if (numbers + field.count(Observation.BLANK) == field.values()) {
      note(Set.of(Observation.NUMBER_IN_TEXT));
    }
    note(Observation.ABOUT_TEXT);
    if (field.fits("string")) {
      return "string";
    }
    notes.add("halves of surrogate pairs: json keeps them as they are sent");
    return "json";
  }

  private void note(Set<Observation> observations) {
    observations.stream()
        .filter(observation -> field.count(observation) > 0)
        .map(observation -> field.count(observation) + " " + observation.clause)
        .forEach(notes::add);
  }
}
