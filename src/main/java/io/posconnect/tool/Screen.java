package io.posconnect.tool;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/**
 * Prints what a terminal of 80 columns and a log can take: no known secret, and no character that
 * would move the cursor or reverse the text.
 */
final class Screen {

  static final int WIDTH = 80;

  /** Characters of control, format and separation, and halves of surrogate pairs. */
  private static final Pattern MOVING = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

  private static final String HIDDEN = "********";

  /** Shorter ones stand in every other word; nothing prints a secret to begin with. */
  private static final int SHORTEST_HIDDEN = 4;

  private final PrintWriter out;
  private final PrintWriter err;
  private final List<String> secrets = new ArrayList<>();

  Screen(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** Hides these values from now on. */
  void hide(Collection<String> values) {
    values.stream().filter(value -> value.length() >= SHORTEST_HIDDEN).forEach(secrets::add);
    secrets.sort(Comparator.comparingInt(String::length).reversed());
  }

  /** Prints a sentence, wrapped where it is wider than the screen. */
  void line(String sentence) {
    print(out, 0, sentence);
  }

  /** Prints a sentence that belongs to the line above it. */
  void indented(String sentence) {
    print(out, 2, sentence);
  }

  void error(String text) {
    text.lines().forEach(line -> print(err, 0, line));
  }

  /** Prints lines that must not be wrapped: a document, or a command to be copied. */
  void document(String text) {
    print(out, text.lines().map(this::safe));
  }

  /** Prints columns of these widths; the last one takes what is left, and wraps. */
  void table(List<Integer> widths, List<List<String>> rows) {
    List<Column> columns = new ArrayList<>();
    int left = WIDTH;
    for (int width : widths) {
      columns.add(new Column(width, columns.isEmpty() ? 2 : 0, Overflow.SPAN));
      left -= width;
    }
    columns.add(new Column(left, 0, Overflow.WRAP));
    print(out, columns, rows);
  }

  private void print(PrintWriter to, int indent, String text) {
    print(to, List.of(new Column(WIDTH, indent, Overflow.WRAP)), List.of(List.of(text)));
  }

  private void print(PrintWriter to, List<Column> columns, List<List<String>> rows) {
    TextTable table =
        TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns.toArray(Column[]::new));
    for (List<String> row : rows) {
      // A blank parts a cell from the next; a secret is hidden before wrapping can divide it.
      table.addRowValues(row.stream().map(cell -> safe(cell) + " ").toArray(String[]::new));
    }
    print(to, table.toString().lines().map(String::stripTrailing));
  }

  /** Ends a command whose output is lost, before it reads on; {@link Tool} prints the reason. */
  private void print(PrintWriter to, Stream<String> lines) {
    lines.forEach(to::println);
    if (to.checkError() && to == out) {
      throw ExitCode.BROKEN.because("");
    }
  }

  /** Without secrets; control and formatting characters as JSON escapes them. */
  private String safe(String text) {
    String shown = MOVING.matcher(text).replaceAll(found -> "\\\\" + escaped(found.group()));
    for (String secret : secrets) {
      shown = shown.replace(secret, HIDDEN);
    }
    return shown;
  }

  private static String escaped(String character) {
    return character.chars().mapToObj("u%04x"::formatted).collect(Collectors.joining("\\\\"));
  }
}
