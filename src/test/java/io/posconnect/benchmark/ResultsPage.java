package io.posconnect.benchmark;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page that keeps the results of one run, each kind of them between two comments. */
public final class ResultsPage {

  private static final Pattern RATIO = Pattern.compile("^\\*\\*([\\d.]+)\\*\\*");

  private ResultsPage() {}

  /**
   * Replaces the results of an earlier run.
   *
   * @param kind names them in the comments around them
   */
  public static void write(Path file, String kind, String report) throws IOException {
    String page = Files.readString(file);
    String opening = "<!-- " + kind + ": written by the benchmark -->\n";
    int begin = page.indexOf(opening);
    int end = page.indexOf("<!-- end of the " + kind + " -->\n");
    if (begin < 0 || end < begin) {
      throw new IllegalStateException(file + " has no place for the " + kind);
    }
    String before = page.substring(0, begin + opening.length());
    Files.writeString(file, before + "\n" + report + "\n" + page.substring(end));
  }

  /** A row of a table. */
  public static String row(List<String> cells) {
    return cells.stream().collect(joining(" | ", "| ", " |\n"));
  }

  /**
   * Puts each ratio of the page behind the new one of the same table, line and column, in brackets:
   * what the commit before had.
   */
  public static String withEarlierRatios(String report, String page) {
    Map<String, String> earlier = new HashMap<>();
    ratios(page, (place, cell) -> Optional.ofNullable(earlier.put(place, cell)));
    return ratios(report, (place, cell) -> Optional.ofNullable(earlier.get(place)));
  }

  /** Shows each ratio with its place; what is returned is put behind it. */
  private static String ratios(String text, BiFunction<String, String, Optional<String>> behind) {
    StringBuilder out = new StringBuilder();
    String table = "";
    for (String line : text.split("\n", -1)) {
      table = line.startsWith("#") ? line : table;
      String[] cells = line.split(" \\| ", -1);
      for (int i = 2; line.startsWith("| ") && i < cells.length; i++) {
        Matcher ratio = RATIO.matcher(cells[i]);
        if (ratio.find()) {
          String place = String.join(" | ", table, cells[0], cells[1], Integer.toString(i));
          cells[i] =
              ratio.group()
                  + behind.apply(place, ratio.group(1)).map(" (%s)"::formatted).orElse("")
                  + cells[i].substring(ratio.end());
        }
      }
      out.append(out.isEmpty() ? "" : "\n").append(String.join(" | ", cells));
    }
    return out.toString();
  }
}
