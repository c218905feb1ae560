package io.posconnect.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page that keeps the results of one run, between two comments. */
final class PerformancePage {

  private static final Path PAGE = Path.of("docs", "performance.md");
  private static final Path PLOT = Path.of("docs", "performance.svg");
  private static final String BEGIN = "<!-- results: written by the benchmark -->\n";
  private static final String END = "<!-- end of the results -->\n";

  private PerformancePage() {}

  /** Replaces the results of an earlier run. */
  static void write(String report, String plot) throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    if (begin < BEGIN.length() || end < begin) {
      throw new IllegalStateException(PAGE + " has no place for the results");
    }
    Files.writeString(PAGE, page.substring(0, begin) + "\n" + report + "\n" + page.substring(end));
    Files.writeString(PLOT, plot);
  }
}
