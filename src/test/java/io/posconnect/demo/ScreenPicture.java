package io.posconnect.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Draws lines of a terminal, with their colours, as an SVG picture. */
final class ScreenPicture {

  private static final int COLUMNS = 142;
  private static final double COLUMN = 7.2;
  private static final int LINE = 18;
  private static final int MARGIN = 14;
  private static final Pattern COLOURED = Pattern.compile("\033\\[(\\d+)m(.*?)\033\\[0m");
  private static final Map<String, String> COLOURS =
      Map.of("31", "#ff7b72", "32", "#7ee787", "33", "#e3b341", "35", "#d2a8ff", "90", "#8b949e");

  private ScreenPicture() {}

  static void write(Path file, List<String> lines) throws IOException {
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d">
        <rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
        <g font-family="monospace" font-size="12" fill="#e6edf3" xml:space="preserve">
        """
            .formatted((int) (COLUMNS * COLUMN) + 2 * MARGIN, lines.size() * LINE + 2 * MARGIN));
    for (int i = 0; i < lines.size(); i++) {
      svg.append("<text x=\"%d\" y=\"%d\">".formatted(MARGIN, MARGIN + i * LINE + 13))
          .append(painted(lines.get(i)))
          .append("</text>\n");
    }
    Files.writeString(file, svg.append("</g>\n</svg>\n"));
  }

  private static String painted(String line) {
    String text = line.replace("&", "&amp;").replace("<", "&lt;");
    return COLOURED
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    "<tspan fill=\"%s\">%s</tspan>"
                        .formatted(COLOURS.get(match.group(1)), match.group(2))));
  }
}
