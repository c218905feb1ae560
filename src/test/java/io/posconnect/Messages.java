package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The README's table of messages: by which words an operator finds cause and remedy. */
public final class Messages {

  private static final Pattern PHRASE = Pattern.compile("`([^`]+)`");

  /**
   * @param words as the README has them, an ellipsis for whatever is filled in
   */
  record Phrase(String words) {

    boolean isIn(String message) {
      String regex =
          Arrays.stream(words.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".+"));
      return Pattern.compile(regex, Pattern.DOTALL).matcher(message).find();
    }
  }

  private Messages() {}

  /** The rows, each with its cells. */
  static List<List<String>> rows() {
    String readme;
    try {
      readme = Files.readString(Path.of("README.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String begin =
        "| what a validation, the log or the status says | cause | remedy |\n|---|---|---|\n";
    assertThat(readme).contains(begin);
    return readme
        .substring(readme.indexOf(begin) + begin.length())
        .lines()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  static List<Phrase> phrases() {
    return rows().stream()
        .flatMap(row -> PHRASE.matcher(row.get(0)).results())
        .map(found -> new Phrase(found.group(1)))
        .toList();
  }

  /** Whether an operator who reads that finds it in the README. */
  static boolean explain(String message) {
    return phrases().stream().anyMatch(phrase -> phrase.isIn(message));
  }

  /** For tests that have provoked a message. */
  public static void assertExplained(String message) {
    assertThat(explain(message)).as("README.md, Messages, has a row for: %s", message).isTrue();
  }
}
