package io.posconnect.tool;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/**
 * Prints what a terminal and a log can take: no secret that is known, and no character that would
 * move the cursor or turn the text around.
 */
final class Screen {

  private static final String HIDDEN = "********";

  /** Shorter ones stand in every other word; nothing prints a secret to begin with. */
  private static final int SHORTEST_HIDDEN = 4;

  private static final int WIDEST_COLUMN = 44;

  private final PrintWriter out;
  private final PrintWriter err;
  private final List<String> secrets = new ArrayList<>();

  Screen(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** From now on these are shown nowhere. */
  void hide(Collection<String> values) {
    values.stream().filter(value -> value.length() >= SHORTEST_HIDDEN).forEach(secrets::add);
    secrets.sort(Comparator.comparingInt(String::length).reversed());
  }

  void line(String text) {
    out.println(safe(text));
    out.flush();
  }

  void line() {
    line("");
  }

  void error(String text) {
    text.lines().forEach(line -> err.println(safe(line)));
    err.flush();
  }

  /** A line without its end, which the next one overwrites. */
  void transientLine(String text) {
    err.print("\r" + safe(text) + "\u001b[K");
    err.flush();
  }

  void endTransientLine() {
    err.print("\r\u001b[K");
    err.flush();
  }

  /** A text of several lines, such as a document of JSON, which stays one. */
  void document(String text) {
    text.lines().forEach(this::line);
  }

  /** Columns as wide as they need to be, but for the last, which is as long as it is. */
  void table(String indent, List<String> header, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(rows);
    int[] widths = new int[header.size()];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Math.min(WIDEST_COLUMN, clean(row.get(i)).length()));
      }
    }
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < widths.length; i++) {
        String cell = clean(row.get(i));
        line.append(cell);
        if (i < widths.length - 1) {
          line.append(" ".repeat(2 + Math.max(0, widths[i] - cell.length())));
        }
      }
      line(line.toString().stripTrailing());
    }
  }

  /** Columns of fixed widths, in which long texts go on in the next line. */
  void wrappedTable(List<Integer> widths, List<String> header, List<List<String>> rows) {
    Column[] columns =
        widths.stream().map(width -> new Column(width, 0, Overflow.WRAP)).toArray(Column[]::new);
    TextTable table = TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns);
    table.addRowValues(cells(header));
    rows.forEach(row -> table.addRowValues(cells(row)));
    table.toString().lines().map(String::stripTrailing).forEach(this::line);
  }

  /** With a blank between the columns, and a secret hidden before it is torn apart. */
  private String[] cells(List<String> row) {
    return row.stream().map(cell -> safe(cell) + " ").toArray(String[]::new);
  }

  private String safe(String text) {
    String shown = clean(text);
    for (String secret : secrets) {
      shown = shown.replace(secret, HIDDEN);
    }
    return shown;
  }

  /** Control and formatting characters as JSON escapes them, so that JSON stays what it is. */
  static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              int type = Character.getType(c);
              if (type == Character.CONTROL
                  || type == Character.FORMAT
                  || type == Character.LINE_SEPARATOR
                  || type == Character.PARAGRAPH_SEPARATOR
                  || type == Character.SURROGATE) {
                for (char unit : Character.toChars(c)) {
                  clean.append(String.format("\\u%04x", (int) unit));
                }
              } else {
                clean.appendCodePoint(c);
              }
            });
    return clean.toString();
  }
}
