package io.posconnect.tool;

import io.posconnect.problem.Text;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.StreamResult.Age;
import io.posconnect.tool.StreamResult.Difference;
import io.posconnect.tool.StreamResult.FieldDifference;
import io.posconnect.tool.StreamResult.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Prints the results of an audit: a table, and below it what is not equal.
 *
 * @param now when the audit ended
 */
record AuditReport(List<StreamResult> results, Instant now) {

  private static final List<Integer> WIDTHS = List.of(26, 8, 9, 11, 9, 11);

  void print(Screen screen) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("STREAM", "EQUAL", "MISSING", "DIFFERENT", "PHANTOM", "EVENTS", "AGE"));
    results.forEach(result -> rows.add(cells(result)));
    screen.table(WIDTHS, rows);
    for (StreamResult result : results) {
      List<String> notes = notes(result);
      if (result.verdict() == Verdict.EQUAL && notes.isEmpty()) {
        continue;
      }
      screen.line();
      screen.line(headline(result));
      notes.forEach(screen::indented);
      for (Difference difference : result.differences()) {
        screen.indented(line(difference));
        difference.fields().forEach(field -> screen.indented("  " + line(field)));
        if (difference.moreFields() > 0) {
          screen.indented("  and " + Text.count(difference.moreFields(), "more field"));
        }
      }
      if (result.leftOut() > 0) {
        screen.indented("and " + Text.count(result.leftOut(), "more key"));
      }
    }
    screen.line();
    screen.line(conclusion());
  }

  private List<String> cells(StreamResult result) {
    boolean isRead = result.verdict() != Verdict.UNREAD;
    return List.of(
        result.stream().id(),
        cell(result, Outcome.EQUAL, isRead),
        cell(result, Outcome.MISSING, isRead),
        cell(result, Outcome.DIFFERENT, isRead),
        cell(result, Outcome.PHANTOM, isRead && result.absence()),
        events(result),
        result.progress().map(progress -> ago(progress.completeTo())).orElse("-"));
  }

  private static String cell(StreamResult result, Outcome outcome, boolean isKnown) {
    return isKnown ? Long.toString(result.count(outcome)) : "-";
  }

  private static String events(StreamResult result) {
    return result
        .numbers()
        .map(n -> n.isComplete() ? "complete" : n.lost() + " missing")
        .orElse("unknown");
  }

  private static String headline(StreamResult result) {
    String verdict =
        switch (result.verdict()) {
          case EQUAL -> "equal to " + result.topic();
          case DIFFERENT -> "not equal to " + result.topic();
          case UNDECIDED -> "not decided";
          case UNREAD -> "not read";
        };
    return result.stream().id() + ": " + verdict;
  }

  private List<String> notes(StreamResult result) {
    List<String> notes = new ArrayList<>();
    // Without the remedy, which is the connector's.
    result
        .incident()
        .ifPresent(incident -> notes.add(incident.code() + " " + incident.observed() + "."));
    if (!result.hasTopic()) {
      notes.add("There is no topic %s, or it may not be read.".formatted(result.topic()));
    }
    if (result.progress().isEmpty()) {
      notes.add(
          "There is no checkpoint of this stream: its first read is not complete, or retention"
              + " removed the checkpoint. So event numbers cannot be checked.");
    }
    if (result.incident().isEmpty() && result.count(Outcome.PHANTOM) > 0) {
      result
          .progress()
          .flatMap(Checkpoints.Progress::fullTo)
          .ifPresentOrElse(
              full -> notes.add("The connector has read all rows %s ago.".formatted(ago(full))),
              () -> notes.add("The connector does not look for deleted rows of this stream."));
    }
    result.numbers().ifPresent(numbers -> addNumbers(numbers, notes));
    if (!result.absence()) {
      notes.add("Only a part of the dates was read, so phantoms are not known.");
    }
    addUncompared(result, notes);
    return notes;
  }

  private static void addUncompared(StreamResult result, List<String> notes) {
    addCount(notes, result.count(Outcome.UNDECIDED), "row", "changed at each read: not compared");
    addCount(
        notes,
        result.count(Outcome.BROKEN),
        "row",
        "of the service cannot be an event (dead letter): not compared");
    addCount(
        notes,
        result.unreadable(),
        "row",
        "of the service without a readable key, which may be a phantom's");
    addCount(notes, result.undecodable(), "record", "of the topic that cannot be read as an event");
  }

  private static void addNumbers(EventNumbers.Verdict numbers, List<String> notes) {
    if (numbers.lost() > 0) {
      notes.add(
          "%s missing up to %d: %s%s"
              .formatted(
                  Text.count(numbers.lost(), "event number"),
                  numbers.upTo(),
                  numbers.ranges().stream()
                      .map(EventNumbers.Range::toString)
                      .collect(Collectors.joining(", ")),
                  numbers.isListed() ? "" : ", ..."));
    }
    if (numbers.cleaned() > 0) {
      notes.add(
          "%s up to %d may have been removed by compaction or retention."
              .formatted(Text.count(numbers.cleaned(), "event"), numbers.upTo()));
    }
  }

  private static void addCount(List<String> notes, long count, String noun, String rest) {
    if (count > 0) {
      notes.add(Text.count(count, noun) + " " + rest + ".");
    }
  }

  private String ago(Instant time) {
    return Text.duration(time.isBefore(now) ? Duration.between(time, now) : Duration.ZERO);
  }

  private static String line(Difference difference) {
    return "%-9s %s (%s)"
        .formatted(name(difference.outcome()), difference.key(), words(difference.age()));
  }

  private static String words(Age age) {
    if (age.readSince()) {
      return "the connector has read the service since";
    }
    return age.atMost()
        .map(time -> "at most " + Text.duration(time) + " old")
        .orElse("of unknown age");
  }

  private static String line(FieldDifference field) {
    return field.topic().equals(field.service())
        ? "%s: two values of the form %s".formatted(field.name(), field.topic())
        : "%s: %s in the topic, %s at the service"
            .formatted(field.name(), field.topic(), field.service());
  }

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private String conclusion() {
    String others =
        results.stream()
            .filter(result -> result.verdict() != Verdict.EQUAL)
            .map(result -> result.stream().id())
            .collect(Collectors.joining(", "));
    return others.isEmpty()
        ? "Every stream is equal to the service."
        : "Not shown to be equal, see above: " + others;
  }
}
