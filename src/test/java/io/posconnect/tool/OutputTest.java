package io.posconnect.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command whose output is lost has failed, whatever it found. */
class OutputTest {

  @TempDir private Path folder;

  /** A disk without space: it takes text, and fails when that is to be written. */
  private static final class FullDisk extends Writer {
    @Override
    public void write(char[] text, int from, int length) {
      // Kept.
    }

    @Override
    public void flush() throws IOException {
      throw new IOException("No space left on device");
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--version", "check", "schemas", "help"})
  void endsWithThreeWhereOutputIsLost(String command) {
    StringWriter err = new StringWriter();
    String file = Run.file(folder, Run.settings("https://service.invalid", "a-key")).toString();
    String[] arguments =
        switch (command) {
          case "check" -> new String[] {command, file, "--offline"};
          case "schemas" -> new String[] {command, file};
          default -> new String[] {command};
        };

    int code = Tool.execute(new PrintWriter(new FullDisk()), new PrintWriter(err), arguments);

    assertThat(code).isEqualTo(ExitCode.BROKEN.number);
    assertThat(err.toString()).contains("standard output");
  }

  @ParameterizedTest
  @ValueSource(strings = {">/dev/full", ">&-"})
  void endsWithThreeOnFullDiskAndClosedOutput(String output) throws Exception {
    assumeThat(Path.of("/dev/full")).exists();
    Process tool =
        new ProcessBuilder(
                "sh",
                "-c",
                "exec \"$0\" -cp \"$1\" " + Tool.class.getName() + " --help " + output,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"))
            .start();
    try {
      assertThat(tool.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(tool.exitValue()).isEqualTo(ExitCode.BROKEN.number);
      assertThat(new String(tool.getErrorStream().readAllBytes(), UTF_8))
          .contains("standard output");
    } finally {
      tool.destroyForcibly();
    }
  }

  @Test
  void readsNothingMoreWhereOutputIsLost() {
    StringWriter err = new StringWriter();
    try (Simulator service = Simulator.start()) {
      Map<String, String> settings = Run.settings(service.baseUrl(), Simulator.KEY);
      settings.put("resources", "inventory,customers");
      String file = Run.file(folder, settings).toString();
      Tool.execute(new PrintWriter(new FullDisk()), new PrintWriter(err), "discover", file);

      assertThat(service.requests("/customer/customers")).isNotEmpty();
      assertThat(service.requests("/reporting/inventory")).isEmpty();
    }
    assertThat(err.toString()).containsOnlyOnce("standard output");
  }

  @Test
  void succeedsWhereOutputIsWritten() {
    assertThat(Run.of("--help").code()).isZero();
  }
}
