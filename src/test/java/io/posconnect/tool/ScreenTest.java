package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Screen screen = new Screen(new PrintWriter(out), new PrintWriter(err));

  @Test
  void showsNoSecret() {
    screen.hide(List.of("s3cret", "s3cret-and-more"));
    screen.line("a s3cret-and-more and a s3cret");
    screen.indented("s3cret");
    screen.error("s3cret");
    screen.document("{\n\"a\": \"s3cret\"\n}");
    screen.table(List.of(8), List.of(List.of("xx s3cret", "s3cret")));

    assertThat(out + err.toString()).doesNotContain("s3cret").doesNotContain("and-more");
  }

  @Test
  void escapesCharactersThatMoveTheCursor() {
    screen.line("name \u001b[2J\u202eevil\u0000\r\n\u2028\ud800");

    assertThat(out.toString().stripTrailing())
        .isEqualTo("name \\u001b[2J\\u202eevil\\u0000\\u000d\\u000a\\u2028\\ud800");
  }

  @Test
  void wrapsSentencesAndCellsButNoDocument() {
    screen.line("word ".repeat(50));
    screen.table(
        List.of(20, 30), List.of(List.of("a".repeat(50), "b ".repeat(50), "c".repeat(99))));
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);

    screen.document("d".repeat(99));
    assertThat(out.toString().lines()).contains("d".repeat(99));
  }
}
