package io.posconnect.benchmark;

import io.posconnect.benchmark.Results.Line;
import io.posconnect.benchmark.Results.Phase;
import io.posconnect.benchmark.Results.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Draws rows a second as a part of the reference's: a bar for each line of the tables. */
final class Plot {

  private static final int LABELS = 330;
  private static final int UNIT = 240;
  private static final int WIDTH = 960;
  private static final int BAR = 22;

  private final Results results;
  private final List<String> shapes = new ArrayList<>();
  private int y = 30;

  Plot(Results results) {
    this.results = results;
  }

  String svg() {
    int top = y;
    for (Setting setting : results.settings()) {
      text(10, y, "bold", setting.label());
      y += BAR;
      results.lines(setting).forEach(this::bar);
      y += BAR / 2;
    }
    shapes.add(
        String.format(
            Locale.ROOT,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%1$d\" y2=\"%d\" stroke=\"#444\" stroke-dasharray=\"4\"/>",
            LABELS + UNIT,
            top,
            y));
    text(10, y + BAR / 2, "normal", "Rows a second; the streaming reference of the same run is 1.");
    text(10, y + BAR * 3 / 2, "normal", "Unchanged rows: the parser alone is 1.");
    int height = y + 2 * BAR;
    return String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"13\">\n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, height)
        + String.join("\n", shapes)
        + "\n</svg>\n";
  }

  private void bar(Line line) {
    OptionalDouble measured = results.ratio(line, Measurement::rowsPerSecond);
    if (line.contestant() == Contestant.PARSER || measured.isEmpty()) {
      return;
    }
    double ratio = measured.orElseThrow();
    text(
        20,
        y,
        "normal",
        line.phase().name().toLowerCase(Locale.ROOT) + ": " + line.contestant().label());
    shapes.add(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" fill=\"%s\"/>",
            LABELS,
            y - 13,
            Math.min(ratio * UNIT, WIDTH - LABELS - 50),
            BAR - 6,
            color(line)));
    text(
        LABELS + 6 + (int) Math.min(ratio * UNIT, WIDTH - LABELS - 50),
        y,
        "normal",
        String.format(Locale.ROOT, "%.2f", ratio));
    y += BAR;
  }

  private static String color(Line line) {
    if (!line.contestant().isOurs()) {
      return "#b8b8b8";
    }
    return line.phase() == Phase.UNCHANGED ? "#7fb57f" : "#4c7fb8";
  }

  private void text(int x, int baseline, String weight, String words) {
    shapes.add(
        String.format(
            "<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>", x, baseline, weight, words));
  }
}
