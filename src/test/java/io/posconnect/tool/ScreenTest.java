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
  void showsNoSecretWhereverItStands() {
    screen.hide(List.of("s3cret", "s3cret-and-more"));
    screen.line("a s3cret-and-more and a s3cret");
    screen.error("s3cret");
    screen.document("{\n\"a\": \"s3cret\"\n}");
    screen.table("", List.of("A", "B"), List.of(List.of("s3cret", "s3cret")));
    screen.wrappedTable(List.of(8, 8), List.of("A", "B"), List.of(List.of("xx s3cret", "s3cret")));
    screen.transientLine("s3cret");

    assertThat(out + err.toString()).doesNotContain("s3cret").doesNotContain("and-more");
  }

  @Test
  void letsNoTextMoveTheCursorOrTurnTheLineAround() {
    screen.line("name \u001b[2J\u202eevil\u0000\r\n\u2028\ud800");

    assertThat(out.toString().stripTrailing())
        .isEqualTo("name \\u001b[2J\\u202eevil\\u0000\\u000d\\u000a\\u2028\\ud800");
  }
}
