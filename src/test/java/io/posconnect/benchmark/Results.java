package io.posconnect.benchmark;

import io.posconnect.benchmark.Plan.ProductList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The measurements of one run, which may be compared with each other. */
final class Results {

  /** Which read it was. */
  enum Phase {
    /** The first in a new worker. */
    COLD,
    /** A later one in the same worker. */
    WARM,
    /** One more of the same list, none of whose rows has changed. */
    UNCHANGED
  }

  /** A table of its own. */
  record Setting(boolean exactlyOnce, ProductList list) {
    String label() {
      return (exactlyOnce ? "Exactly-once, " : "At-least-once, ") + list.label();
    }
  }

  /** A line of a table. */
  record Line(Setting setting, Contestant contestant, Phase phase) {

    /** What the line is compared with: unchanged rows with a parser that reads all values. */
    Line reference() {
      return phase == Phase.UNCHANGED
          ? new Line(setting, Contestant.PARSER, Phase.WARM)
          : new Line(setting, Contestant.REFERENCE, phase);
    }
  }

  private final Map<Line, List<Measurement>> measurements = new LinkedHashMap<>();

  void add(Line line, Measurement measurement) {
    measurements.computeIfAbsent(line, each -> new ArrayList<>()).add(measurement);
  }

  List<Setting> settings() {
    return measurements.keySet().stream().map(Line::setting).distinct().toList();
  }

  /** The lines of a table: each phase with its contestants. */
  List<Line> lines(Setting setting) {
    return measurements.keySet().stream()
        .filter(line -> line.setting().equals(setting))
        .sorted(Comparator.comparing(Line::phase).thenComparing(Line::contestant))
        .toList();
  }

  /** The measurement whose speed is in the middle. */
  Measurement of(Line line) {
    List<Measurement> sorted =
        measurements.get(line).stream()
            .sorted(Comparator.comparing(Measurement::rowsPerSecond))
            .toList();
    return sorted.get(sorted.size() / 2);
  }

  /**
   * How much the line has of what it is compared with: a ratio for each round, and of these the one
   * in the middle. Empty when that was not measured.
   */
  OptionalDouble ratio(Line line, ToDoubleFunction<Measurement> value) {
    List<Measurement> own = measurements.get(line);
    List<Measurement> reference = measurements.getOrDefault(line.reference(), List.of());
    double[] ratios =
        IntStream.range(0, Math.min(own.size(), reference.size()))
            .mapToDouble(
                i -> value.applyAsDouble(own.get(i)) / value.applyAsDouble(reference.get(i)))
            .sorted()
            .toArray();
    return ratios.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(ratios[ratios.length / 2]);
  }
}
