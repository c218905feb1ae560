package io.posconnect.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page that keeps the results of one run, between two comments. */
public final class ResultsPage {

  private static final String BEGIN = "<!-- results: written by the benchmark -->\n";
  private static final String END = "<!-- end of the results -->\n";

  private static final Pattern RATIO = Pattern.compile("^\\*\\*([\\d.]+)\\*\\*");

  private ResultsPage() {}

  /** Replaces the results of an earlier run. */
  public static void write(Path file, String report) throws IOException {
    String page = Files.readString(file);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    if (begin < BEGIN.length() || end < begin) {
      throw new IllegalStateException(file + " has no place for the results");
    }
    Files.writeString(file, page.substring(0, begin) + "\n" + report + "\n" + page.substring(end));
  }

  /**
   * Puts each ratio of the page behind the new one of the same table, line and column, in brackets:
   * what the commit before had.
   */
  static String withEarlierRatios(String report, String page) {
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
