package io.posconnect.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * Prints the results of an audit as a table with the differences, or as JSON.
 *
 * @param now when the audit ended
 */
record AuditReport(List<StreamResult> results, Instant now) {

  private static final List<Integer> WIDTHS = List.of(28, 9, 9, 11, 9);

  void print(Screen screen) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("STREAM", "EQUAL", "MISSING", "DIFFERENT", "PHANTOM", "EVENTS"));
    results.forEach(result -> rows.add(cells(result)));
    screen.table(WIDTHS, rows);
    for (StreamResult result : results) {
      screen.line();
      screen.line(headline(result));
      notes(result).forEach(screen::indented);
      for (Difference difference : result.differences()) {
        screen.indented(line(difference));
        difference.fields().forEach(field -> screen.indented("  " + line(field)));
      }
      if (result.leftOut() > 0) {
        screen.indented("and " + Text.count(result.leftOut(), "more key"));
      }
    }
    screen.line();
    screen.line(conclusion());
  }

  private static List<String> cells(StreamResult result) {
    if (result.verdict() == Verdict.UNREAD) {
      return List.of(result.stream().id(), "-", "-", "-", "-", events(result));
    }
    return List.of(
        result.stream().id(),
        Long.toString(result.count(Outcome.EQUAL)),
        Long.toString(result.count(Outcome.MISSING)),
        Long.toString(result.count(Outcome.DIFFERENT)),
        result.absence() ? Long.toString(result.count(Outcome.PHANTOM)) : "-",
        events(result));
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
    result.incident().ifPresent(incident -> notes.add(incident.toString()));
    if (!result.hasTopic()) {
      notes.add("There is no topic %s, or it may not be read.".formatted(result.topic()));
    }
    result
        .progress()
        .ifPresentOrElse(
            progress ->
                notes.add(
                    "Complete to %s, %s ago%s"
                        .formatted(
                            progress.completeTo(),
                            ago(progress.completeTo()),
                            progress
                                .fullTo()
                                .filter(full -> !full.equals(progress.completeTo()))
                                .map(full -> "; read whole %s ago".formatted(ago(full)))
                                .orElse(""))),
            () ->
                notes.add(
                    "There is no checkpoint of this stream: its first read is not complete, or"
                        + " retention removed the checkpoint."));
    result.numbers().ifPresent(numbers -> addNumbers(numbers, notes));
    if (!result.absence()) {
      notes.add("Only a part of the dates was read, so phantoms are not known.");
    }
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
    return notes;
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
    } else if (numbers.cleaned() == 0) {
      notes.add("Every event number up to %d is there.".formatted(numbers.upTo()));
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

  private static String name(Enum<?> value) {
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

  String json() {
    ObjectNode report = ConnectorConfig.JSON.createObjectNode();
    report.put("equal", results.stream().allMatch(each -> each.verdict() == Verdict.EQUAL));
    report.put("at", now.toString());
    ArrayNode streams = report.putArray("streams");
    results.forEach(result -> streams.add(json(result)));
    return report.toPrettyString();
  }

  private static ObjectNode json(StreamResult result) {
    ObjectNode json = ConnectorConfig.JSON.createObjectNode();
    json.put("location", result.stream().location());
    json.put("resource", result.stream().resource());
    json.put("topic", result.topic());
    json.put("topicExists", result.hasTopic());
    json.put("verdict", name(result.verdict()));
    result.incident().ifPresent(incident -> json.put("incident", incident.toString()));
    if (result.verdict() != Verdict.UNREAD) {
      ObjectNode keys = json.putObject("keys");
      for (Outcome outcome : Outcome.values()) {
        if (outcome != Outcome.PHANTOM || result.absence()) {
          keys.put(name(outcome), result.count(outcome));
        }
      }
      json.put("undecodableRecords", result.undecodable());
      json.put("rowsWithoutKey", result.unreadable());
    }
    result
        .progress()
        .ifPresent(
            progress -> {
              json.put("completeTo", progress.completeTo().toString());
              progress.fullTo().ifPresent(full -> json.put("readWholeTo", full.toString()));
            });
    result.numbers().ifPresent(numbers -> json.set("events", json(numbers)));
    ArrayNode differences = json.putArray("differences");
    result.differences().forEach(difference -> differences.add(json(difference)));
    json.put("leftOut", Math.max(0, result.leftOut()));
    return json;
  }

  private static ObjectNode json(EventNumbers.Verdict numbers) {
    ObjectNode json = ConnectorConfig.JSON.createObjectNode();
    json.put("upTo", numbers.upTo());
    json.put("missing", numbers.lost());
    json.put("cleaned", numbers.cleaned());
    ArrayNode ranges = json.putArray("missingRanges");
    numbers.ranges().forEach(range -> ranges.addArray().add(range.from()).add(range.to()));
    return json;
  }

  private static ObjectNode json(Difference difference) {
    ObjectNode json = ConnectorConfig.JSON.createObjectNode();
    json.put("kind", name(difference.outcome()));
    json.put("key", difference.key());
    difference.age().atMost().ifPresent(time -> json.put("atMostSeconds", time.toSeconds()));
    json.put("readSince", difference.age().readSince());
    ArrayNode fields = json.putArray("fields");
    difference
        .fields()
        .forEach(
            field ->
                fields
                    .addObject()
                    .put("name", field.name())
                    .put("topic", field.topic())
                    .put("service", field.service()));
    return json;
  }
}
