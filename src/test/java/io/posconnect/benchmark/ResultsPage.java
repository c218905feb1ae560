package io.posconnect.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page that keeps the results of one run, between two comments. */
public final class ResultsPage {

  private static final String BEGIN = "<!-- results: written by the benchmark -->\n";
  private static final String END = "<!-- end of the results -->\n";

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
}
